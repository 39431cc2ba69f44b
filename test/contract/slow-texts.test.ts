/**
 * Texts that make bad patterns go back and forth, as every kind of argument there is: arguments are looked at before permissions, so
 * visitors can send all of them. None may hold others up.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Schema } from '../../src/kernel/model/schema.ts';
import { neutral } from '../../src/kernel/rest/dialect.ts';
import type { Method, Params } from '../../src/kernel/rest/request.ts';
import { feedFiles } from '../../src/modules/website/feeds/index.ts';
import { renderers } from '../../src/modules/design/dynamic-blocks/showing.ts';
import { blockTypes } from '../../src/render/block-types.ts';
import { formats } from '../../src/transfer/export/all.ts';
import { temporary } from '../cli/run.ts';
import { sample } from '../support/sample-site.ts';
import { startSite, type TestSite } from '../support/site.ts';
import { cpuMs } from '../support/long-texts.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ from: sample });
});
afterAll(() => site.close());

const units = [
  '<',
  '<script>',
  '<style>',
  '<!--x>',
  '<script></style>',
  '<!--',
  '<a ',
  '%',
  '%0',
  '% ',
  ' ',
  '\n',
  'a',
  '[',
  '[a ',
  '&',
  '&amp',
  '"',
  "'",
  '/',
  '/*',
  '\\',
  '.',
  '-',
  ',',
  '1',
  '1-',
  '@',
  'a@',
  'a.',
  '0',
  'é',
  '&#',
  '<<',
  '%0d',
  'http:',
  ';//',
  '{{',
];
const bytes = 200_000;
/** What is linear takes a tenth of it; what is not takes many times as long. */
const maxMs = 1000;

it('no visitor text takes long, whatever the argument', async () => {
  const { dispatcher } = site.server;
  const slow: string[] = [];
  let asked = 0;
  const seen = new Set<unknown>();
  for (const route of dispatcher.registry.routes) {
    for (const { methods, args } of route.endpoints) {
      const method = methods[0] as Method;
      const isRead = method === 'GET';
      const path = route.path.replace(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, (_, name: string) =>
        name === 'type' ? 'post' : '2',
      );
      const fresh = Object.entries(args).filter(([, arg]) => isText(arg) && !seen.has(signatureOf(arg)));
      for (const [, arg] of fresh) seen.add(signatureOf(arg));
      for (const unit of units) {
        const text = unit.repeat((isRead ? 15_000 : bytes) / unit.length);
        for (const [name] of fresh) {
          const one: Params = { ...required(args), [name]: text };
          const request = {
            method,
            route: path,
            headers: {},
            dialect: neutral,
            user: null,
            query: isRead ? one : {},
            ...(isRead ? {} : { json: one }),
          };
          let status = 0;
          const took = await cpuMs(async () => {
            ({ status } = await dispatcher.dispatch(request));
          });
          asked++;
          if (took > maxMs)
            slow.push(`${Math.round(took)} ms: ${method} ${route.path} ${name}=${JSON.stringify(unit)} → ${status}`);
        }
      }
    }
  }
  expect(slow).toEqual([]);
  expect(asked).toBeGreaterThan(1000);
}, 600_000);

it('no path takes long, whatever route it resembles', async () => {
  const { registry } = site.server.dispatcher;
  const slow: string[] = [];
  const beginnings = new Set(registry.routes.map(({ path }) => path.split('(', 1)[0] as string));
  for (const beginning of beginnings) {
    for (const unit of units) {
      const path = `${beginning}${unit.repeat(20_000 / unit.length)}#`;
      const took = await cpuMs(() => registry.find(path));
      if (took > maxMs) slow.push(`${Math.round(took)} ms: ${beginning} ${JSON.stringify(unit)}`);
    }
  }
  expect(slow).toEqual([]);
  expect(beginnings.size).toBeGreaterThan(50);
}, 600_000);

/** Kinds of arguments: those with other schemas or hooks. */
const functions = new Map<unknown, number>();
function signatureOf(arg: Schema): string {
  return JSON.stringify(arg, (_, value) => {
    if (typeof value !== 'function') return value;
    functions.set(value, functions.get(value) ?? functions.size);
    return `function ${functions.get(value)}`;
  }).replace(/"(?:description|title|default)":"[^"]*",?/g, '');
}

function isText(schema: Schema): boolean {
  return [schema.type ?? 'string'].flat().some((type) => type === 'string' || type === 'object' || type === 'array');
}

function required(args: Readonly<Record<string, Schema>>): Params {
  const rows = Object.entries(args).filter(([, arg]) => arg.required === true);
  return Object.fromEntries(rows.map(([name, { type }]) => [name, type === 'integer' ? 2 : type === 'array' ? [] : 'x']));
}

it('no URL takes long, however many segments it has', async () => {
  const slow: string[] = [];
  for (const unit of ['a/', '../', '%2f', './', 'a//', '%41/', 'page/2/', 'feed/', '2026/']) {
    const path = `/${unit.repeat(14_000 / unit.length)}`;
    const addresses = [
      path,
      `${path}feed/`,
      `/uploads${path}`,
      `/cms-json/cms/v2${path}`,
      `/cms-json/cms/v2/posts?path=${path}`,
      `/cms-json/oembed/1.0/embed?url=${site.url}${path}`,
    ];
    for (const address of addresses) {
      const ms = await cpuMs(() => site.ask('GET', address, { raw: true }));
      // What looks for each part of the path takes some hundred.
      if (ms > 150) slow.push(`${Math.round(ms)} ms: ${address.slice(0, 60)}`);
    }
  }
  expect(slow).toEqual([]);
});

it('no block takes long, whatever its attributes', async () => {
  const slow: string[] = [];
  let shown = 0;
  const post = [...site.site.posts.all()].find(({ type, status }) => type === 'post' && status === 'publish')?.id ?? 0;
  for (const name of Object.keys(renderers)) {
    const attributes = Object.entries(blockTypes.get(name)?.attributes ?? {});
    for (const unit of units) {
      const text = unit.repeat(20_000 / unit.length);
      const given = Object.fromEntries(
        attributes.map(([key, { type }]) => {
          const [first] = [type].flat();
          return [key, first === 'object' ? { id: text, url: text, title: text } : first === 'array' ? [text] : text];
        }),
      );
      const took = await cpuMs(() => site.site.dynamicBlocks.showOne(name, given, { reader: null, post }));
      shown++;
      if (took > maxMs) slow.push(`${Math.round(took)} ms: ${name} ${JSON.stringify(unit)}`);
    }
  }
  expect(slow).toEqual([]);
  expect(shown).toBe(Object.keys(renderers).length * units.length);
}, 600_000);

it('no page, feed, list, search or export takes long, whatever an item contains', async () => {
  const slow: string[] = [];
  const own = await startSite();
  const { registry } = own.server.dispatcher;
  const to = await temporary();
  const as = { as: `admin:${own.password}` };
  for (const unit of units) {
    const text = unit.repeat(50_000 / unit.length);
    const body = { title: text, content: text, excerpt: text, status: 'publish', slug: 'odd', meta: { footnotes: text } };
    const { status, body: post } = await own.ask('POST', '/cms/v2/posts', { ...as, body });
    if (status !== 201) {
      expect([unit, status]).toEqual([unit, 400]);
      continue;
    }
    const places = [
      post.link,
      `${post.link}feed/`,
      `${post.link}embed/`,
      ...[...feedFiles(own.site)].slice(0, 3).map(({ address }) => address),
      `/cms-json/cms/v2/posts/${post.id}?_embed`,
      '/cms-json/cms/v2/posts?per_page=100',
      '/cms-json/cms/v2/search?search=odd',
      `/cms-json/oembed/1.0/embed?url=${post.link}`,
    ];
    for (const place of places) {
      const ms = await cpuMs(() => own.ask('GET', place.replace(/^https?:\/\/[^/]+/, ''), { raw: true }));
      if (ms > maxMs) slow.push(`${Math.round(ms)} ms: ${place} ${JSON.stringify(unit)}`);
    }
    for (const [name, format] of Object.entries(formats)) {
      // A static site is the answers above.
      if (name === 'static') continue;
      const options = { filter: {}, private: false, dialect: neutral, markdown: 'html', without: [], force: false } as const;
      const request = { site: own.site, registry, out: join(to, name), progress: () => undefined, ...options };
      const ms = await cpuMs(() => format.write(request));
      if (ms > maxMs) slow.push(`${Math.round(ms)} ms: ${name} ${JSON.stringify(unit)}`);
    }
    expect((await own.ask('DELETE', `/cms/v2/posts/${post.id}?force=true`, as)).status).toBe(200);
  }
  await own.close();
  expect(slow).toEqual([]);
}, 600_000);
