/**
 * Names of uploaded files: what clients send becomes a name that is safe in addresses and on every file system, and that no
 * other file of the folder has. Source: observed behaviour of the reference (6.9).
 */
import { foldAccents } from '../../../kernel/model/slugs.ts';
import { extensionOf, mimeOf } from './types.ts';

/** The name of a file that stands for a size of another: `cat-300x200.jpg`, `cat-scaled.jpg`. */
const derivedEnd = /-(?:\d+x\d+|scaled|rotated)$/;
const maxBytes = 200;

/**
 * A file name without a folder, spaces and what means something to shells, addresses or file systems. An extension in the
 * middle that could make a server run the file gets `_` behind it (`x.php.jpg` → `x.php_.jpg`). '' when nothing is left.
 */
export function cleanFileName(name: string): string {
  const base = name.normalize('NFC').replace(/^.*[/\\]/s, '');
  const plain = foldAccents(base)
    .replace(/[\u0000-\u001f\u007f\u2028\u2029\ufeff\ufffd]/g, '')
    .replace(/\p{Surrogate}/gu, '')
    .replace(/%20|\u00a0/g, '-')
    .replace(/[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“]/g, '')
    .replace(/\.{2,}/g, '.')
    .replace(/[\s-]+/g, '-')
    .replace(/^[.\-_]+|[.\-_]+$/g, '');
  if (plain === '') return '';
  const named = !plain.includes('.') && mimeOf(`x.${plain}`) !== null ? `unnamed-file.${plain}` : plain;
  const parts = named.split('.');
  if (parts.length <= 2) return shortened(named);
  const [first = '', ...middle] = parts;
  const last = middle.pop() ?? '';
  const safe = middle.map((part) => (/^[a-zA-Z]{2,5}\d?$/.test(part) && mimeOf(`x.${part}`) === null ? `${part}_` : part));
  return shortened([first, ...safe, last].join('.'));
}

/**
 * The name, or with the first free suffix `-1`, `-2` … before its extension.
 *
 * @param taken  names of the folder, lower case: case does not tell files apart on every system
 */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  const extension = extensionOf(name);
  const written = extension === '' ? '' : name.slice(-extension.length - 1);
  const base = extension === '' ? name : name.slice(0, -written.length);
  const isFree = (candidate: string): boolean => {
    const lower = candidate.toLowerCase();
    return !taken.has(lower) && !hasSizes(lower, taken);
  };
  // A name that looks like a size of another file always gets a number.
  if (!derivedEnd.test(base) && isFree(name)) return name;
  for (let number = 1; ; number++) {
    const candidate = `${base}-${number}${written.toLowerCase()}`;
    if (isFree(candidate)) return candidate;
  }
}

/** The name without its extension. */
export function stem(name: string): string {
  return name.replace(/(?<=[^/])\.[^./]+$/, '');
}

/** `name` of `Content-Disposition: attachment; filename="name"`; null when it names none. */
export function fileNameOfDisposition(header: string): string | null {
  const parts = header.split(';').map((part) => part.trim());
  for (const part of parts.slice(1)) {
    const [key = '', ...rest] = part.split('=');
    if (!/^filename\*?$/i.test(key.trim())) continue;
    const value = rest
      .join('=')
      .trim()
      .replace(/^"(.*)"$/s, '$1');
    if (!key.trim().endsWith('*')) return value.replace(/\\(.)/g, '$1') || null;
    const encoded = /^[\w-]*'[^']*'(.*)$/s.exec(value)?.[1];
    if (encoded === undefined) continue;
    try {
      return decodeURIComponent(encoded) || null;
    } catch {
      return null;
    }
  }
  return null;
}

/** Whether files of the folder could be sizes of this one. */
function hasSizes(lower: string, taken: ReadonlySet<string>): boolean {
  const base = stem(lower);
  const extension = lower.slice(base.length);
  for (const other of taken) {
    if (
      other.startsWith(`${base}-`) &&
      other.endsWith(extension) &&
      derivedEnd.test(other.slice(0, -extension.length || undefined))
    ) {
      if (other.slice(base.length, other.length - extension.length).replace(derivedEnd, '') === '') return true;
    }
  }
  return false;
}

/** Room is left for the suffixes of sizes and for the sidecar's extension. */
function shortened(name: string): string {
  const base = stem(name);
  const extension = name.slice(base.length).slice(0, 20);
  let kept = base;
  while (Buffer.byteLength(kept) + extension.length > maxBytes) kept = kept.slice(0, -1);
  return kept.replace(/\p{Surrogate}$/u, '') + extension;
}
