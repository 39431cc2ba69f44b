/**
 * The whole catalogue at once: it is the reference's, every route answers every role, and nobody sees what is not theirs.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spellingOf } from '../../bench/fuzz/spelling.mjs';
import { errorRow } from '../../src/kernel/errors.ts';
import { dialects } from '../../src/kernel/rest/dialect.ts';
import { anyone } from '../../src/kernel/rest/types.ts';
import type { Method } from '../../src/kernel/rest/request.ts';
import { addedArgs, type Catalogue, catalogue } from '../support/golden.ts';
import { askInProcess } from '../support/in-process.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';

/** Where the catalogue is not the reference's, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  '/cms/v2/icons': 'added by version 7.1',
  '/cms/v2/icons/(?P<collection>[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)': 'added by version 7.1',
  '/cms/v2/icons/(?P<name>[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?/[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)': 'added by version 7.1',
  '/cms/v2/icon-collections': 'added by version 7.1',
  '/cms/v2/icon-collections/(?P<slug>[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)': 'added by version 7.1',
  '/cms/v2/view-config': 'added by version 7.1',
  '/cms/v2/media/(?P<id>[\\d]+)/sideload': 'added by version 7.1, for secure origins alone',
  '/cms/v2/media/(?P<id>[\\d]+)/finalize': 'added by version 7.1, for secure origins alone',
};

const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
const canary = 'kanarienvogel';

describe('the catalogue', () => {
  let site: TestSite;
  const ids: Record<string, number> = {};
  const things: Record<string, number> = {};

  beforeAll(async () => {
    site = await startSite();
    const make = async (path: string, body: Record<string, unknown>) =>
      (await site.ask('POST', path, { as: 'admin', body })).body;
    ids.administrator = 1;
    for (const role of roles.slice(1)) ids[role] = (await signUp(site, role, role)).id;
    for (const [name, body] of Object.entries({
      draft: {},
      private: { status: 'private' },
      future: { status: 'future', date: '2034-01-01T10:00:00' },
      pending: { status: 'pending' },
    })) {
      things[name] = (await make('/cms/v2/posts', { title: `${canary} ${name}`, content: canary, excerpt: canary, ...body })).id;
      things[`${name}-page`] = (await make('/cms/v2/pages', { title: `${canary} ${name}`, content: canary, ...body })).id;
    }
    things.trash = (await make('/cms/v2/posts', { title: `${canary} trash`, content: canary, status: 'publish' })).id;
    await site.ask('DELETE', `/cms/v2/posts/${things.trash}`, { as: 'admin' });
    things.locked = (
      await make('/cms/v2/posts', { title: 'Locked', content: canary, excerpt: canary, status: 'publish', password: 'sesame' })
    ).id;
    await make('/cms/v2/comments', { post: things.locked, content: canary });
    things.open = (await make('/cms/v2/posts', { title: 'Open', content: 'x', status: 'publish' })).id;
    await site.ask('POST', `/cms/v2/posts/${things.open}/autosaves`, { as: 'admin', body: { content: canary } });
    await make('/cms/v2/blocks', { title: 'Block', content: canary, status: 'draft' });
    await make('/cms/v2/menu-items', { title: canary, url: 'https://example.org/', status: 'draft' });
  });
  afterAll(() => site.close());

  it('matches the reference, route for route and argument for argument', async () => {
    const { body } = await site.ask('GET', '/');
    const ours = stripped(body.routes) as Catalogue['routes'];
    const known = (path: string): boolean => exceptions[path] === undefined;
    expect(Object.keys(ours).filter(known).sort()).toEqual(Object.keys(catalogue.routes).filter(known).sort());
    const differing = Object.keys(catalogue.routes).filter(
      (path) => known(path) && !isDeepStrictEqual(comparable(known69(path, ours[path])), comparable(catalogue.routes[path])),
    );
    for (const path of differing.slice(0, 1))
      expect(comparable(known69(path, ours[path])), path).toEqual(comparable(catalogue.routes[path]));
    expect(differing).toEqual([]);
  });

  it.each(dialects)('contains no name of the other dialect below $root', async (dialect) => {
    const { foreign, write } = spellingOf(dialect);
    const found: string[] = [];
    let named = 0;
    for (const { path } of site.server.dispatcher.registry.routes)
      for (const method of ['GET', 'OPTIONS'])
        for (const place of places(path, things)) {
          const { body, headers } = await site.ask(method, dialect.spellRoute(place), { as: 'admin', root: dialect.root });
          const text = JSON.stringify([body, [...headers]]);
          const name = foreign.exec(text)?.[0];
          if (name !== undefined) found.push(`${method} ${place}: ${name}`);
          if (new RegExp(write('cms_block')).test(text)) named++;
        }
    expect(found).toEqual([]);
    // Names of its own are there to be found.
    expect(named).toBeGreaterThan(20);
  });

  it('declares a permission for every route that writes', () => {
    const open = site.server.dispatcher.registry.routes.flatMap(({ path, endpoints }) =>
      endpoints.filter(({ methods, allow }) => allow === anyone && methods.some((method) => method !== 'GET')).map(() => path),
    );
    // Each request of a batch is asked for its own.
    expect(open).toEqual(['/batch/v1']);
  });

  it.each([undefined, ...roles])(
    'answers %s everywhere, and shows nobody what belongs to others',
    async (role) => {
      const user = role === undefined ? null : { id: ids[role] as number, roles: [role] };
      const mayRead = role === 'administrator' || role === 'editor';
      const leaks: string[] = [];
      const failures: string[] = [];
      for (const route of site.server.dispatcher.registry.routes) {
        for (const path of places(route.path, things)) {
          for (const query of [
            '',
            '?context=edit',
            '?context=embed&_embed',
            `?search=${canary}&per_page=100`,
            '?status=any',
            '?url=https%3A%2F%2Fexample.invalid%2F',
          ]) {
            const { status, body } = await askInProcess(site, 'GET', `/cms-json${path}${query}`, { user });
            const isContract = errorRow(body?.code, site.site.modules.errors) && body.code !== 'internal_server_error';
            if (status >= 500 && !isContract) failures.push(`GET ${path}${query} ${status} ${JSON.stringify(body)}`);
            if (!mayRead && JSON.stringify(body).includes(canary)) leaks.push(`GET ${path}${query}`);
          }
        }
      }
      expect(failures).toEqual([]);
      expect(leaks).toEqual([]);
      expect(site.log).toEqual([]);
    },
    60_000,
  );

  it('refuses every write of a visitor', async () => {
    const before = site.site.records.generation;
    for (const { path, endpoints } of site.server.dispatcher.registry.routes) {
      if (path === '/batch/v1') continue;
      for (const method of new Set(endpoints.flatMap(({ methods }) => methods).filter((one): one is Method => one !== 'GET'))) {
        for (const place of places(path, things)) {
          const { status } = await site.ask(method, place, { body: { title: 'x', content: 'x' } });
          expect(status, `${method} ${place}`).toBeGreaterThanOrEqual(400);
        }
      }
    }
    expect(site.site.records.generation).toBe(before);
  });
});

/** Addresses of a route: with every thing there is for an id, and words of the built-in declarations. */
function places(path: string, things: Readonly<Record<string, number>>): string[] {
  const words: Readonly<Record<string, string>> = {
    type: 'post',
    status: 'draft',
    taxonomy: 'category',
    location: 'primary',
    namespace: 'core',
    name: 'core/paragraph',
    user_id: '1',
    plugin: 'cms/v2',
    slug: 'site',
    stylesheet: 'cms',
    uuid: 'none',
  };
  const pattern = /\(\?P<(\w+)>((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;
  if (!path.includes('(')) return [path];
  const isNumbered = /\(\?P<(?:id|parent|font_family_id)>\[\\d\]\+\)/.test(path);
  const ids = isNumbered ? Object.values(things) : [1];
  return ids.map((id) =>
    path.replace(pattern, (_, name: string, form: string) =>
      form.includes('\\d') && !form.includes('me') ? String(id) : (words[name] ?? 'cms//none'),
    ),
  );
}

/** Without descriptions, and without the address of the server. */
function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key === 'description' && typeof one === 'string' ? [] : [[key, stripped(one)]],
    ),
  );
}

/** A route without the arguments that version 7.1 added, which have to be there. */
function known69(path: string, route: Catalogue['routes'][string] | undefined): Catalogue['routes'][string] | undefined {
  const added = addedArgs[path];
  if (!route || !added) return route;
  for (const name of added)
    expect(
      route.endpoints.some(({ args }) => name in args),
      `${path} ${name}`,
    ).toBe(true);
  return {
    ...route,
    endpoints: route.endpoints.map((endpoint) => ({
      ...endpoint,
      args: Object.fromEntries(Object.entries(endpoint.args).filter(([name]) => !added.includes(name))),
    })),
  };
}

function comparable(route: Catalogue['routes'][string] | undefined): unknown {
  const bare = stripped(route) as Catalogue['routes'][string] | undefined;
  return bare && { methods: bare.methods, endpoints: bare.endpoints };
}
