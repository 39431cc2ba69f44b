/**
 * Templates of the theme: whether they can be read, and whether what they include is there. Its words: whether they are texts.
 */
import { themeFolder } from '../modules/website/theme/files.ts';
import { faultsOfTheme } from '../modules/website/theme/index.ts';
import { pagesAt } from '../modules/website/theme/serving.ts';
import type { Content } from './declarations.ts';
import { type Finding, say } from './finding.ts';

/** Texts of the site's own templates; null where no theme shows it. @param textOf  absent: templates are not looked at */
export function ownTemplates(
  { entries, others = [] }: Content,
  settings: Readonly<Record<string, unknown>>,
  textOf?: (path: string) => string | null,
): readonly string[] | null {
  if (!textOf || pagesAt({ settings: { stored: (key) => settings[key] } }) !== 'theme') return null;
  const paths = [...entries.map(({ path }) => path), ...others];
  return paths.flatMap((path) => (path.startsWith(`${themeFolder}/`) && path.endsWith('.liquid') ? (textOf(path) ?? []) : []));
}

/** @param textOf  null for a file that cannot be read; absent: they are not looked at */
export function checkTemplates({ entries, others = [] }: Content, textOf?: (path: string) => string | null): Finding[] {
  if (!textOf) return [];
  return faultsOfTheme([...entries.map(({ path }) => path), ...others], textOf).map(({ file, line, column, message }) => {
    const path = `theme/${file}`;
    const lines = (textOf(path) ?? '').split('\n').slice(0, line - 1);
    const at = lines.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
    return { path, keys: [], at, ...say('template', message) };
  });
}
