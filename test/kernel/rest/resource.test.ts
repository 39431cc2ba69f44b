import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../../src/kernel/errors.ts';
import { of, viewAndEdit } from '../../../src/kernel/model/schema.ts';
import { contextArg, pageArg, perPageArg } from '../../../src/kernel/rest/collection.ts';
import { neutral } from '../../../src/kernel/rest/dialect.ts';
import { createDispatcher } from '../../../src/kernel/rest/dispatch.ts';
import { compose } from '../../../src/kernel/rest/registry.ts';
import { Item } from '../../../src/kernel/rest/item.ts';
import { action, collection, defineResource, gone, item, made, pageOf, told } from '../../../src/kernel/rest/resource.ts';
import { integer, shown, text } from '../../../src/kernel/rest/resource-fields.ts';
import { anyone, type Call, type Dispatcher } from '../../../src/kernel/rest/types.ts';
import type { Method, Params } from '../../../src/kernel/rest/request.ts';
import { startSite, type TestSite } from '../../support/site.ts';

interface Lamp {
  readonly id: string;
  readonly boughtIn: number;
}

const lamps: readonly Lamp[] = ['desk', 'floor', 'wall'].map((id, at) => ({ id, boughtIn: 2020 + at }));
const base = '/house/v1/lamps';

const routes = defineResource<Lamp>({
  name: 'lamp',
  base,
  fields: {
    id: text('Its name.', shown),
    bought_in: integer('Its year.', { context: viewAndEdit }),
    note: text('What it is like.', { context: ['edit'], get: (lamp) => `of ${lamp.id}` }),
  },
  links: ({ id }) => ({ self: `${base}/${id}`, room: { embeddable: true, href: '/house/v1/rooms/1' } }),
  params: { id: of('string', 'Its name.') },
  routes: [
    collection({
      args: { context: contextArg(), page: pageArg, per_page: perPageArg },
      allow: anyone,
      handle: (call) => pageOf(call, lamps),
    }),
    item('by-name', { allow: anyone, handle: () => new Map(lamps.map((lamp) => [lamp.id, lamp])) }),
    item('(?P<id>[a-z]+)', {
      read: { allow: anyone, handle: ({ params }) => lamps.find(({ id }) => id === params.id) ?? fail('rest_no_route') },
      update: { args: 'writable', allow: () => 'rest_forbidden', handle: () => fail('rest_forbidden') },
    }),
    action('(?P<id>[a-z]+)/switch', { args: {}, allow: anyone, handle: async ({ request }) => ({ on: request.route }) }),
  ],
});

interface Bulb {
  readonly id: number;
  readonly etag: string;
}
const bulbs = '/house/v1/bulbs';
const bulbOf = ({ params }: Call): Bulb => ({ id: Number(params.id), etag: `state-${params.id}` });
const broken: number[] = [];

/** What has files: a view, states, modules that add to it, another form of its items. */
const filed = defineResource<Bulb, { readonly watts: number }>({
  name: 'bulb',
  base: bulbs,
  fields: {
    id: integer('Its number.', { ...shown, get: ({ id }) => id }),
    watts: integer('How bright it is.', { ...shown, get: (_, view) => view.watts }),
    price: integer('What it cost.', { context: ['edit'], get: () => 3 }),
  },
  view: ({ params }) => ({ watts: Number(params.id) * 10 }),
  links: ({ id }) => ({
    self: `${bulbs}/${id}`,
    about: 'https://bulbs.example',
    kin: [{ href: `${bulbs}/8` }, { href: `${bulbs}/9` }],
  }),
  extension: {
    links: ({ id }) => ({ lamp: [{ href: `https://lamps.example/${id}` }] }),
    schema: () => ({ links: [{ rel: 'lamp' }] }),
  },
  hooks: { price: { coerce: () => 4 } },
  state: ({ etag }) => etag,
  finish: (item) => (bulb, call) => {
    const { body, links } = item(bulb, call);
    return new Item({ ...body, seen: call.context }, links);
  },
  batch: true,
  params: { id: of('integer', 'Its number.') },
  routes: [
    collection({
      create: {
        args: 'writable',
        allow: anyone,
        context: () => 'embed',
        handle: () => made({ id: 7, etag: 'new' }, { Location: 'x' }),
      },
    }),
    item('(?P<id>[0-9]+)', {
      read: {
        allow: ({ context }) => (context === 'embed' ? 'rest_forbidden' : null),
        handle: (call) => told(bulbOf(call), { Link: 'y' }),
      },
      update: { args: 'writable', allow: anyone, handle: bulbOf, batch: false },
      remove: { args: {}, allow: anyone, handle: (call) => gone(bulbOf(call), async () => broken.push(bulbOf(call).id)) },
    }),
    item('(?P<id>[0-9]+)/twin', { create: { args: {}, allow: anyone, context: ({ context }) => context, handle: bulbOf } }, {}),
  ],
});

describe('a declared resource', () => {
  let site: TestSite;
  let dispatcher: Dispatcher;
  beforeAll(async () => {
    site = await startSite();
    dispatcher = createDispatcher(site.site, compose([{ name: 'house/v1', routes: [...routes, ...filed] }]), () => undefined);
  });
  afterAll(() => site.close());
  const ask = async (method: Method, route: string, query: Params = {}) =>
    JSON.parse(
      JSON.stringify(await dispatcher.dispatch({ method, route, query, headers: {}, dialect: neutral, user: null })),
    ) as { status: number; headers: Record<string, string>; data: any; state?: string };

  it('returns a record by its fields and getters, with links as URLs', async () => {
    const { status, data } = await ask('GET', `${base}/desk`);
    expect(status).toBe(200);
    expect({ ...data, _links: undefined }).toEqual({ id: 'desk', bought_in: 2020 });
    const root = `${site.site.url}/cms-json`;
    expect(data._links.self).toEqual([{ href: `${root}${base}/desk`, targetHints: { allow: ['GET'] } }]);
    expect(data._links.room).toEqual([{ embeddable: true, href: `${root}/house/v1/rooms/1` }]);
  });

  it('narrows to the context and to _fields', async () => {
    expect((await ask('GET', `${base}/wall`, { context: 'edit', _fields: 'note' })).data).toEqual({ note: 'of wall' });
    expect((await ask('GET', `${base}/wall`, { context: 'embed', _fields: 'id,bought_in' })).data).toEqual({ id: 'wall' });
    expect((await ask('GET', `${base}/wall`, { context: 'odd' })).status).toBe(400);
  });

  it('pages a list, and refuses a page past the end', async () => {
    const { data, headers } = await ask('GET', base, { per_page: '2', page: '2', _fields: 'id' });
    expect(data).toEqual([{ id: 'wall' }]);
    expect(headers).toMatchObject({ 'X-CMS-Total': 3, 'X-CMS-TotalPages': 2 });
    expect((await ask('GET', base, { per_page: '2', page: '3' })).data.code).toBe('rest_post_invalid_page_number');
  });

  it('returns a map by name, and the result of an action unchanged', async () => {
    const { data } = await ask('GET', `${base}/by-name`);
    expect(Object.keys(data)).toEqual(['desk', 'floor', 'wall']);
    expect(data.floor.bought_in).toBe(2021);
    expect((await ask('POST', `${base}/desk/switch`)).data).toEqual({ on: `${base}/desk/switch` });
  });

  it('checks its permissions, and lists allowed methods in Allow', async () => {
    expect(await ask('PUT', `${base}/desk`)).toMatchObject({ status: 401, headers: { Allow: 'GET' } });
  });

  it('gives getters a view, accepts links as routes, URLs or lists, and sets status and headers', async () => {
    const { data, headers, state } = await ask('GET', `${bulbs}/5`);
    expect({ ...data, _links: undefined }).toEqual({ id: 5, watts: 50, seen: 'view' });
    const root = `${site.site.url}/cms-json`;
    const hrefs = Object.fromEntries(
      Object.entries<any>(data._links).map(([name, some]) => [name, some.map((one: any) => one.href)]),
    );
    expect(hrefs).toEqual({
      self: [`${root}${bulbs}/5`],
      about: ['https://bulbs.example'],
      kin: [`${root}${bulbs}/8`, `${root}${bulbs}/9`],
      lamp: ['https://lamps.example/5'],
    });
    expect([headers.Link, state]).toEqual(['y', 'state-5']);
  });

  it('returns written records in the edit context, or in the one requested', async () => {
    expect((await ask('PUT', `${bulbs}/5`)).data).toMatchObject({ price: 3, seen: 'edit' });
    expect((await ask('POST', `${bulbs}/5/twin`)).data).toMatchObject({ id: 5, seen: 'view' });
    const { status, headers, data } = await ask('POST', bulbs);
    expect([status, headers.Location, data.seen]).toEqual([201, 'x', 'embed']);
    expect((await ask('PUT', `${bulbs}/5`)).headers.Allow).toContain('GET');
  });

  it('returns a deleted record as it was', async () => {
    expect((await ask('DELETE', `${bulbs}/6`)).data).toEqual({
      deleted: true,
      previous: { id: 6, watts: 60, price: 3, seen: 'edit' },
    });
    expect(broken).toEqual([6]);
  });

  it('declares for each verb whether batches may use it, and its arguments', () => {
    const [all, one, twin] = filed;
    expect(one?.endpoints.map(({ batch }) => batch)).toEqual([true, undefined, true]);
    expect(one?.endpoints.map(({ args }) => Object.keys(args))).toEqual([['id', 'context'], ['id', 'price'], ['id']]);
    expect(twin?.endpoints[0]?.args).toEqual({});
    expect(all?.endpoints[0]?.args.price?.coerce).toBeTypeOf('function');
    expect(one?.schema?.({} as never)).toMatchObject({ title: 'bulb', links: [{ rel: 'lamp' }] });
  });

  it('declares the arguments of its paths and contexts, and its schema', () => {
    const [, , one, toSwitch] = routes;
    expect(one?.path).toBe(`${base}/(?P<id>[a-z]+)`);
    expect(one?.endpoints.map(({ args }) => Object.keys(args))).toEqual([
      ['id', 'context'],
      ['id', 'bought_in', 'note'],
    ]);
    expect(Object.keys(one?.schema?.({} as never).properties ?? {})).toEqual(['id', 'bought_in', 'note']);
    expect(toSwitch?.schema).toBeUndefined();
  });
});
