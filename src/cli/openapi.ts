/**
 * `cms openapi`: what a site offers, as an OpenAPI 3.1 document and as a page, without a server.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { composeSite, openSite } from '../open-site.ts';
import { type Dialect, dialects, neutral } from '../kernel/rest/dialect.ts';
import { createDispatcher } from '../kernel/rest/dispatch.ts';
import type { Call } from '../kernel/rest/types.ts';
import { openApiOf, referencePage, visitorCall } from '../modules/api/openapi/index.ts';
import { contentPlace, examples, url } from './flags.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';

export interface DescribedSite {
  readonly dialect: Dialect['name'];
  readonly url?: string;
}

interface Options extends DescribedSite {
  readonly out?: string;
  readonly html?: string;
}

export function defineOpenApi(command: Command, io: Io): void {
  siteOptions(command)
    .option('--out <file>', 'write the document into a file instead of printing it')
    .option('--html <file>', 'write the reference as an HTML page')
    .action(async (named: string | undefined, options: Options) => {
      const document = await withSite(named, options, io, openApiOf);
      const { out, html } = options;
      const text = JSON.stringify(document, null, 2);
      if (html !== undefined) writeFileSync(resolve(io.cwd, html), referencePage(document));
      if (out !== undefined) writeFileSync(resolve(io.cwd, out), `${text}\n`);
      if (out === undefined && html === undefined) io.out(text);
    });
  examples(
    command,
    'cms openapi my-site --out openapi.json',
    'cms openapi my-site --html reference.html --url https://example.com',
  );
}

/** What commands that describe a site have in common. */
export function siteOptions(command: Command): Command {
  const names = dialects.map(({ name }) => name);
  return command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .addOption(new Option('--dialect <name>', 'names of routes and fields, and the root').choices(names).default(neutral.name))
    .option('--url <address>', "the site's public URL (default: url in site.yaml)", url);
}

/** What `describe` makes of a site as visitors see it, which is read and not changed. */
export async function withSite<T>(
  named: string | undefined,
  { dialect, url: address }: DescribedSite,
  io: Io,
  describe: (call: Call) => T,
): Promise<T> {
  const dir = contentPlace(named, io);
  const site = await openSite(dir, { operator: operatorOf(dir, io), readOnly: true });
  try {
    if (address) site.setAddress(address, 'operator');
    const dispatcher = createDispatcher(site, composeSite(site), (error) => io.err(String(error)));
    return describe(visitorCall(dispatcher, dialects.find(({ name }) => name === dialect) ?? neutral));
  } finally {
    await site.close();
  }
}
