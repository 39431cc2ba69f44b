/** `cms serve` in this process, with what it says. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { main } from '../../src/cli/main.ts';
import { newSite, pretend } from '../cli/run.ts';
import { until } from '../support/site.ts';

export interface ServedSite {
  readonly dir: string;
  /** Address of the server, and of its port for probes where it has one. */
  readonly url: string;
  readonly probes: string;
  /** `Authorization` of the administrator. */
  readonly admin: string;
  /** Lines it has logged. */
  readonly said: readonly string[];
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Creates a post. @returns its path in the log */
  post(title: string): Promise<Response>;
  close(): Promise<number>;
}

/** @param files  what is in the folder beside what a new site has, or in place of it */
export async function serveSite(
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<ServedSite> {
  const site = await newSite();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(site.dir, path)), { recursive: true });
    await writeFile(join(site.dir, path), text);
  }
  return serveFolder(site, flags, env);
}

/** The same for a site that is there. */
export async function serveFolder(
  { dir, password }: Awaited<ReturnType<typeof newSite>>,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedSite> {
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const { io, said } = pretend({ stopped: () => stopped, env });
  const ended = main(['serve', dir, '--port', '0', ...flags], io);
  const addressIn = (line: RegExp): string => said.err.map((one) => line.exec(one)?.[1]).find(Boolean) ?? '';
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || addressIn(/serving \S+ at (http:\/\/[\d.:]+)/));
  if (isOver) throw new Error(said.err.join('\n'));
  const url = addressIn(/serving \S+ at (http:\/\/[\d.:]+)/);
  const admin = `Basic ${btoa(`admin:${password}`)}`;
  const ask: ServedSite['ask'] = (path, init) => fetch(url + path, init);
  return {
    dir,
    url,
    admin,
    said: said.err,
    probes: addressIn(/probes and metrics at (http:\/\/[\d.:]+)/),
    ask,
    post: (title) =>
      ask('/cms-json/cms/v2/posts', {
        method: 'POST',
        headers: { authorization: admin, 'content-type': 'application/json' },
        body: JSON.stringify({ title, status: 'publish', content: 'x' }),
      }),
    close() {
      stop();
      return ended;
    },
  };
}
