import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { activeParts, dataWithoutActive, isActiveAddress, withoutActive } from '../../src/render/active.ts';
import { filterHtml } from '../../src/render/filter.ts';
import { decodeEntities } from '../../src/render/text.ts';
import { activeAddresses, scripts } from '../support/scripts.ts';
import { cpuMs } from '../support/long-texts.ts';

/** What a browser would run, by another measure than the one under test. */
function runs(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script') found.push(name);
      for (const [key, value] of Object.entries(attributes)) {
        const plain = value.replace(/[\s\p{C}]/gu, '').toLowerCase();
        if (key.startsWith('on') || key === 'srcdoc') found.push(key);
        if (/^(?:(?:javascript|vbscript):|data:text\/html|data:image\/svg)/.test(plain)) found.push(`${key}=${value}`);
      }
    },
  });
  parser.write(html);
  parser.end();
  return found;
}

describe('active content', () => {
  it('has a few hundred variants in this test', () => {
    expect(scripts.length).toBeGreaterThan(200);
  });

  it.each(scripts)('is removed from %j', (script) => {
    for (const text of [script, `before ${script} after`, `<p>${script}</p>`, `<a title="${script}">x</a>`, script + script]) {
      const clean = withoutActive(text);
      expect(runs(clean)).toEqual([]);
      expect(activeParts(clean, { comments: true })).toEqual([]);
      expect(withoutActive(clean)).toBe(clean);
      expect(runs(filterHtml(text, 'post'))).toEqual([]);
    }
  });

  it('is found wherever a parser finds it', () => {
    const missed = scripts.filter((script) => runs(script).length > 0 && activeParts(script).length === 0);
    expect(missed).toEqual([]);
  });

  it.each([
    ['<svg><x:script>1</x:script></svg>', 'x:script element'],
    ['<base href="/x/">', 'base element'],
    ['<meta http-equiv="refresh" content="0;url=/x">', 'meta element that acts'],
    ['<p onclick="x">y</p>', 'onclick attribute'],
    ['<iframe srcdoc="plain"></iframe>', 'srcdoc attribute'],
    ['<svg><animate attributeName="xlink:href" to="/x"/></svg>', 'animation of an address'],
    ['<svg><set attributeName="onclick" to="x"/></svg>', 'animation of an address'],
    ['<a href="javascript:x">y</a>', 'javascript: address'],
    ['<svg><animate values="/a;javascript:x"/></svg>', 'javascript: address'],
    ['<object data="data:text/html,x"></object>', 'data: address'],
    ['<p style="width: expression(x)">y</p>', 'script in a style'],
    ['<style><p onclick=x></style>', 'markup in a style element'],
    ['<a title="<p onclick=x>">y</a>', 'markup in an attribute'],
  ])('is classified: %j', (html, what) => {
    expect(activeParts(`<p>a</p>${html}`)).toMatchObject([{ what }]);
  });

  it('is found in comments that other parsers may end elsewhere', () => {
    const html = '<!-- <p onclick=x> -->';
    expect(activeParts(html)).toEqual([]);
    expect(activeParts(html, { comments: true })).toMatchObject([{ at: 0, what: 'markup in a comment' }]);
  });

  it('is not hidden by a removed URL', () => {
    for (const text of ['javascript:<script>x</script>', 'javascript:javascript:x', 'vbscript:<p onclick=x>'])
      expect([text, runs(withoutActive(text)), isActiveAddress(withoutActive(text))]).toEqual([text, [], false]);
  });

  it.each(activeAddresses)('includes the URL %j', (address) => {
    expect(isActiveAddress(decodeEntities(address)) || /^feed:/.test(address)).toBe(true);
    expect(isActiveAddress(withoutActive(address))).toBe(false);
  });

  it.each([
    'Text with a < b and c > d, onclick="x" and javascript: in it.',
    '<p>On <em>top</em>: <a href="https://example.com/?a=b&amp;on=1">x</a></p>',
    '<iframe src="https://video.example/embed/1" allowfullscreen></iframe>',
    '<form action="/search"><input name="s"></form>',
    '<img src="data:image/png;base64,AA==" srcset="/a 1x" decoding="async">',
    '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg><style>p { color: red }</style>',
    '<pre>&lt;script&gt;alert(1)&lt;/script&gt;</pre>',
    '<!-- a comment --><p data-once="x">y</p>',
    'https://example.com/javascript:x',
    'data: what we know',
    '',
  ])('does not include %j, which stays', (text) => {
    expect(activeParts(text)).toEqual([]);
    expect(withoutActive(text)).toBe(text);
  });

  it('has a position', () => {
    const html = 'a <b>c</b> <img src="x" onerror="alert(1)"> d <script>e</script>';
    const found = activeParts(html).map(({ at, length, what }) => [html.slice(at, at + length), what]);
    expect(found).toEqual([
      ['<img src="x" onerror="alert(1)">', 'onerror attribute'],
      ['<script>', 'script element'],
    ]);
  });

  it('is removed from data, but not from stored content', () => {
    const bad = '<img src=x onerror=alert(1)>';
    const data = { a: [bad, { raw: bad, rendered: bad, [bad]: 1 }], meta: { x: bad }, url: 'javascript:alert(1)' };
    const clean = '<img src="x">';
    expect(dataWithoutActive(data, 'user')).toEqual({
      a: [clean, { raw: bad, rendered: clean, '': 1 }],
      meta: { x: clean },
      url: 'alert(1)',
    });
    expect(dataWithoutActive(data, 'editor')).toMatchObject({ meta: { x: bad } });
    expect(JSON.stringify(dataWithoutActive(data, 'visitor'))).not.toContain('onerror');
  });

  it('is removed in linear time', async () => {
    for (const piece of ['<a title="', '<script>', '<svg><style>', '<!--', '&lt;', '<iframe srcdoc="&lt;p title=', '<textarea><'])
      expect(await cpuMs(() => withoutActive(piece.repeat(20_000)))).toBeLessThan(10_000);
  });
});
