/**
 * Every importer, in the order in which they look at a source. Each is loaded when it is asked.
 */
import type { Importer, OpenSource } from './open.ts';

interface Listed {
  /** What it is called, and words that people may say for it or for a part of it. */
  readonly names: readonly [format: string, ...others: string[]];
  /** @param name  one of them */
  load(name: string): Promise<Importer>;
}

const importers: readonly Listed[] = [
  { names: ['archive'], load: async () => (await import('./archive.ts')).archiveImporter },
  { names: ['wxr', 'wordpress'], load: async () => (await import('./wxr.ts')).wxrImporter },
  { names: ['rest'], load: async () => (await import('./rest.ts')).restImporter },
  {
    names: ['markdown', 'jekyll', 'hugo', 'astro', 'eleventy', 'pelican', 'plain'],
    async load(name) {
      const { markdownImporter, markdownImporters } = await import('./markdown.ts');
      return markdownImporters.find(({ format }) => format === name) ?? markdownImporter;
    },
  },
];

/** Every word that names a format. */
export const formatNames: readonly string[] = importers.flatMap(({ names }) => names);

/** The importer of a format that was named, or the first that knows the source; undefined when none does. */
export async function importerFor(
  source: Pick<OpenSource, 'source' | 'path'>,
  format: string | undefined,
): Promise<Importer | undefined> {
  for (const { names, load } of importers) {
    if (format !== undefined && !names.includes(format)) continue;
    const importer = await load(format ?? names[0]);
    if (format !== undefined || (await importer.recognises(source))) return importer;
  }
  return undefined;
}
