import { describe, expect, test } from 'vitest';
import { renderMarkup } from '../../src/render/markup.ts';
import { dropShortcodes, showCaptions, showRecordings, unwrapShortcodes } from '../../src/render/shortcodes.ts';
import { cpuMs, long, maxLongMs } from '../support/long-texts.ts';

const image = '<img class="size-medium" src="/media/gull.jpg" alt="" width="300" height="200" />';
const shown = (attributes: string, picture: string, words: string) =>
  `<figure ${attributes}>${picture}<figcaption id="caption-attachment-6" class="wp-caption-text">${words}</figcaption></figure>`;
const six = 'id="attachment_6" aria-describedby="caption-attachment-6" style="width: 300px" class="wp-caption alignleft"';

describe('showCaptions', () => {
  test.each([
    [
      'words behind the picture',
      `[caption id="attachment_6" align="alignleft" width="300"]${image} A gull[/caption]`,
      shown(six, image, 'A gull'),
    ],
    [
      'a picture with a link, words with markup',
      `[caption id='attachment_6' align=alignleft width=300]<a href="/g"> ${image} </a> A <em>gull</em>\n[/caption]`,
      shown(six, `<a href="/g"> ${image} </a>`, 'A <em>gull</em>'),
    ],
    [
      'words among the attributes',
      `[caption width="120" caption="A gull" class="wide"]${image}[/caption]`,
      `<figure style="width: 120px" class="wp-caption alignnone wide">${image}<figcaption class="wp-caption-text">A gull</figcaption></figure>`,
    ],
    ['no width', `[caption]before ${image} A gull[/caption]`, image],
    ['no words', `[caption width="300"]${image}[/caption]`, image],
    ['no picture', '[caption width="300"]A gull[/caption]', 'A gull'],
    ['never closed', 'a [caption width="300"] b', 'a  b'],
    ['spoken of', `[[caption width="300"]${image} A gull[/caption]]`, `[caption width="300"]${image} A gull[/caption]`],
    [
      'words with markup among the attributes',
      `[caption width="9" caption="A & <b>b</b><script>x</script>"]${image}[/caption]`,
      `<figure style="width: 9px" class="wp-caption alignnone">${image}<figcaption class="wp-caption-text">A &amp; <b>b</b>x</figcaption></figure>`,
    ],
    [
      'in an attribute that holds no markup of authors',
      '<a onclick="[caption]x[/caption]">',
      '<a onclick="[caption]x[/caption]">',
    ],
    ['within a tag', '<a title="[caption]x[/caption]">', '<a title="x">'],
    ['another word', '[captions]x[/captions]', '[captions]x[/captions]'],
  ])('%s', (_, html, expected) => expect(showCaptions(html)).toEqual(expected));

  test('escapes attributes', () => {
    const html = `[caption id='a" onclick="x' align='b" onclick="x' width="30 onclick"]${image} Words[/caption]`;
    expect(showCaptions(html)).toMatch(
      /^<figure id="aonclickx" aria-describedby="caption-aonclickx" style="width: 30px" class="wp-caption b&quot; onclick=&quot;x">/,
    );
  });

  test.each([
    '[caption]',
    '[caption',
    '<p>[caption]',
    '[caption][/caption',
    '[[caption]',
    '<a [caption]',
    '[caption width="1"]<img ',
  ])('handles a quarter of a megabyte of %j', async (unit) => {
    const text = long(unit);
    const work = () => showCaptions(unwrapShortcodes(dropShortcodes(text) + text));
    expect(await cpuMs(work)).toBeLessThan(maxLongMs);
  });
});

test('classic text with a caption', () => {
  const raw = `Before\n\n[caption id="attachment_6" align="alignleft" width="300"]${image} A "gull"[/caption]\n\nAfter`;
  expect(renderMarkup(raw, { smilies: true, typography: true })).toBe(
    `<p>Before</p>\n${shown(six, image.replace('<img', '<img loading="lazy" decoding="async"'), 'A &#8220;gull&#8221;')}\n<p>After</p>\n`,
  );
});

describe('dropShortcodes', () => {
  test.each([
    ['a [gallery ids="1"] b', 'a  b'],
    [`a [caption width="3"]${image} words[/caption] b`, 'a  b'],
    ['a [video /] b [/video]', 'a  b [/video]'],
    ['a [other] b', 'a [other] b'],
    ['a < [gallery] > <b title="[gallery]">[gallery]', 'a < [gallery] > <b title="[gallery]">'],
  ])('%j', (text, expected) => expect(dropShortcodes(text)).toBe(expected));
});

describe('URLs of recordings', () => {
  test.each([
    ['alone on a line are players', 'a\n\n https://x.example/a.mp3\n\nb', 'a\n\n [audio src="https://x.example/a.mp3" /]\n\nb'],
    ['alone in a paragraph are players', '<p>https://x.example/a.webm</p>', '<p>[video src="https://x.example/a.webm" /]</p>'],
    ['among words stay', 'see https://x.example/a.mp3', 'see https://x.example/a.mp3'],
    [
      'of other things stay',
      'https://x.example/a.html\nhttps://x.example/mp3',
      'https://x.example/a.html\nhttps://x.example/mp3',
    ],
  ])('%s', (_, text, shown) => expect(showRecordings(text)).toBe(shown));
});
