/**
 * WXR, the XML export of a very widespread system: RSS with namespaces of its own. Versions 1.0, 1.1 and 1.2, also gzipped,
 * of any size: the file is read from start to end twice, one item in memory at a time.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Item, type Remark, type Source, SourceError } from '../import/items.ts';
import type { Importer, OpenSource } from './open.ts';
import { createConverter } from './wxr/convert.ts';
import type { WxrNode } from './wxr/parser.ts';
import { createReader, type Reader } from './wxr/reader.ts';
import { readText, sniff, TextFault } from './wxr/text.ts';

/** Versions of the format there have been. */
const versions: ReadonlySet<string> = new Set(['1.0', '1.1', '1.2']);
/** Texts that only writing needs. */
const bodies: ReadonlySet<string> = new Set(['content:encoded', 'wp:comment_content']);
const none: ReadonlySet<string> = new Set();

export const wxrImporter: Importer = {
  format: 'wxr',
  async recognises({ path }) {
    if (path === null || !(await isFile(path))) return false;
    if (/\.(?:xml|wxr)(?:\.gz)?$/i.test(path)) return true;
    const beginning = await sniff(path);
    const root = beginning.search(/<rss[\s>]/);
    return root !== -1 && beginning.includes('//wordpress.org/export/', root);
  },
  async open(options) {
    const { path, source } = options;
    if (path === null || !(await isFile(path)))
      throw new SourceError('no such file', { source }, { hint: 'name the XML file that the old site exported' });
    return createSource(path, options);
  },
};

function createSource(path: string, { keepGoing, signal }: OpenSource): Source {
  const name = basename(path);
  return {
    format: 'wxr',
    name: path,
    hasSiteTime: true,
    async *items(pass, progress) {
      const reader = createReader({ source: name, keepGoing, without: pass === 'scan' ? bodies : none });
      const convert = conversion(name, reader, keepGoing);
      try {
        for await (const text of readText(path, { keepGoing, progress, signal })) yield* convert(reader.write(text));
      } catch (error) {
        throw error instanceof TextFault ? reader.fault(error.message, error.hint, error) : error;
      }
      yield* convert(reader.end());
      yield* convert(null);
    },
    close: async () => {},
  };
}

/** What is found as items; null: the end. The version has to come before the first item. */
function conversion(source: string, reader: Reader, keepGoing: boolean): (found: readonly WxrNode[] | null) => Generator<Item> {
  const converter = createConverter(source);
  let isVersionKnown = false;
  let version = '';
  return function* convert(found) {
    for (const one of found ?? []) {
      if (one.kind === 'broken') {
        const { message, hint, place } = one.error;
        // What would go on has gone on.
        const advice = hint === undefined || hint.startsWith('--keep-going') ? {} : { hint };
        const remark = { severity: 'lost', rule: 'broken', message, unreadable: true, ...advice } as const;
        yield { kind: 'lost', what: `<${one.name}>`, place, remarks: [remark] };
        continue;
      }
      const { element, remarks } = one;
      if (element.name === 'wp:wxr_version') {
        version = element.text.trim();
        isVersionKnown = versions.has(version);
        if (!isVersionKnown && !keepGoing) throw unknownVersion(version, reader);
      }
      if (element.name === 'item' && !isVersionKnown && !keepGoing)
        throw new SourceError(
          'the export does not state its version (wp:wxr_version)',
          { source, line: element.line, column: element.column },
          { hint: 'another program may have altered it; --keep-going reads it as 1.2' },
        );
      yield* converter.convert(element, remarks);
    }
    if (found !== null) return;
    if (!isVersionKnown && !keepGoing)
      throw reader.fault('the export does not state its version (wp:wxr_version)', '--keep-going reads it as 1.2');
    for (const item of converter.end())
      yield isVersionKnown || item.kind !== 'site' ? item : { ...item, remarks: [readAsNewest(version)] };
  };
}

function readAsNewest(version: string): Remark {
  const said = version === '' ? 'the export does not state its version' : `unknown WXR version ${version.slice(0, 20)}`;
  return { severity: 'changed', rule: 'version', message: `${said}; it was read as 1.2` };
}

function unknownVersion(version: string, reader: Reader): SourceError {
  return reader.fault(
    `unknown WXR version ${version.slice(0, 20)}`,
    `supported versions: ${[...versions].join(', ')}; --keep-going reads it as 1.2`,
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}
