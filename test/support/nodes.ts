/** Several nodes of one site in this process, over one engine, each with its server on a port of its own. */
import { createServer, type Server } from '../../src/kernel/http/server.ts';
import type { Module } from '../../src/kernel/module.ts';
import { type Operator, operatorDefaults } from '../../src/kernel/model/operator.ts';
import { createSite } from '../../src/kernel/site/create-site.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { EngineAwayError, type ContentEngine } from '../../src/kernel/store/content-engine.ts';
import { createEngineStore } from '../../src/engines/engine-store.ts';
import { modulesOf } from '../../src/deployments.ts';
import { addApplicationPassword } from '../../src/modules/people/accounts/application-passwords.ts';
import { createUser } from '../../src/modules/people/users/plan.ts';
import { composeSite } from '../../src/open-site.ts';
import { type Answered, overHttp } from './site.ts';

export interface Node {
  readonly site: Site;
  readonly server: Server;
  readonly url: string;
  ask(
    method: string,
    path: string,
    options?: { readonly as?: string; readonly body?: unknown; readonly headers?: Record<string, string> },
  ): Promise<Answered>;
  close(): Promise<void>;
}

/** The same engine, without what ends it: each node closes its own. */
export const unended = (engine: ContentEngine): ContentEngine => ({ ...engine, close: async () => undefined });

export async function startNode(
  engine: ContentEngine,
  pollMs = 20,
  operator: Partial<Operator> = {},
  node?: string,
  more: readonly Module[] = [],
  clock?: () => number,
): Promise<Node> {
  const site = await openNode(engine, pollMs, operator, node, more, clock);
  const server = createServer({ site, registry: composeSite(site), log: () => undefined });
  const url = await server.listen(0, '127.0.0.1');
  return {
    site,
    server,
    url,
    async ask(method, path, { as, body, headers = {} } = {}) {
      const answer = await overHttp(`${url}/cms-json/cms/v2${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(as === undefined ? {} : { authorization: `Basic ${Buffer.from(as).toString('base64')}` }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { ...answer, body: answer.body === '' ? '' : JSON.parse(answer.body) };
    },
    async close() {
      await server.close();
      await site.close();
    },
  };
}

export async function openNode(
  engine: ContentEngine,
  pollMs = 20,
  operator: Partial<Operator> = {},
  node?: string,
  more: readonly Module[] = [],
  clock?: () => number,
): Promise<Site> {
  const store = await createEngineStore({ engine: unended(engine), pollMs, ...(node === undefined ? {} : { node }) });
  return createSite({
    store,
    modules: (deployment) => [...modulesOf(deployment), ...more],
    operator: operatorDefaults(operator),
    ...(clock && { clock }),
  });
}

/** A new site in an empty engine. @returns credentials of its administrator */
export async function createContent(engine: ContentEngine): Promise<string> {
  const bytes = Buffer.from('title: Nodes\nurl: https://example.org\n');
  await engine.commit({ id: 'new site', seen: 0, edits: [{ path: 'site.yaml', expect: null, bytes }] });
  const site = await openNode(engine);
  const id = await createUser(site, { login: 'admin', email: 'admin@example.org', roles: ['administrator'] });
  const { password } = await addApplicationPassword(site, id, 'Tests');
  await site.close();
  return `admin:${password}`;
}

/** An engine that cannot be reached while `away` says so. */
export function interruptible(engine: ContentEngine): { readonly engine: ContentEngine; away(isAway: boolean): void } {
  let isAway = false;
  const asked =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isAway) throw new EngineAwayError('the database is away');
      return ask(...args);
    };
  return {
    engine: {
      ...engine,
      position: asked(engine.position),
      changes: asked(engine.changes),
      list: asked(engine.list),
      read: asked(engine.read),
      commit: asked(engine.commit),
      reserve: asked(engine.reserve),
      lease: asked(engine.lease),
    },
    away(next) {
      isAway = next;
    },
  };
}

/** What a node has in memory of its files. */
export function memoryOf({ records }: Site): unknown {
  const tables = ['posts', 'terms', 'users', 'comments', 'revisions'].map((name) => records.table(name as never));
  return tables.map((table) =>
    [...(table as unknown as { all(): Iterable<{ id: number; path: string; etag: string }> }).all()]
      .map(({ id, path, etag }) => `${id} ${path} ${etag}`)
      .sort(),
  );
}
