/** Names of uploaded files: made safe for URLs and every file system, and unique in the folder. Source: observed behaviour of the reference (6.9). */
import { foldAccents } from '../../../kernel/model/slugs.ts';
import { extensionOf, mimeOf } from './types.ts';

/** A file name that looks like a size: `cat-300x200.jpg`, `cat-scaled.jpg`. */
const derivedEnd = /-(?:\d+x\d+|scaled|rotated)$/;
const maxBytes = 200;

/**
 * A file name without folder, spaces and characters with a meaning in shells, URLs or file systems. An inner extension that a server could execute
 * gets `_` (`x.php.jpg` → `x.php_.jpg`). '' if nothing is left.
 */
export function cleanFileName(name: string): string {
  return cleaned(name, foldAccents);
}

/** The default title of a file: its cleaned name, with the original letters. */
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
 * @param taken  names in the folder, in lower case, for case-insensitive file systems
 */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  const extension = extensionOf(name);
  const written = extension === '' ? '' : name.slice(-extension.length - 1);
  const base = extension === '' ? name : name.slice(0, -written.length);
  const isFree = (candidate: string): boolean => {
    const lower = candidate.toLowerCase();
    return !taken.has(lower) && !hasSizes(lower, taken);
  };
  // A name that looks like a size always gets a number.
  if (!derivedEnd.test(base) && isFree(name)) return name;
  for (let number = 1; ; number++) {
    const candidate = `${base}-${number}${written.toLowerCase()}`;
    if (isFree(candidate)) return candidate;
  }
}

/** `UPPER.PNG` becomes `UPPER.png`, as in the reference. */
export function withLowerExtension(name: string): string {
  const base = stem(name);
  return base + name.slice(base.length).toLowerCase();
}

export function stem(name: string): string {
  return name.replace(/(?<=[^/])\.[^./]+$/, '');
}

/** A parameter of `Content-Disposition`; quoted values may contain semicolons. */
const parameter = /;\s*([\w*-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^;]*)/g;

/**
 * `name` of `Content-Disposition: attachment; filename="name"`; null without one. `filename*` comes before `filename` (RFC 6266); `filename` in UTF-8
 * or as in mail (RFC 2047) is accepted.
 * @param header  as Node returns it: a character per byte
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

/** Header bytes as UTF-8 if valid, else as Latin-1. */
function textOfBytes(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header;
  return decodedBytes(Buffer.from(header, 'latin1'), 'utf-8') ?? header;
}

/** `UTF-8''na%C3%AFve.png`; '' if invalid. Source: RFC 8187. */
function extendedName(value: string): string {
  const [, charset = '', encoded] = /^([\w-]*)'[^']*'(.*)$/s.exec(value) ?? [];
  if (encoded === undefined) return '';
  const bytes = encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /[^\0-\xff]/.test(bytes) ? bytes : (decodedBytes(Buffer.from(bytes, 'latin1'), charset || 'utf-8') ?? '');
}

/** `=?UTF-8?B?Y2Fmw6kucG5n?=`: spaces between encoded words are dropped. Source: RFC 2047. */
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

/** Null for invalid bytes, and for an unknown character set. */
function decodedBytes(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether the folder has files that could be sizes of this one. */
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

/** Leaves room for suffixes of sizes and for the sidecar's extension. */
function shortened(name: string): string {
  const base = stem(name);
  const extension = name.slice(base.length).slice(0, 20);
  let kept = base;
  while (Buffer.byteLength(kept) + extension.length > maxBytes) kept = kept.slice(0, -1);
  return kept.replace(/\p{Surrogate}$/u, '') + extension;
}
