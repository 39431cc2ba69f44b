/**
 * `cms serve --open`: pages in a browser that show a file as soon as it is saved. A page listens to events of the server and loads
 * itself again when the site, or its theme, is another one.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Around } from '../kernel/http/connections.ts';
import type { Site } from '../kernel/site/site.ts';
import type { Io } from './io.ts';

interface Live {
  readonly around: Around;
  /** Pages of the site listen from now on. */
  attach(site: Site): void;
  close(): void;
}

const address = '/theme/live';
/** Between two looks at the site. */
const lookMs = 200;

/** A page loads itself again when the state that it is told is not the one it was told first. */
const script = `(() => {
  let known;
  new EventSource('${address}').onmessage = ({ data }) => {
    if (known !== undefined && data !== known) location.reload();
    known = data;
  };
})();`;

export function createLive(): Live {
  const listeners = new Set<ServerResponse>();
  let state = '';
  let timer: NodeJS.Timeout | null = null;
  const tell = (listener: ServerResponse): void => void listener.write(`data: ${state}\n\n`);
  return {
    around: (handle) => (incoming, outgoing) => {
      if (incoming.method !== 'GET' || incoming.url !== address) return handle(incoming, outgoing);
      outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      outgoing.write('retry: 500\n\n');
      listeners.add(outgoing);
      outgoing.once('close', () => listeners.delete(outgoing));
      if (state !== '') tell(outgoing);
    },
    attach(site) {
      site.theme.showWith(script);
      const look = async (): Promise<void> => {
        const present = createHash('sha256')
          .update(await site.theme.state())
          .digest('hex')
          .slice(0, 16);
        if (present === state) return;
        state = present;
        for (const listener of listeners) tell(listener);
      };
      const next = (): void => {
        timer = setTimeout(() => void look().finally(() => timer && next()), lookMs);
      };
      next();
    },
    close() {
      if (timer) clearTimeout(timer);
      timer = null;
      for (const listener of listeners) listener.end();
    },
  };
}

/** Opens an address in the browser of the person, or says it where that cannot be done. `BROWSER` names another program. */
export function openBrowser(url: string, { env, err }: Pick<Io, 'env' | 'err'>): void {
  const [program, ...before] = browserOf(env);
  const child = spawn(program as string, [...before, url], { stdio: 'ignore', detached: true });
  child.once('error', () => err(`no browser could be opened; the site is at ${url}`));
  child.unref();
}

function browserOf(env: Io['env']): readonly string[] {
  if (env.BROWSER) return [env.BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}
