/**
 * `cms redirects`: every redirect of a site, as a table, as JSON, or as the rules of a host.
 */
import { table } from '../kernel/model/maps.ts';
import { type Command, Option } from 'commander';
import { withoutTrailing } from '../kernel/model/text-ends.ts';
import { openSite } from '../open-site.ts';
import { nginxLines, redirectLines, redirectRows } from '../transfer/export/redirects.ts';
import type { Site } from '../kernel/site/site.ts';
import { contentPlace, examples } from './flags.ts';
import { type Io, printTable } from './io.ts';
import { operatorOf } from './operator.ts';
import { isUrl } from '../kernel/model/addresses.ts';

interface Options {
  readonly format?: keyof typeof printers;
  readonly json?: true;
}

/** What a host reads, line by line. Netlify and Cloudflare Pages share a syntax; Cloudflare matches no queries. */
const printers = table({
  netlify: (site: Site, base: string) => [...redirectLines(site, base)],
  cloudflare: (site: Site, base: string) => [...redirectLines(site, base)].filter((line) => line.split(' ').length === 3),
  nginx: (site: Site, base: string) => [...nginxLines(redirectRows(site), base)],
} as const);

export function defineRedirects(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .addOption(new Option('--format <host>', 'print the rules of a host').choices(Object.keys(printers)))
    .option('--json', 'print JSON')
    .action(async (named: string | undefined, { format, json }: Options) => {
      const dir = contentPlace(named, io);
      const site = await openSite(dir, { operator: operatorOf(dir, io), readOnly: true });
      try {
        const base = isUrl(site.url) ? withoutTrailing(new URL(site.url).pathname, '/') : '';
        const rows = [...redirectRows(site)];
        const cells = rows.map(({ from, to, status, file }) => [from, String(status), to, file]);
        if (json) io.out(JSON.stringify(rows, null, 2));
        else
          for (const line of format ? printers[format](site, base) : printTable(['FROM', 'STATUS', 'TO', 'FILE'], cells))
            io.out(line);
      } finally {
        await site.close();
      }
    });
  examples(command, 'cms redirects my-site', 'cms redirects my-site --format nginx > redirects.conf');
}
