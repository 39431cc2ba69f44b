/**
 * What other programs make of the documents, where they are installed (Debian: libxml2-utils, translate-toolkit,
 * php-symfony-translation, which has the published schemas).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeXliff } from '../../../../src/modules/translation/xliff/index.ts';
import { type XliffState, type XliffVersion, xliffVersions } from '../../../../src/modules/translation/xliff/record.ts';
import { createUnitCodec } from '../../../../src/modules/translation/units/index.ts';

const schemas = '/usr/share/php/Symfony/Component/Translation/Resources/schemas';
const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;
const names: Readonly<Record<XliffVersion, string>> = { '1.2': 'xliff-core-1.2-strict.xsd', '2.0': 'xliff-core-2.0.xsd' };
const texts = ['Hello <em>you</em> & me<br/>', 'a\u001bb %s', 'Line\r\n\ttwo "x" <img alt="A cat" src="b">', ']]>'];
const states: readonly XliffState[] = ['untranslated', 'memory', 'fuzzy', 'translated', 'needs-review', 'final'];

const dir = mkdtempSync(join(tmpdir(), 'cms-xliff-'));
const fileOf = (version: XliffVersion): string => join(dir, `job-${version}.xliff`);

beforeAll(() => {
  for (const version of xliffVersions)
    writeFileSync(
      fileOf(version),
      writeXliff(
        {
          original: '77-d41d8cd98f00b204e9800998ecf8427e',
          sourceLang: 'en',
          targetLang: 'de',
          kind: 'page',
          href: 'https://example.com/?a=1&b=2',
          units: states.map((state, at) => {
            const text = texts[at % texts.length] as string;
            const source = createUnitCodec('html', text).pieces({ at: [0, text.length], kind: 'text' });
            const note = at === 0 ? 'Card: heading & lead' : '';
            const target = state === 'untranslated' ? null : source;
            return { id: `content/${at}`, datatype: 'html', note, source, target, state };
          }),
        },
        version,
      ),
    );
});

describe.runIf(hasProgram('xmllint') && existsSync(schemas))('the published schemas', () => {
  it.each(xliffVersions)('accept the output in %s', (version) => {
    const own = join(dir, 'schemas');
    cpSync(schemas, own, { recursive: true });
    for (const name of readdirSync(own).filter((one) => one.startsWith('xliff')))
      writeFileSync(
        join(own, name),
        readFileSync(join(own, name), 'utf8').replace(/schemaLocation="[^"]*xml\.xsd"/, 'schemaLocation="xml.xsd"'),
      );
    const { status, stderr } = spawnSync('xmllint', [
      '--nonet',
      '--noout',
      '--schema',
      join(own, names[version]),
      fileOf(version),
    ]);
    expect([status, String(stderr)]).toEqual([0, `${fileOf(version)} validates\n`]);
  });
});

describe.runIf(hasProgram('xliff2po'))('the Translate Toolkit', () => {
  it('finds every 1.2 unit with its text', () => {
    const po = join(dir, 'job.po');
    execFileSync('xliff2po', ['--progress=none', fileOf('1.2'), po]);
    const found = readFileSync(po, 'utf8');
    expect(found.match(/^#: content\/\d$/gm)).toHaveLength(states.length);
    expect(found).toContain('msgid "Hello <em>you</em> & me<br/>"');
  });
});
