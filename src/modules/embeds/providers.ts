/**
 * Trusted providers: URL patterns and oEmbed endpoints. Their markup is used unchanged; that of other sites is reduced.
 *
 * Source: the public registry of oembed.com and the sites' own documentation. `*` matches anything, in the host only within the host. A leading `*.`
 * also matches the bare host.
 */
interface Provider {
  readonly name: string;
  readonly endpoint: string;
  /** Without the scheme. */
  readonly patterns: readonly RegExp[];
}

const registry = `
  YouTube      | https://www.youtube.com/oembed              | *.youtube.com/watch* *.youtube.com/playlist* *.youtube.com/shorts/* *.youtube.com/live/* youtu.be/*
  Vimeo        | https://vimeo.com/api/oembed.json           | *.vimeo.com/*
  Dailymotion  | https://www.dailymotion.com/services/oembed | *.dailymotion.com/* dai.ly/*
  Flickr       | https://www.flickr.com/services/oembed/     | *.flickr.com/* flic.kr/*
  SmugMug      | https://api.smugmug.com/services/oembed/    | *.smugmug.com/*
  Scribd       | https://www.scribd.com/services/oembed      | *.scribd.com/document/* *.scribd.com/doc/*
  PollDaddy    | https://api.crowdsignal.com/oembed          | *.crowdsignal.net/* poll.fm/* *.survey.fm/*
  X            | https://publish.twitter.com/oembed          | *.twitter.com/*/status/* *.twitter.com/*/timelines/* twitter.com/* *.x.com/*/status/*
  SoundCloud   | https://soundcloud.com/oembed               | *.soundcloud.com/*
  Spotify      | https://open.spotify.com/oembed             | open.spotify.com/* play.spotify.com/*
  Imgur        | https://api.imgur.com/oembed                | *.imgur.com/*
  Issuu        | https://issuu.com/oembed                    | *.issuu.com/*/docs/*
  Mixcloud     | https://app.mixcloud.com/oembed/            | *.mixcloud.com/*
  TED          | https://www.ted.com/services/v1/oembed.json | *.ted.com/talks/*
  Tumblr       | https://www.tumblr.com/oembed/1.0           | *.tumblr.com/post/*
  Kickstarter  | https://www.kickstarter.com/services/oembed | *.kickstarter.com/projects/* kck.st/*
  Cloudup      | https://cloudup.com/oembed                  | cloudup.com/*
  ReverbNation | https://www.reverbnation.com/oembed         | *.reverbnation.com/*
  Reddit       | https://www.reddit.com/oembed               | *.reddit.com/r/*/comments/*
  Speaker Deck | https://speakerdeck.com/oembed.json         | *.speakerdeck.com/*
  Screencast   | https://api.screencast.com/external/oembed  | *.screencast.com/*
  TikTok       | https://www.tiktok.com/oembed               | *.tiktok.com/*/video/* *.tiktok.com/@*
  Pinterest    | https://www.pinterest.com/oembed.json       | *.pinterest.com/*
  Wolfram      | https://www.wolframcloud.com/oembed         | *.wolframcloud.com/obj/*
  Pocket Casts | https://pca.st/oembed.json                  | pca.st/*
  Anghami      | https://api.anghami.com/rest/v1/oembed.view | *.anghami.com/*
  Bluesky      | https://embed.bsky.app/oembed               | bsky.app/profile/*/post/*
  Canva        | https://canva.com/_oembed                   | *.canva.com/design/*/view*
  CodePen      | https://codepen.io/api/oembed               | codepen.io/*
`;

const providers: readonly Provider[] = registry
  .trim()
  .split('\n')
  .map((row) => {
    const [name, endpoint, schemes] = row.split('|').map((cell) => cell.trim()) as [string, string, string];
    return { name, endpoint, patterns: schemes.split(' ').map(patternOf) };
  });

export function providerOf(url: string): Provider | undefined {
  const address = url.replace(/^https?:\/\//i, '');
  return providers.find(({ patterns }) => patterns.some((pattern) => pattern.test(address)));
}

function patternOf(scheme: string): RegExp {
  const [, host = '', path = ''] = /^([^/]*)(.*)$/.exec(scheme) ?? [];
  const plain = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const hosts = host.startsWith('*.') ? `(?:[\\w-]+\\.)*${plain(host.slice(2))}` : plain(host);
  return new RegExp(`^${hosts}${plain(path).replaceAll('*', '.*')}$`, 'i');
}
