/**
 * Sites whose embeds are trusted: addresses they answer for, and where their oEmbed service is. Their markup is passed on
 * as it comes; that of every other site is cut down to a quotation and a frame that can do nothing.
 *
 * Source: the public registry of oembed.com and the sites' own documentation. `*` in an address stands for anything.
 */
interface Provider {
  readonly name: string;
  /** Without the protocol; a leading `*.` also fits the bare host. */
  readonly schemes: readonly string[];
  readonly endpoint: string;
}

export const providers: readonly Provider[] = [
  row(
    'YouTube',
    'https://www.youtube.com/oembed',
    '*.youtube.com/watch*',
    '*.youtube.com/playlist*',
    '*.youtube.com/shorts/*',
    '*.youtube.com/live/*',
    'youtu.be/*',
  ),
  row('Vimeo', 'https://vimeo.com/api/oembed.json', '*.vimeo.com/*'),
  row('Dailymotion', 'https://www.dailymotion.com/services/oembed', '*.dailymotion.com/*', 'dai.ly/*'),
  row('Flickr', 'https://www.flickr.com/services/oembed/', '*.flickr.com/*', 'flic.kr/*'),
  row('SmugMug', 'https://api.smugmug.com/services/oembed/', '*.smugmug.com/*'),
  row('Scribd', 'https://www.scribd.com/services/oembed', '*.scribd.com/document/*', '*.scribd.com/doc/*'),
  row('PollDaddy', 'https://api.crowdsignal.com/oembed', '*.crowdsignal.net/*', 'poll.fm/*', '*.survey.fm/*'),
  row(
    'X',
    'https://publish.twitter.com/oembed',
    '*.twitter.com/*/status/*',
    '*.twitter.com/*/timelines/*',
    'twitter.com/*',
    '*.x.com/*/status/*',
  ),
  row('SoundCloud', 'https://soundcloud.com/oembed', '*.soundcloud.com/*'),
  row('Spotify', 'https://open.spotify.com/oembed', 'open.spotify.com/*', 'play.spotify.com/*'),
  row('Imgur', 'https://api.imgur.com/oembed', '*.imgur.com/*'),
  row('Issuu', 'https://issuu.com/oembed', '*.issuu.com/*/docs/*'),
  row('Mixcloud', 'https://app.mixcloud.com/oembed/', '*.mixcloud.com/*'),
  row('TED', 'https://www.ted.com/services/v1/oembed.json', '*.ted.com/talks/*'),
  row('Tumblr', 'https://www.tumblr.com/oembed/1.0', '*.tumblr.com/post/*'),
  row('Kickstarter', 'https://www.kickstarter.com/services/oembed', '*.kickstarter.com/projects/*', 'kck.st/*'),
  row('Cloudup', 'https://cloudup.com/oembed', 'cloudup.com/*'),
  row('ReverbNation', 'https://www.reverbnation.com/oembed', '*.reverbnation.com/*'),
  row('Reddit', 'https://www.reddit.com/oembed', '*.reddit.com/r/*/comments/*'),
  row('Speaker Deck', 'https://speakerdeck.com/oembed.json', '*.speakerdeck.com/*'),
  row('Screencast', 'https://api.screencast.com/external/oembed', '*.screencast.com/*'),
  row('TikTok', 'https://www.tiktok.com/oembed', '*.tiktok.com/*/video/*', '*.tiktok.com/@*'),
  row('Pinterest', 'https://www.pinterest.com/oembed.json', '*.pinterest.com/*'),
  row('Wolfram', 'https://www.wolframcloud.com/oembed', '*.wolframcloud.com/obj/*'),
  row('Pocket Casts', 'https://pca.st/oembed.json', 'pca.st/*'),
  row('Anghami', 'https://api.anghami.com/rest/v1/oembed.view', '*.anghami.com/*'),
  row('Bluesky', 'https://embed.bsky.app/oembed', 'bsky.app/profile/*/post/*'),
  row('Canva', 'https://canva.com/_oembed', '*.canva.com/design/*/view*'),
  row('CodePen', 'https://codepen.io/api/oembed', 'codepen.io/*'),
];

/** The trusted provider of an address, if any. */
export function providerOf(url: string): Provider | undefined {
  const address = url.replace(/^https?:\/\//i, '');
  return providers.find(({ schemes }) => schemes.some((scheme) => patternOf(scheme).test(address)));
}

function row(name: string, endpoint: string, ...schemes: readonly string[]): Provider {
  return { name, endpoint, schemes };
}

const patterns = new Map<string, RegExp>();

/** A `*` in the host stays in the host: nobody else's address fits. */
function patternOf(scheme: string): RegExp {
  let pattern = patterns.get(scheme);
  if (!pattern) {
    const [, host = '', path = ''] = /^([^/]*)(.*)$/.exec(scheme) ?? [];
    const plain = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    const hosts = host.startsWith('*.') ? `(?:[\\w-]+\\.)*${plain(host.slice(2))}` : plain(host);
    pattern = new RegExp(`^${hosts}${plain(path).replaceAll('*', '.*')}$`, 'i');
    patterns.set(scheme, pattern);
  }
  return pattern;
}
