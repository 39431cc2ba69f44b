/**
 * `cms init --adopt`: the folder of a Jekyll, Hugo, Astro or Eleventy site becomes a site that is served where it lies. Nothing that is
 * there is changed; what `site.yaml` will say is shown.
 */
import { type Adoption, readAdoption } from '../transfer/sources/markdown.ts';
import { SourceError } from '../transfer/import/items.ts';
import { misuse } from './failure.ts';
import { type Io, printTable } from './io.ts';

/** What the files of a folder say of the site. */
interface AdoptedSite {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly url: string | undefined;
  readonly timezone: string | undefined;
  readonly language: string | undefined;
  /** More of `site.yaml`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const maxRemarks = 20;

/** @throws Failure with status 2 for a folder without Markdown */
export async function adoptedSite(dir: string, named: string, io: Io): Promise<AdoptedSite> {
  const adoption = await readAdoption(dir).catch((error: unknown) => {
    if (error instanceof SourceError) return misuse(error.message);
    throw error;
  });
  if (adoption === null || Object.keys(adoption.types).length === 0)
    return misuse(`"${named}" contains no Markdown to serve`, 'to create a site in a new or empty folder: cms init');
  const { own, url, types } = adoption;
  show(adoption, adoption.generator, io);
  const text = (key: string): string | undefined => (typeof own[key] === 'string' ? own[key] : undefined);
  return {
    title: text('name'),
    description: text('description'),
    url: url === '' ? undefined : url,
    timezone: text('timezone'),
    language: text('language'),
    settings: { ...adoption.settings, types },
  };
}

function show({ types, counts, remarks }: Adoption, generator: string, io: Io): void {
  io.err(`a ${generator} site:`);
  const rows = Object.entries(types).map(([name, { folder, file_name: fileName = '' }]) => [
    name,
    String(counts.get(name) ?? 0),
    [folder].flat().join(' '),
    String(fileName),
  ]);
  for (const line of printTable(['TYPE', 'FILES', 'FOLDERS', 'NEW FILES'], rows)) io.err(`  ${line}`);
  for (const { path, why } of remarks.slice(0, maxRemarks)) io.err(`  ${path}: ${why}`);
  if (remarks.length > maxRemarks) io.err(`  and ${remarks.length - maxRemarks} more`);
}
