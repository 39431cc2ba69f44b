/** The website as a module: pages at the URLs of all items, from templates. */
import type { Module } from '../../../kernel/module.ts';
import { defaultTemplates } from '../default-theme/index.ts';
import { readWords, wordsFile } from '../words/index.ts';
import { placeIn, type TemplateFault, templateFault } from './engine.ts';
import { themeFolder } from './files.ts';
import { createPages } from './serving.ts';

/** Errors in templates and texts of a folder, by path. @param textOf  null for an unreadable file */
export function faultsOfTheme(paths: readonly string[], textOf: (path: string) => string | null): readonly TemplateFault[] {
  const names = paths.flatMap((path) => new RegExp(`^${themeFolder}/(.+)\\.liquid$`).exec(path)?.[1] ?? []);
  const has = (name: string): boolean => names.includes(name) || defaultTemplates.has(name);
  const templates = names.flatMap((name) => {
    const text = textOf(`${themeFolder}/${name}.liquid`);
    return (text === null ? null : templateFault(name, text, has)) ?? [];
  });
  const words = (paths.includes(`${themeFolder}/${wordsFile}`) && textOf(`${themeFolder}/${wordsFile}`)) || '';
  const wrong = readWords(words).faults.map(({ offset, message }) => ({ file: wordsFile, ...placeIn(words, offset), message }));
  return [...templates, ...wrong];
}

export const theme: Module = {
  name: 'theme',
  setup(site, { log }) {
    const { service, page, form, start } = createPages(site, log);
    return { site: { theme: service }, page, form, afterLoad: start };
  },
};
