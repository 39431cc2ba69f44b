/** What shortcodes of media become, and that nothing they say gets further than it should. */
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { renderMarkup } from '../../src/render/markup.ts';
import { type MediaFinder, type MediaWish, type ShownMedia, showMedia } from '../../src/render/media-shortcodes.ts';
import { cpuMs } from '../support/long-texts.ts';

const picture = (id: number, more: Partial<ShownMedia> = {}): ShownMedia => ({
  id,
  url: `https://x.example/uploads/${id}.png`,
  link: `https://x.example/${id}/`,
  title: `Title ${id}`,
  mime: 'image/png',
  caption: '',
  description: '',
  shape: 'landscape',
  image: (size, attributes) => `<img class="size-${size}"${attributes}>`,
  ...more,
});

const types: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', ogg: 'audio/ogg', mp4: 'video/mp4', webm: 'video/webm' };

function finder(media: readonly ShownMedia[], wishes: MediaWish[] = []): MediaFinder {
  return {
    home: 'https://x.example',
    mimeOf: (url) => types[/\.(\w+)(?:\?.*)?$/.exec(url)?.[1] ?? ''] ?? '',
    find(wish) {
      wishes.push(wish);
      return media.filter(({ id }) => wish.ids === null || wish.ids.includes(id));
    },
  };
}

const show = (html: string, media: readonly ShownMedia[] = [picture(7), picture(8)], before = 0): string =>
  showMedia(html, 3, finder(media), before);

describe('a gallery', () => {
  it('shows images with captions', () => {
    const html = show('[gallery ids="8" columns="2" size="medium" link="none"]', [
      picture(8, { caption: 'A <em>cat</em>', shape: 'portrait' }),
    ]);
    expect(html).toBe(
      "<div id='gallery-1' class='gallery galleryid-3 gallery-columns-2 gallery-size-medium'><figure class='gallery-item'>\n\t\t\t" +
        '<div class=\'gallery-icon portrait\'>\n\t\t\t\t<img class="size-medium" aria-describedby="gallery-1-8">\n\t\t\t</div>\n\t\t\t\t' +
        "<figcaption class='wp-caption-text gallery-caption' id='gallery-1-8'>\n\t\t\t\tA <em>cat</em>\n\t\t\t\t</figcaption></figure>\n\t\t</div>\n",
    );
  });

  it('links to pages or files', () => {
    expect(show('[gallery ids="7"]')).toContain("<a href='https://x.example/7/'>");
    expect(show('[gallery ids="7" link="file"]')).toContain("<a href='https://x.example/uploads/7.png'>");
  });

  it('is numbered within its text, and continues after previous texts', () => {
    const two = '[gallery ids="7"] [gallery ids="8"]';
    expect(show(two).match(/gallery-\d'/g)).toEqual(["gallery-1'", "gallery-2'"]);
    expect(show(two, undefined, 1).match(/gallery-\d'/g)).toEqual(["gallery-3'", "gallery-4'"]);
  });

  it('requests the media it names', () => {
    const wishes: MediaWish[] = [];
    const text = '[gallery][gallery id="9" exclude="4, 5" orderby="title" order="DESC"][playlist type="video" ids="1,x,-2,2"]';
    showMedia(text, 3, finder([], wishes));
    expect(wishes).toEqual([
      { family: 'image', ids: null, without: [], parent: 3, by: 'menu_order', isReversed: false },
      { family: 'image', ids: null, without: [4, 5], parent: 9, by: 'title', isReversed: true },
      { family: 'video', ids: [1, 2], without: [], parent: 3, by: 'menu_order', isReversed: false },
    ]);
  });

  it('is empty without images, stays text in double brackets, and is escaped in attributes', () => {
    expect(show('a[gallery ids="9"]b')).toBe('ab');
    expect(show('[[gallery ids="7"]] [gallery-x] [galleryx]')).toBe('[gallery ids="7"] [gallery-x] [galleryx]');
    expect(show('[audio src="/a.mp3"] Text between. [audio src="/b.mp3"][/audio]')).toContain('</audio> Text between. <audio');
    expect(show('<a title="[gallery]">', [])).toBe('<a title="">');
    expect(show('<a title="[gallery]">')).toMatch(/^<a title="&lt;div id=[^"<>]*">$/);
  });

  it('is limited in number per text', () => {
    const many = Array.from({ length: 900 }, (_, at) => picture(at + 1));
    expect(show('[gallery]'.repeat(500), many).match(/<figure/g)).toHaveLength(2000);
  });
});

describe('a recording', () => {
  it('is played', () => {
    expect(show('[audio src="/uploads/a.mp3" loop="on" preload="auto"]')).toBe(
      '<audio class="wp-audio-shortcode" id="audio-3-1" loop preload="auto" style="width: 100%;" controls="controls">' +
        '<source type="audio/mpeg" src="https://x.example/uploads/a.mp3?_=1" /><a href="https://x.example/uploads/a.mp3">https://x.example/uploads/a.mp3</a></audio>',
    );
    expect(
      show(
        '[video mp4="http://x.org/b.mp4" webm="http://x.org/a.webm" poster="http://x.org/p.png" width="320" height="180"][/video]',
      ),
    ).toBe(
      '<div style="width: 320px;" class="wp-video"><video class="wp-video-shortcode" id="video-3-1" width="320" height="180" poster="http://x.org/p.png" preload="metadata" controls="controls">' +
        '<source type="video/mp4" src="http://x.org/b.mp4?_=1" /><source type="video/webm" src="http://x.org/a.webm?_=1" />' +
        '<a href="http://x.org/b.mp4">http://x.org/b.mp4</a></video></div>',
    );
  });

  it('attached to the text is the default; a file of another kind is a link', () => {
    const own = picture(5, { mime: 'audio/mpeg', url: 'https://x.example/uploads/own.mp3' });
    expect(show('[audio]', [own])).toContain('src="https://x.example/uploads/own.mp3?_=1"');
    expect(show('[audio]', [])).toBe('');
    expect(show('[audio src="http://x.org/a.zip"]')).toBe(
      '<a class="wp-embedded-audio" href="http://x.org/a.zip">http://x.org/a.zip</a>',
    );
  });

  it('can be part of a playlist', () => {
    const html = show('[playlist ids="5"]', [picture(5, { mime: 'audio/mpeg', title: 'A </script><b>', length: '1:05' })]);
    expect(html).toContain('<div class="wp-playlist wp-audio-playlist wp-playlist-light">');
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    const data = JSON.parse(/wp-playlist-script">(.*)<\/script>/.exec(html)?.[1] ?? '') as { tracks: object[] };
    expect(data.tracks).toEqual([
      {
        src: 'https://x.example/uploads/5.png',
        type: 'audio/mpeg',
        title: 'A </script><b>',
        caption: '',
        description: '',
        meta: { length_formatted: '1:05' },
      },
    ]);
  });
});

describe('a malicious shortcode', () => {
  const values = [
    'javascript:alert(1)//a.mp3',
    'java&#115;cript:alert(1)//a.mp3',
    ' JaVaScRiPt:alert(1)//a.mp3',
    'data:audio/mpeg,x.mp3',
    "x' onerror='alert(1).mp3",
    '&quot; onerror=&quot;alert(1).mp3',
    '"><script>alert(1)</script>.mp3',
  ];
  const names = [
    'src',
    'mp3',
    'poster',
    'class',
    'style',
    'size',
    'columns',
    'link',
    'itemtag',
    'icontag',
    'captiontag',
    'preload',
    'id',
    'ids',
    'width',
    'loop',
  ];
  it.each(values)('%s is harmless', (value) => {
    for (const shortcode of ['gallery', 'audio', 'video', 'playlist']) {
      for (const name of names) {
        for (const quote of ['"', "'"]) {
          const said = `[${shortcode} ${name === 'src' ? '' : 'src="http://x.org/a.mp3" mp4="http://x.org/a.mp4"'} ${name}=${quote}${value}${quote}]`;
          const html = show(said, [picture(7), picture(8, { mime: 'audio/mpeg' })]);
          // Elements of its own, with attributes of its own, to addresses that may be.
          const tags = html.match(/<(?!\/|script type="application\/json")[^>]*>/g) ?? [];
          for (const tag of tags) {
            const rest = tag.replace(/\s(?:loop|autoplay|muted)(?= )|\s[\w-]+=(?:"[^"]*"|'[^']*')/g, '');
            expect(rest).toMatch(/^<[a-z]+ ?\/?>$/);
            expect(tag).not.toMatch(/\son\w+=(?![^<]*['"]\s*\/?>)/);
            for (const [, url = ''] of tag.matchAll(/\s(?:src|href|poster)=["']([^"']*)/g))
              expect(url).not.toMatch(/^\s*(?:javascript|data|vbscript):/i);
          }
        }
      }
    }
  });

  it('an embed with such a URL is harmless', () => {
    const html = renderMarkup('[embed]javascript:alert(1)[/embed] [embed]"><b>[/embed]', { smilies: false, typography: false });
    expect(html).not.toMatch(/href="javascript|<b>/);
  });
});

describe('in Markdown', () => {
  const render = (text: string): string => show(renderMarkdown(text, { typography: true }));
  it('shortcodes are supported', () => {
    expect(render('a\n\n[gallery ids="7"]\n\nb')).toMatch(/^<p>a<\/p>\n<div id='gallery-1'[\s\S]*<\/div>\n\n<p>b<\/p>\n$/);
    expect(render('[audio src="http://x.org/a_b_c.mp3"]')).toContain('src="http://x.org/a_b_c.mp3?_=1"');
    expect(render('[embed]http://x.org/a_b_c[/embed]')).toBe('<p><a href="http://x.org/a_b_c">http://x.org/a_b_c</a></p>\n');
  });
  it.each([
    ['`[gallery]`', '<p><code>&#91;gallery]</code></p>\n'],
    ['    [gallery]', '<pre><code>&#91;gallery]\n</code></pre>\n'],
    ['```\n[gallery]\n```', '<pre><code>&#91;gallery]\n</code></pre>\n'],
    ['\\[gallery]', '<p>&#91;gallery]</p>\n'],
    ['[[gallery]]', '<p>[gallery]</p>\n'],
    ['[gallery](/x)', '<p><a href="/x">gallery</a></p>\n'],
    ['[gallery]\n\n[gallery]: /x', '<p><a href="/x">gallery</a></p>\n'],
    ['[gallery][x]\n\n[x]: /x', '<p><a href="/x">gallery</a></p>\n'],
  ])('%s is not a shortcode', (text, html) => {
    expect(render(text)).toBe(html);
  });
});

it('shortcodes take linear time', async () => {
  for (const unit of ['[gallery', '[gallery ids="1"', '[audio src="', '[[gallery]', '[audio]', '[gallery a=b c=d]', '[embed]']) {
    const work = () => show(renderMarkup(unit.repeat(200_000 / unit.length), { smilies: false, typography: false }), []);
    expect(await cpuMs(work)).toBeLessThan(10_000);
  }
});
