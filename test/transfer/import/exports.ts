/** Exports that come into a site one after another, as files. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modulesOf } from '../../../src/deployments.ts';
import type { ImportReport, ImportOutcome } from '../../../src/transfer/import/report.ts';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { bring } from './rows.ts';

/** A site with what its `site.yaml` says, and the imports into it. */
export async function exportsInto(siteYaml: string, files: Readonly<Record<string, string>> = {}) {
  const usual = { 'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n' };
  const { dir } = temporaryFolder({ 'site.yaml': siteYaml, ...usual, ...files });
  const sources = await mkdtemp(join(tmpdir(), 'cms-exports-'));
  let count = 0;
  const again = async (path: string): Promise<ImportReport> => {
    const source = await wxrImporter.open({ source: path, path, scratch: sources, keepGoing: true });
    return bring(dir, source, { modules: modulesOf, media: false });
  };
  return {
    dir,
    again,
    /** A new file of its own. Parts that named what is here now are read again, as the command does. */
    async take(text: string) {
      const path = join(sources, `part-${++count}.xml`);
      await writeFile(path, text);
      const report = await again(path);
      for (const { name } of report.again ?? []) await again(name.replace(/^\w+ /, ''));
      return { path, report };
    },
  };
}

export const total = ({ rows }: ImportReport, ...outcomes: readonly ImportOutcome[]): number =>
  rows.reduce((sum, row) => sum + outcomes.reduce((some, outcome) => some + row[outcome], 0), 0);
