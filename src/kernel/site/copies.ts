/**
 * Names that people, systems and sync programs give to copies: `w copy.md`, `w (1).md`, `Copy of w.md`, `Kopie von w.md`,
 * `w (conflicted copy 2026-03-01).md`, `w.sync-conflict-20260301-101010-ABCDEFG.md`.
 */

/** Words for a copy, in the languages of the systems that make them. */
const words =
  'copy|duplicate|backup|bak|orig|original|old|new|conflict|kopie|duplikat|sicherung|copie|copia|cópia|kopia|kopio|kopi|másolat|копия|копія|副本|拷贝|コピー|복사본';
const copyWord = `(?:${words})`;
/** What is before or behind the name of a copy. Each takes one sign off. */
const signs: readonly RegExp[] = [
  // Sync programs and mergers.
  /[ ._-]+\(?[^()]*(?:conflicted copy|case conflict|selective sync conflict|in konflikt stehende kopie|copie en conflit)[^()]*\)?$/iu,
  /\.sync-conflict-[\w-]+$/iu,
  /[_.-](?:BACKUP|BASE|LOCAL|REMOTE)[_.-]\d+$/u,
  // `(copy)`, `(2nd copy)`, `(another copy)`, `(Kopie 2)`, `(1)`.
  new RegExp(`[ ._-]*\\((?:[\\p{L}\\d.]+ )?${copyWord}(?: ?\\d+)?\\)$`, 'iu'),
  /[ ._-]*\(\d{1,3}\)$/u,
  // `w copy`, `w copy 2`, `w - Copy`, `w-copy-3`, `w_kopie`, `w.bak`.
  new RegExp(`[ ._-]+${copyWord}(?:[ ._-]*\\d{1,3})?$`, 'iu'),
  // `Copy of w`, `Kopie von w`, `Copy (2) of w`.
  new RegExp(`^${copyWord}(?: \\(\\d+\\))? (?:of|von|de|van|di|av|af|z) `, 'iu'),
  new RegExp(`^${copyWord}[ ._-]+`, 'iu'),
  // `w 2`, `w-2`, `w~`.
  /[ ._-]+\d{1,3}$/u,
  /[~#]+$/u,
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
  return namesOf(path).some((name) => clear.some((sign) => sign.test(name) && name.replace(sign, '') !== ''));
}

function isNameOfCopy(name: string, other: string): boolean {
  let left = [name];
  // A copy of a copy has several.
  for (let round = 0; round < 3; round++) {
    left = left.flatMap((one) => signs.flatMap((sign) => (sign.test(one) ? [one.replace(sign, '')] : [])));
    if (left.some((one) => one !== '' && one.toLowerCase() === other.toLowerCase())) return true;
  }
  return false;
}

/** Folders, and the file's name without its extensions. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  const name = (names.pop() as string).replace(/\.(?:ya?ml|html?|md|markdown)$/i, '');
  // Of a sidecar, the name of its picture: `cat copy.jpg.yaml`.
  names.push(names[0] === 'media' ? name.replace(/\.[a-z\d]{2,5}$/i, '') : name);
  return names;
}
