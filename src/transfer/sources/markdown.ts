/**
 * Importer of Markdown sites: Jekyll, Hugo, Astro, Eleventy, Pelican, and plain folders. Which one it is, is seen from its files.
 *
 * A kind of site (`markdown/site-generator.ts`) says what each file is and where it was; the rest is the same for all. The keys of items
 * are their paths in the folder. No program of the source is run, and nothing outside of the folder is read.
 */
import { stat } from 'node:fs/promises';
import { type SourceItem, type Source, SourceError } from '../import/items.ts';
import { type Adoption, adoptionOf } from './markdown/adoption.ts';
import { astro } from './markdown/astro.ts';
import { eleventy } from './markdown/eleventy.ts';
import type { SiteGenerator } from './markdown/site-generator.ts';
import { openFolder } from './markdown/folder.ts';
import type { Data } from './markdown/front-matter.ts';
import { hugo } from './markdown/hugo.ts';
import { jekyll } from './markdown/jekyll.ts';
import { pelican } from './markdown/pelican.ts';
import { plain } from './markdown/plain.ts';
import { createFolderSource, sourceError } from './markdown/folder-source.ts';
import type { Importer, OpenSource } from './open.ts';

/** In order of recognition: what has a configuration of its own before what is only Markdown. */
const generators: readonly SiteGenerator[] = [astro, eleventy, pelican, jekyll, hugo, plain];

/** Any of them, by what the folder holds. */
export const markdownImporter: Importer = {
  format: 'markdown',
  recognises: async ({ path }) => (await detectGenerator(path)) !== undefined,
  open: (options) => openWith(options),
};

/** One for each kind, for `--format jekyll` and the like; they recognise nothing by themselves. */
export const markdownImporters: readonly Importer[] = generators.map((generator) => ({
  format: generator.name,
  recognises: () => false,
  open: (options) => openWith(options, generator),
}));

async function detectGenerator(path: string | null): Promise<SiteGenerator | undefined> {
  if (path === null || !(await stat(path).catch(() => null))?.isDirectory()) return undefined;
  const folder = await openFolder(path);
  return generators.find((generator) => generator.matches(folder));
}

export type { Adoption };

/** How the site of a generator is served where it lies; null for a folder without Markdown. @throws SourceError when it cannot be read */
export async function readAdoption(dir: string): Promise<(Adoption & { readonly generator: string; readonly own: Data }) | null> {
  const folder = await openFolder(dir);
  const generator = generators.find((one) => one.matches(folder));
  if (!generator) return null;
  const plan = await generator.read(folder);
  return { ...(await adoptionOf(folder, plan)), generator: generator.name, own: plan.settings };
}

/** What a folder holds, item by item: where each was, among other things. What cannot be read is passed over. */
export async function* adoptedItems(dir: string): AsyncGenerator<SourceItem> {
  const folder = await openFolder(dir);
  const generator = generators.find((one) => one.matches(folder));
  if (!generator) return;
  const options = { source: dir, path: dir, keepGoing: true } as OpenSource;
  const source = createFolderSource(folder, await generator.read(folder), options, Date.now());
  yield* source.items('scan');
}

async function openWith(options: OpenSource, wanted?: SiteGenerator): Promise<Source> {
  const { path } = options;
  if (path === null || !(await stat(path).catch(() => null))?.isDirectory()) {
    throw new SourceError(
      `${options.source} is not a folder.`,
      { source: options.source },
      { hint: 'name the folder the site is built from' },
    );
  }
  const folder = await openFolder(path);
  const generator = wanted ?? generators.find((one) => one.matches(folder));
  if (!generator) throw new SourceError('The folder contains no Markdown files.', { source: folder.root });
  const plan = await generator.read(folder);
  for (const [path, error] of folder.unreadable) if (!options.keepGoing) throw sourceError(error, path);
  return createFolderSource(folder, plan, options, Date.now());
}
