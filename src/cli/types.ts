/**
 * `cms types`: TypeScript types of a site and a client for them, as one file.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { typesOf } from '../modules/api/openapi/index.ts';
import { examples } from './flags.ts';
import type { Io } from './io.ts';
import { type DescribedSite, siteOptions, withSite } from './openapi.ts';

interface Options extends DescribedSite {
  readonly out?: string;
}

export function defineTypes(command: Command, io: Io): void {
  siteOptions(command)
    .option('--out <file>', 'write them into a file instead of printing them')
    .action(async (named: string | undefined, { out, ...options }: Options) => {
      const text = await withSite(named, options, io, typesOf);
      if (out === undefined) io.out(text.trimEnd());
      else writeFileSync(resolve(io.cwd, out), text);
    });
  examples(command, 'cms types my-site --out src/cms.ts');
}
