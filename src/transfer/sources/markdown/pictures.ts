/** The picture that stands for a page. */
import type { Addresses } from './addresses.ts';
import type { Note } from './document.ts';
import type { Reader } from './keys.ts';
import { mapOf } from '../../../kernel/model/maps.ts';

/** Key of the picture that stands for the page; one that is elsewhere or is not there stays in the front matter. */
export function imageOf(reader: Reader, addresses: Addresses, from: { path: string; link: string }, note: Note): string {
  const passed: string[] = [];
  let key = '';
  for (
    let next = reader.take('image', (value) => imagePathIn(value) !== '');
    next && key === '';
    next = key === '' ? reader.take('image', (value) => imagePathIn(value) !== '') : undefined
  ) {
    const target = imagePathIn(next.value);
    const found = addresses.resolve(target, from);
    if (found.kind === 'file') key = found.path;
    else if (found.kind !== 'page')
      note(
        'note',
        found.kind === 'other' ? 'remote-image' : 'missing-image',
        `${next.key}: ${target} is not a file in the folder.`,
      );
    // What says more than an address is kept besides.
    if (key === '' || typeof next.value === 'object') passed.push(next.key);
  }
  for (const one of passed) reader.keep(one);
  return key;
}

function imagePathIn(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? imagePathIn(value[0]) : '';
  if (typeof value === 'string') return /^\s*$|\n|\{\{/.test(value) ? '' : value.trim();
  const inner = mapOf(value);
  return (
    ['image', 'src', 'path', 'url', 'file', 'relative', 'teaser', 'overlay_image', 'og_image', 'feature', 'filename']
      .map((name) => (typeof inner[name] === 'string' ? (inner[name] as string).trim() : ''))
      .find((text) => text !== '') ?? ''
  );
}
