/**
 * Templates of the theme: whether they can be read, and whether what they include is there. Its words: whether they are texts.
 */
import { faultsOfTheme } from '../modules/website/theme/index.ts';
import type { Content } from './declarations.ts';
import { type Finding, say } from './finding.ts';

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
