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
  return cleaned(name, foldAccents);
}

/** What a file without a title is called: its name as it is cleaned, with the letters that it was written with. */
export function titleOfFile(name: string): string {
  return stem(cleaned(name, (base) => base));
}

function cleaned(name: string, fold: (base: string) => string): string {
  const base = name.normalize('NFC').replace(/^.*[/\\]/s, '');
  const plain = fold(base)
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

/** `UPPER.PNG` is `UPPER.png`, as in the reference: capitals alone do not tell files apart on every system. */
export function withLowerExtension(name: string): string {
  const base = stem(name);
  return base + name.slice(base.length).toLowerCase();
}

/** The name without its extension. */
export function stem(name: string): string {
  return name.replace(/(?<=[^/])\.[^./]+$/, '');
}

/** A parameter of `Content-Disposition`: what is in quotes may hold semicolons. */
const parameter = /;\s*([\w*-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^;]*)/g;

/**
 * `name` of `Content-Disposition: attachment; filename="name"`; null when it names none. `filename*` comes before `filename`
 * wherever it stands (RFC 6266); programs that write `filename` in UTF-8 or as mail does (RFC 2047) are understood.
 * @param header  as node gives it: a character for each byte
 */
export function fileNameOfDisposition(header: string): string | null {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of header.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, unquoted(value.trim()));
  }
  return extendedName(values.get('filename*') ?? '') || wordsOf(textOfBytes(values.get('filename') ?? '')) || null;
}

function unquoted(value: string): string {
  return value.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/g, '$1');
}

/** Bytes of a header that are UTF-8, as that; else as Latin-1, which headers are otherwise. */
function textOfBytes(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header;
  return decodedBytes(Buffer.from(header, 'latin1'), 'utf-8') ?? header;
}

/** `UTF-8''na%C3%AFve.png`; '' for what is nothing like it. Source: RFC 8187. */
function extendedName(value: string): string {
  const [, charset = '', encoded] = /^([\w-]*)'[^']*'(.*)$/s.exec(value) ?? [];
  if (encoded === undefined) return '';
  const bytes = encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /[^\0-\xff]/.test(bytes) ? bytes : (decodedBytes(Buffer.from(bytes, 'latin1'), charset || 'utf-8') ?? '');
}

/** `=?UTF-8?B?Y2Fmw6kucG5n?=`: blanks between two such words are not of the name. Source: RFC 2047. */
function wordsOf(value: string): string {
  const joined = value.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(
    /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi,
    (word, charset: string, form: string, text: string) => {
      const bytes =
        form.toLowerCase() === 'b'
          ? Buffer.from(text, 'base64')
          : Buffer.from(
              text
                .replaceAll('_', ' ')
                .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
              'latin1',
            );
      return decodedBytes(bytes, charset) ?? word;
    },
  );
}

/** Null for bytes that are not of the character set, and for one that nobody knows. */
function decodedBytes(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
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
