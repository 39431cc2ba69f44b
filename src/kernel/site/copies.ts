/**
 * Names that people, systems and sync programs give to copies: `w copy.md`, `w (1).md`, `Copy of w.md`, `Kopie von w.md`,
 * `w (conflicted copy 2026-03-01).md`, `w.sync-conflict-20260301-101010-ABCDEFG.md`.
 */
import { withoutTrailing } from '../model/text-ends.ts';

/** Words for a copy, in the languages of the systems that make them. */
const words =
  'copy|duplicate|backup|bak|orig|original|old|new|conflict|kopie|duplikat|sicherung|copie|copia|cópia|kopia|kopio|kopi|másolat|копия|копія|副本|拷贝|コピー|복사본';
const copyWord = `(?:${words})`;
const without = (sign: RegExp) => (name: string) => name.replace(sign, '');
/** What is before or behind the name of a copy. Each takes one sign off. */
const signs: readonly ((name: string) => string)[] = [
  // Sync programs and mergers.
  withoutConflict,
  ...[
    /\.sync-conflict-[\w-]+$/iu,
    /[_.-](?:BACKUP|BASE|LOCAL|REMOTE)[_.-]\d+$/u,
    // `(copy)`, `(2nd copy)`, `(another copy)`, `(Kopie 2)`, `(1)`.
    new RegExp(`(?<![ ._-])[ ._-]*\\((?:[\\p{L}\\d.]+ )?${copyWord}(?: ?\\d+)?\\)$`, 'iu'),
    /(?<![ ._-])[ ._-]*\(\d{1,3}\)$/u,
    // `w copy`, `w copy 2`, `w - Copy`, `w-copy-3`, `w_kopie`, `w.bak`.
    new RegExp(`(?<![ ._-])[ ._-]+${copyWord}(?:[ ._-]*\\d{1,3})?$`, 'iu'),
    // `Copy of w`, `Kopie von w`, `Copy (2) of w`.
    new RegExp(`^${copyWord}(?: \\(\\d+\\))? (?:of|von|de|van|di|av|af|z) `, 'iu'),
    new RegExp(`^${copyWord}[ ._-]+`, 'iu'),
    // `w 2`, `w-2`, `w~`.
    /(?<![ ._-])[ ._-]+\d{1,3}$/u,
  ].map(without),
  (name) => withoutTrailing(name, '~#'),
];

/** Signs without which a name says nothing: a plain number may be a part of any name. */
const clear = signs.slice(0, -2);

/** Whether a path is that of another one with a sign of a copy in its file's name, or in that of a folder. */
export function isCopyOf(path: string, other: string): boolean {
  const [own, its] = [namesOf(path), namesOf(other)];
  if (own.length !== its.length) return false;
  let isMarked = false;
  for (const [at, name] of own.entries()) {
    if (name === its[at]) continue;
    if (!isNameOfCopy(name, its[at] as string)) return false;
    isMarked = true;
  }
  return isMarked;
}

/** Whether a path looks like that of a copy, whatever it is one of. */
export function looksLikeCopy(path: string): boolean {
  return namesOf(path).some((name) => clear.some((sign) => !['', name].includes(sign(name))));
}

function isNameOfCopy(name: string, other: string): boolean {
  let left = [name];
  // A copy of a copy has several.
  for (let round = 0; round < 3; round++) {
    left = left.flatMap((one) => signs.map((sign) => sign(one)).filter((rest) => rest !== one));
    if (left.some((one) => one !== '' && one.toLowerCase() === other.toLowerCase())) return true;
  }
  return false;
}

const conflict = /conflicted copy|case conflict|selective sync conflict|in konflikt stehende kopie|copie en conflit/iu;

/** The words stand in the last brackets, which need not be closed, or behind the first separator that no bracket follows. */
function withoutConflict(name: string): string {
  const end = name.length - (name.endsWith(')') ? 1 : 0);
  const begin = Math.max(name.lastIndexOf('(', end - 1), name.lastIndexOf(')', end - 1)) + 1;
  const last = name.slice(begin, end);
  const outside = name.slice(0, begin - 1);
  if (name[begin - 1] === '(' && /[ ._-]$/.test(outside) && conflict.test(last)) return withoutTrailing(outside, ' ._-');
  const separator = last.search(/[ ._-]/);
  return separator !== -1 && conflict.test(last.slice(separator + 1)) ? name.slice(0, begin + separator) : name;
}

/** Folders, and the file's name without its extensions. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  const name = (names.pop() as string).replace(/\.(?:ya?ml|html?|md|markdown)$/i, '');
  // Of a sidecar, the name of its picture: `cat copy.jpg.yaml`.
  names.push(names[0] === 'media' ? name.replace(/\.[a-z\d]{2,5}$/i, '') : name);
  return names;
}
