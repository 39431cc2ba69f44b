/**
 * WXR, the XML export of a very widespread system: RSS with namespaces of its own. Versions 1.0, 1.1 and 1.2, also gzipped,
 * of any size: the file is read from start to end twice, one item in memory at a time. Several files, or those of a ZIP archive, are
 * read as one: what the items of one name may be in another.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type SourceItem, type ImportRemark, type Source, SourceError } from '../import/items.ts';
import type { Importer, OpenSource } from './open.ts';
import { type Converter, createConverter } from './wxr/convert.ts';
import type { WxrNode } from './wxr/parser.ts';
import { createReader, type WxrReader } from './wxr/reader.ts';
import { partsAt, readText, sniff, TextFault, type ExportPart } from './wxr/text.ts';

/** Versions of the format there have been. */
const versions: ReadonlySet<string> = new Set(['1.0', '1.1', '1.2']);
/** Texts that only writing needs whole. */
const bodies: ReadonlySet<string> = new Set(['content:encoded', 'wp:comment_content']);
const none: ReadonlySet<string> = new Set();

export const wxrImporter: Importer = {
  format: 'wxr',
  async recognises({ path }) {
    if (path === null || !(await isFile(path))) return false;
    if (/\.(?:xml|wxr)(?:\.gz)?$/i.test(path)) return true;
    const beginning = await sniff(path);
    if (beginning.startsWith('PK')) return (await partsAt(path, '').catch(() => [])).length > 0;
    const root = beginning.search(/<rss[\s>]/);
    return root !== -1 && beginning.includes('//wordpress.org/export/', root);
  },
  async open(options) {
    const parts: ExportPart[] = [];
    for (const { path, source } of [options, ...(options.others ?? [])]) {
      if (path === null || !(await isFile(path)))
        throw new SourceError('no such file', { source }, { hint: 'name the XML file that the old site exported' });
      try {
        parts.push(...(await partsAt(path, basename(path))));
      } catch (error) {
        throw error instanceof TextFault
          ? new SourceError(error.message, { source: basename(path), line: 1, column: 1 }, { hint: error.hint, cause: error })
          : error;
      }
    }
    return createSource(parts, options);
  },
};

function createSource(parts: readonly ExportPart[], { path, others = [], keepGoing, signal }: OpenSource): Source {
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  return {
    format: 'wxr',
    name: [path, ...others.map((other) => other.path)].join('\n'),
    hasSiteTime: true,
    async *items(pass, progress) {
      const converter = createConverter();
      const remarks: ImportRemark[] = [];
      let before = 0;
      for (const part of parts) {
        const { name, size } = part;
        converter.begin(name, { isPart: parts.length > 1, isScan: pass === 'scan' });
        const reader = createReader({ source: name, keepGoing, without: pass === 'scan' ? bodies : none });
        const convert = conversion({ name, reader, keepGoing, converter, remarks });
        const shown = progress && ((done: number) => progress(before + done, total));
        try {
          try {
            for await (const text of readText(part, { keepGoing, progress: shown, signal })) yield* convert(reader.write(text));
          } catch (error) {
            throw error instanceof TextFault ? reader.fault(error.message, error.hint, error) : error;
          }
          yield* convert(reader.end());
          yield* convert(null);
        } catch (error) {
          // One file that cannot be read does not take the others with it.
          if (!(error instanceof SourceError) || !keepGoing || parts.length === 1) throw error;
          const { message, hint, place } = error;
          const remark = { severity: 'lost', rule: 'broken', message, unreadable: true, ...(hint ? { hint } : {}) } as const;
          yield { kind: 'lost', what: 'file', place, remarks: [remark] };
        }
        before += size;
      }
      for (const item of converter.end())
        yield item.kind === 'site' && remarks.length > 0 ? { ...item, remarks: [...remarks, ...(item.remarks ?? [])] } : item;
    },
    close: async () => {},
  };
}

interface Conversion {
  readonly name: string;
  readonly reader: WxrReader;
  readonly keepGoing: boolean;
  readonly converter: Converter;
  /** On the site: what is found is added. */
  readonly remarks: ImportRemark[];
}

/** What is found in a file as items; null: its end. The version has to come before the first item. */
function conversion({
  name: source,
  reader,
  keepGoing,
  converter,
  remarks,
}: Conversion): (found: readonly WxrNode[] | null) => Generator<SourceItem> {
  let isVersionKnown = false;
  let version = '';
  return function* convert(found) {
    for (const one of found ?? []) {
      if (one.kind === 'remark') {
        remarks.push(one.remark);
        continue;
      }
      if (one.kind === 'broken') {
        const { message, hint, place } = one.error;
        // What would go on has gone on.
        const advice = hint === undefined || hint.startsWith('--keep-going') ? {} : { hint };
        const remark = { severity: 'lost', rule: 'broken', message, unreadable: true, ...advice } as const;
        yield { kind: 'lost', what: `<${one.name}>`, place, remarks: [remark] };
        continue;
      }
      const { element } = one;
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
      yield* converter.convert(element, one.remarks);
    }
    if (found !== null || isVersionKnown) return;
    if (!keepGoing) throw reader.fault('the export does not state its version (wp:wxr_version)', '--keep-going reads it as 1.2');
    remarks.push(readAsNewest(version));
  };
}

function readAsNewest(version: string): ImportRemark {
  const said = version === '' ? 'the export does not state its version' : `unknown WXR version ${version.slice(0, 20)}`;
  return { severity: 'changed', rule: 'version', message: `${said}; it was read as 1.2` };
}

function unknownVersion(version: string, reader: WxrReader): SourceError {
  return reader.fault(
    `unknown WXR version ${version.slice(0, 20)}`,
    `supported versions: ${[...versions].join(', ')}; --keep-going reads it as 1.2`,
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}
