/** Languages that texts are in, on sites with several: as the page was given them. */
import type { Item } from './records.ts';

export interface Language {
  readonly code: string;
  /** In itself. */
  readonly name: string;
}

export const languages: readonly Language[] = JSON.parse(document.getElementById('page')?.dataset.languages ?? '[]');

export function languageName(code: string): string {
  return languages.find((one) => one.code === code)?.name ?? code;
}

/** Ids of an item in each language that it is in. */
export function groupOf({ translations }: Item): Readonly<Record<string, number>> {
  return (translations ?? {}) as Readonly<Record<string, number>>;
}

export function languageOf({ lang }: Item): string {
  return typeof lang === 'string' ? lang : '';
}

/** Whether its original has changed since it was translated. */
export function isOutdated({ translation_status }: Item, code: string): boolean {
  return (translation_status as Readonly<Record<string, { needs_update: boolean }>> | undefined)?.[code]?.needs_update === true;
}
