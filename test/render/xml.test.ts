import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { createXml } from '../../src/render/xml.ts';
import '../support/seed.ts';

/** Character data of a document, as a parser sees it. */
function read(document: string): { text: string; attributes: Record<string, string> } {
  const parser = new SaxesParser();
  let text = '';
  let attributes: Record<string, string> = {};
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    attributes = tag.attributes as Record<string, string>;
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('cdata', (part) => {
    text += part;
  });
  parser.write(document).close();
  return { text, attributes };
}

describe('XML', () => {
  const rows: readonly [what: string, text: string, escaped: string, section: string][] = [
    ['signs of markup', 'a < b & "c" > d', 'a &lt; b &amp; &quot;c&quot; &gt; d', '<![CDATA[a < b & "c" > d]]>'],
    ['the end of a section', 'x]]>y', 'x]]&gt;y', '<![CDATA[x]]]]><![CDATA[>y]]>'],
    ['a carriage return', 'a\r\nb', 'a&#13;\nb', '<![CDATA[a]]>&#13;<![CDATA[\nb]]>'],
    ['what it cannot hold', 'a\0b\ud800c\uffffd', 'abcd', '<![CDATA[abcd]]>'],
    ['nothing', '', '', '<![CDATA[]]>'],
  ];
  for (const [what, text, escaped, section] of rows) {
    it(`writes ${what}`, () => {
      expect(createXml().text(text)).toBe(escaped);
      expect(createXml().cdata(text)).toBe(section);
    });
  }

  it('reports what it omits', () => {
    const dropped: number[] = [];
    createXml((count) => dropped.push(count)).text('\0\x01ok');
    expect(dropped).toEqual([2]);
  });

  it('writes elements', () => {
    const { element, text } = createXml();
    expect(element('a')).toBe('<a/>');
    expect(element('a', text('b&c'), { x: '"1"', y: 2, z: undefined })).toBe('<a x="&quot;1&quot;" y="2">b&amp;c</a>');
  });

  it('round-trips every text it can represent', () => {
    const unit = fc.oneof(fc.constantFrom(']]>', '\r', '\n', '\t', '&', '<', '"', ']'), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(
        fc.array(unit).map((parts) => parts.join('')),
        (text) => {
          let isWhole = true;
          const xml = createXml(() => {
            isWhole = false;
          });
          const { text: found, attributes } = read(xml.element('a', xml.cdata(text) + xml.text(text), { b: text }));
          if (isWhole) expect([found, attributes.b]).toEqual([text + text, text]);
        },
      ),
    );
  });
});
