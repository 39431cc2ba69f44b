/** The OpenAPI document of a site: valid by an independent validator, and true of what the site answers. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../../src/kernel/rest/dialect.ts';
import type { OpenApi } from '../../src/modules/api/openapi/document.ts';
import { run } from '../cli/run.ts';
import type { Answered, AskOptions, TestSite } from '../support/site.ts';
import { type Deployment, startDeclared } from './declared-site.ts';

const deployments: readonly Deployment[] = ['basic', 'extended'];

describe.each(deployments)('the document of the %s deployment', (deployment) => {
  let site: TestSite;
  const documents: Record<string, OpenApi> = {};
  beforeAll(async () => {
    site = await startDeclared(deployment);
    for (const { name, root } of dialects) documents[name] = (await site.ask('GET', '/openapi.json', { root })).body;
  });
  afterAll(() => site.close());

  it.each(dialects)('is valid OpenAPI 3.1 below $root', async ({ name, root }) => {
    const document = documents[name] as OpenApi;
    expect(document.openapi).toBe('3.1.1');
    expect(document.servers).toEqual([{ url: site.url + root }]);
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has each path once, unique operation ids, and no broken references', () => {
    for (const document of Object.values(documents)) {
      const forms = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
      expect(forms.filter((form, at) => forms.indexOf(form) !== at)).toEqual([]);
      expect(forms.filter((form) => /[()?\\]/.test(form))).toEqual([]);
      const operations = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, one]) => ({ place: `${method} ${path}`, path, ...one })),
      );
      const ids = operations.map(({ operationId }) => operationId);
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
      expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
      for (const { place, path, tags, summary, parameters, responses } of operations) {
        expect(tags.length, place).toBe(1);
        expect(summary, place).toMatch(/^[A-Z].*[a-z]/);
        const all = parameters.map((one) => {
          const name = /^#\/components\/parameters\/(.*)$/.exec(String(one.$ref))?.[1];
          return name === undefined ? one : (document.components.parameters?.[name] ?? {});
        });
        const named = all.filter((one) => one.in === 'path').map((one) => `{${one.name}}`);
        expect(named, place).toEqual(path.match(/\{\w+\}/g) ?? []);
        for (const [status, one] of Object.entries(responses))
          if (status.startsWith('2')) expect(one, place).toHaveProperty(['content', 'application/json', 'schema']);
      }
      const leads = new Set(JSON.stringify(document).match(/#\/components\/[\w/.-]+/g));
      const lost = [...leads].filter((path) => {
        const [, , kind = '', name = ''] = path.split('/');
        return document.components[kind]?.[name] === undefined;
      });
      expect(lost).toEqual([]);
    }
  });

  it('is not in the route catalogue, and contains every route that is', async () => {
    // Where every route is shown.
    const { body } = await site.ask('GET', '/', { headers: { host: 'localhost' } });
    expect(Object.keys(body.routes).filter((path) => /openapi|reference/.test(path))).toEqual([]);
    // A document has no parameter of two segments: of an icon by its whole name it has the list of its collection alone.
    const routes = Object.keys(body.routes).filter((path) => !path.startsWith('/cms/v2/icons/(?P<name>'));
    expect(Object.keys((documents.neutral as OpenApi).paths).length).toBe(new Set(routes.map(unnamed)).size);
  });

  it("contains the site's types, taxonomies, fields and meta", () => {
    const { paths, components } = documents.neutral as OpenApi;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/cms/v2/books', '/cms/v2/books/{id}', '/cms/v2/genres/{id}']));
    const { Book, Post, PostCreate } = components.schemas as Record<string, any>;
    expect(Book.properties.meta.properties).toMatchObject({ isbn: { type: 'string' }, pages: { type: 'integer' } });
    expect(Post.properties.fields.properties).toMatchObject({ subtitle: {}, price: {}, address: {} });
    expect(PostCreate.properties).toHaveProperty('fields');
    const original = documents.original as OpenApi;
    expect(Object.keys(original.paths)).toContain('/wp/v2/books');
    expect(original.components.schemas).toHaveProperty(['Post', 'properties', 'acf']);
  });

  it('lists error codes by status, as in the docs', () => {
    const { schemas = {} } = (documents.neutral as OpenApi).components;
    const codes = (name: string): string[] => (schemas[name] as any).allOf[1].properties.code.oneOf.map((one: any) => one.const);
    expect(codes('NotFoundError')).toContain('rest_post_invalid_id');
    expect(codes('UnauthorizedError')).toContain('rest_forbidden_context');
    expect(codes('ForbiddenError')).toContain('rest_forbidden_context');
    expect(codes('PreconditionFailedError')).toContain('rest_conflict');
  });

  it('declares which writes support If-Match', async () => {
    const { paths } = documents.neutral as OpenApi;
    const guarded: string[] = [];
    for (const [path, { post: update }] of Object.entries(paths)) {
      if (!/^\/cms\/v2\/[\w-]+\/\{id\}$/.test(path) || !update) continue;
      const [place = ''] = await placesOf(site, path, { as: 'admin' });
      const { status } = await site.ask('POST', place, { as: 'admin', body: {}, headers: { 'If-Match': '"another"' } });
      const isSaid = update.parameters.some((one) => one.$ref === '#/components/parameters/IfMatch');
      // Of what there is none no state can be another.
      if (status !== 404) expect([path, status === 412]).toEqual([path, isSaid]);
      if (status === 412) guarded.push(path);
    }
    expect(guarded).toEqual(
      expect.arrayContaining(['posts', 'books', 'genres', 'comments'].map((base) => `/cms/v2/${base}/{id}`)),
    );
  });

  it.each(dialects)('matches every response to a read below $root', async ({ name, root }) => {
    const document = documents[name] as OpenApi;
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema(document as never, 'document');
    const found: string[] = [];
    const unknown = new Set<string>();
    let checked = 0;
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get) continue;
      const edited = { as: 'admin', query: '?context=edit' };
      for (const options of name === 'neutral' ? [{}, edited, { as: 'admin', query: '?_embed' }] : [edited]) {
        for (const place of await placesOf(site, path, { root, ...options })) {
          const answer = await site.ask('GET', place + ('query' in options ? options.query : ''), { root, ...options });
          if (answer.status === 304 || !answer.headers.get('content-type')?.includes('application/json')) continue;
          const isForVisitors = get.security.some((one) => Object.keys(one as object).length === 0);
          if (!('as' in options) && !isForVisitors && answer.status < 400) found.push(`${place} is for visitors`);
          const status = String(answer.status) in get.responses ? String(answer.status) : 'default';
          const given = get.responses[status] as { readonly $ref?: string; readonly content?: object };
          const pointer = given.$ref ?? `#/paths/${escaped(path)}/get/responses/${status}`;
          const check = ajv.getSchema(`document${pointer}/content/${escaped('application/json')}/schema`);
          if (!check) throw new Error(`no schema: ${pointer}`);
          if (!check(answer.body)) {
            const [first] = check.errors ?? [];
            found.push(`${place} ${answer.status}: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`);
          }
          if (status === '200') {
            checked++;
            for (const member of undeclared(document, get.responses['200'], answer)) unknown.add(`${path}: ${member}`);
          }
        }
      }
    }
    expect([...new Set(found)]).toEqual([]);
    expect([...unknown]).toEqual([]);
    expect(checked).toBeGreaterThan(50);
  });
});

it('can be printed without a server, by deployment and dialect', async () => {
  const site = await startDeclared('basic');
  const { body } = await site.ask('GET', '/openapi.json', { root: '/wp-json' });
  const { status, out, err } = await run(['openapi', site.dir, '--dialect', 'original', '--url', site.url]);
  expect([status, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual(body);
  await site.close();
});

const escaped = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
const unnamed = (path: string): string => path.replace(/\(\?P<(\w+)>/g, '<');

/** Members of the items of an answer that their schema does not name. */
function undeclared({ components }: OpenApi, given: unknown, { body }: Answered): string[] {
  const schema = (given as any).content['application/json'].schema;
  const item = schema.items ?? schema.additionalProperties ?? schema;
  const name = String(item.$ref ?? '')
    .split('/')
    .at(-1) as string;
  const { properties } = (components.schemas?.[name] ?? {}) as { readonly properties?: object };
  if (!properties) return [];
  const items: object[] = Array.isArray(body) ? body : schema.additionalProperties ? Object.values(body) : [body];
  return items.flatMap((one: object) => Object.keys(one).filter((member) => !Object.hasOwn(properties, member)));
}

/** The path with what stands in the lists above it. */
async function placesOf(site: TestSite, path: string, options: AskOptions): Promise<string[]> {
  const [before = '', name = '', rest = ''] = path.split(/\{(\w+)\}/, 3).length > 1 ? splitAt(path) : [path];
  if (name === '') return [path];
  const { status, body } = await site.ask('GET', before.replace(/\/$/, ''), { ...options, root: options.root ?? '/cms-json' });
  const words: Readonly<Record<string, string>> = { user_id: '1', stylesheet: 'cms', namespace: 'core' };
  const values =
    status === 200 && Array.isArray(body) && body.length > 0
      ? body.slice(0, 2).map((one) => one[name] ?? one.id ?? one.slug ?? one.name)
      : status === 200 && typeof body === 'object'
        ? Object.keys(body).slice(0, 2)
        : [];
  const all = words[name] ? [words[name]] : values.length > 0 ? values : ['1'];
  return (await Promise.all(all.map((value) => placesOf(site, `${before}${value}${rest}`, options)))).flat();
}

function splitAt(path: string): readonly [string, string, string] {
  const [, before = '', name = '', rest = ''] = /^(.*?)\{(\w+)\}(.*)$/.exec(path) ?? [];
  return [before, name, rest];
}
