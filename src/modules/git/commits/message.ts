/** The commit message: what happened to which item, in one line. */
import { table } from '../../../kernel/model/maps.ts';
import { parseEntry } from '../../../kernel/yaml/codec.ts';
import { kindOf } from '../../../kernel/store/paths.ts';
import type { FileDifference } from './commit-files.ts';
import type { CommittedFile } from './record.ts';

const maxTitle = 60;
const verbs = table({ added: 'Add', changed: 'Update', removed: 'Delete' } as const);

/** @param written  written files, the main one first */
export function messageOf(changes: readonly FileDifference[], written: readonly CommittedFile[]): string {
  const moves = new Map(written.flatMap(({ path, from }) => (from === undefined ? [] : [[path, from] as const])));
  const sources = new Set(moves.values());
  const shown = changes.filter(({ path }) => !sources.has(path));
  const main = shown.find(({ path }) => isText(path)) ?? shown[0] ?? (changes[0] as FileDifference);
  const title = titleOf(main);
  const from = main.kind === 'added' ? moves.get(main.path) : undefined;
  const verb = from === undefined ? verbs[main.kind] : 'Move';
  const path = from === undefined ? main.path : `${from} to ${main.path}`;
  const others = shown.filter((one) => one !== main).length;
  const more = others === 0 ? '' : ` and ${others} more file${others === 1 ? '' : 's'}`;
  return `${verb} ${title === '' ? path : `${title} (${path})`}${more}`;
}

const isText = (path: string): boolean => ['md', 'html'].includes(kindOf(path) ?? '');

/** Title or name of the item, quoted; '' without one. */
function titleOf({ path, bytes }: FileDifference): string {
  if (bytes === null || kindOf(path) === 'blob') return '';
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if (!('entry' in parsed)) return '';
  const { title, name } = parsed.entry.data;
  const said = String(title ?? name ?? '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return said === '' ? '' : `"${said.length > maxTitle ? `${said.slice(0, maxTitle - 1)}…` : said}"`;
}
