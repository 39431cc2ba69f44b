/** Documents of both versions, as they go out and come back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXliff, writeXliff } from '../../../../src/modules/translation/xliff/index.ts';
import { type XliffFile, xliffVersions } from '../../../../src/modules/translation/xliff/record.ts';
import { createUnitCodec, plainOf } from '../../../../src/modules/translation/units/index.ts';
import type { Piece } from '../../../../src/modules/translation/units/record.ts';

function piecesOf(text: string): readonly Piece[] {
  return createUnitCodec('html', text).pieces({ at: [0, text.length], kind: 'text' });
}

function fileOf(texts: readonly string[], state: 'untranslated' | 'translated' = 'translated'): XliffFile {
  return {
    original: '77-abc',
    sourceLang: 'en',
    targetLang: 'de',
    kind: 'page',
    href: 'https://x.test/?a=1&b="2"',
    units: texts.map((text, at) => {
      const source = piecesOf(text);
      return {
        id: `content/${at}`,
        datatype: 'html',
        note: at % 2 ? '<note> & more' : '',
        source,
        target: state === 'translated' ? source : null,
        state,
      };
    }),
  };
}

const joined = (pieces: readonly { kind: string; text?: string; id?: number }[]) =>
  pieces.map((one) => (one.kind === 'text' ? one.text : `<${one.kind} ${one.id}>`)).join('');

describe.each(xliffVersions)('XLIFF %s', (version) => {
  it('round-trips', () => {
    const text = fc.array(
      fc.constantFrom(
        'a',
        ' ',
        '<b>',
        '</b>',
        '<br/>',
        '&amp;',
        '&',
        '"',
        "'",
        '\r',
        '\r\n',
        '\n',
        '\t',
        ']]>',
        '\u0000',
        '\u001b',
        '\ud83d',
        '😀',
        '\ufffe',
        '%s',
      ),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(
        fc.array(
          text.map((all) => `x${all.join('')}`),
          { minLength: 1, maxLength: 4 },
        ),
        (texts) => {
          const file = fileOf(texts);
          const read = readXliff(writeXliff(file, version));
          expect(read).toMatchObject({ version, original: '77-abc', sourceLang: 'en', targetLang: 'de' });
          expect(read.units.map(({ id }) => id)).toEqual(file.units.map(({ id }) => id));
          for (const [at, unit] of read.units.entries()) {
            const { source } = file.units[at] as (typeof file.units)[number];
            expect(unit.source).toBe(plainOf(source));
            expect(joined(unit.target ?? [])).toBe(joined(source));
            expect(unit.state).toBe('translated');
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('marks untranslated units', () => {
    const [unit] = readXliff(writeXliff(fileOf(['Hello'], 'untranslated'), version)).units;
    expect(unit).toMatchObject({ target: null, state: 'untranslated' });
  });

  it.each([
    [
      'a DOCTYPE',
      (text: string) => text.replace('<xliff', '<!DOCTYPE xliff [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff'),
      /DOCTYPE/,
    ],
    ['an entity of its own', (text: string) => text.replace('Hello', '&file;'), /entity/],
    ['an end too early', (text: string) => text.slice(0, -20), /./],
    ['a second file', (text: string) => text.replace(/( <file[\s\S]*<\/file>\n)/, '$1$1'), /one file/],
    ['another version', (text: string) => text.replace(/version="\d\.\d" xmlns="[^"]*"/, 'version="3.1"'), /neither/],
    ['too many levels', (text: string) => text.replace('Hello', `${'<mrk id="1">'.repeat(120)}${'</mrk>'.repeat(120)}`), /deep/],
    ['something else', () => '<html/>', /no xliff element/],
  ])('rejects %s', (_, change, message) => {
    expect(() => readXliff(change(writeXliff(fileOf(['Hello']), version)))).toThrow(message);
  });
});

describe('the output of other tools', () => {
  const document = (units: string, more = '') =>
    `<xliff version="1.2" ${more}><file original="1-x" source-language="en" target-language="de"><body>${units}</body></file></xliff>`;
  it.each([
    ['no namespace', '<trans-unit id="a"><source>x</source><target>y</target></trans-unit>', 'y', 'translated'],
    [
      'marks of segments',
      '<trans-unit id="a"><source>x</source><seg-source><mrk mtype="seg">x</mrk></seg-source><target><mrk mtype="seg">y</mrk> z</target></trans-unit>',
      'y z',
      'translated',
    ],
    [
      'other elements for codes',
      '<trans-unit id="a"><source>x</source><target><g id="1">y</g><x id="2"/><bx id="3"/><ex id="4" rid="3"/></target></trans-unit>',
      '<open 1>y<close 1><alone 2><open 3><close 3>',
      'translated',
    ],
    [
      'suggestions',
      '<trans-unit id="a"><source>x</source><target state="new">y</target><alt-trans><source>q</source><target>z</target></alt-trans></trans-unit>',
      'y',
      'untranslated',
    ],
    [
      'CDATA',
      '<trans-unit id="a"><source>x</source><target state="final"><![CDATA[a <b>]]></target></trans-unit>',
      'a <b>',
      'final',
    ],
    ['approval', '<trans-unit id="a" approved="yes"><source>x</source><target>y</target></trans-unit>', 'y', 'final'],
    [
      'a wish for review',
      '<trans-unit id="a"><source>x</source><target state="needs-review-translation">y</target></trans-unit>',
      'y',
      'needs-review',
    ],
  ])('%s', (_, unit, target, state) => {
    const [read] = readXliff(document(unit)).units;
    expect([joined(read?.target ?? []), read?.state]).toEqual([target, state]);
  });

  it('an empty target', () => {
    const units =
      '<trans-unit id="a"><source>x</source><target/></trans-unit><trans-unit id="b"><source>x</source><target>0</target></trans-unit>';
    expect(readXliff(document(units)).units.map(({ target }) => target)).toEqual([null, [{ kind: 'text', text: '0' }]]);
  });

  it('segments of 2.0', () => {
    const segments =
      '<segment state="final"><source>x</source><target>y</target></segment><ignorable><source> </source><target> </target></ignorable>';
    const of = (more: string) =>
      readXliff(
        `<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><x:file id="f" original="1-x"><x:unit id="u1" name="a">${`${segments}${more}`.replace(/<(\/?)/g, '<$1x:')}</x:unit></x:file></x:xliff>`,
      ).units[0];
    expect(of('<segment state="translated"><source>x</source><target>z</target></segment>')).toMatchObject({
      state: 'translated',
    });
    expect(joined(of('<segment><source>x</source><target>z</target></segment>')?.target ?? [])).toBe('y z');
    expect(of('<segment><source>x</source></segment>')).toMatchObject({ target: null, state: 'untranslated' });
  });

  it('elements that are not of XLIFF', () => {
    const [read] = readXliff(document('<trans-unit id="a"><source>x</source><target>a<b>c</b></target></trans-unit>')).units;
    expect(read?.strangers).toEqual(['b']);
  });
});
