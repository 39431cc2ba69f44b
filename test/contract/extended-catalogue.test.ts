/**
 * The catalogue of the extended deployment against the specification's own tables: namespaces in its order (2.1), every row of 4.2 to
 * 4.15 with its methods and arguments, every row of the basic deployment, and `lang_language` on every endpoint (2.5a).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addedArgs, type Catalogue, catalogue } from '../support/golden.ts';
import { startSite, type TestSite } from '../support/site.ts';
import { placeholdersOf, specifiedNamespaces, type SpecifiedRow, specifiedRows } from '../support/specification.ts';

const namespaces = specifiedNamespaces('extended');
const rows = specifiedRows().filter(({ path }) => path !== '/<namespace>');

/** Namespaces that have not all of their rows yet. The list only becomes shorter, and ends empty. */
const open = JSON.parse(readFileSync(join(import.meta.dirname, 'extended-catalogue.open.json'), 'utf8')) as readonly string[];
const isOpen = ({ path }: Pick<SpecifiedRow, 'path'>): boolean => open.some((name) => path.startsWith(`/${name}/`));

/** What modules of this deployment add to rows of the basic one, in arguments of items. */
const added: ReadonlySet<string> = new Set(
  'lang_language fields fields_format lang translations translation_of trid source_lang folder'.split(' '),
);

/** Where a row of the basic deployment is otherwise here. */
const without: Readonly<Record<string, readonly string[]>> = { '/cms/v2/pages/(?P<id>[\\d]+)': ['excerpt_length'] };

type Routes = Catalogue['routes'];

describe('the catalogue of the extended deployment', () => {
  let site: TestSite;
  let index: { readonly namespaces: readonly string[]; readonly routes: Routes };
  beforeAll(async () => {
    site = await startSite({ files: { 'site.yaml': 'name: Site\ndeployment: extended\n' } });
    index = (await site.ask('GET', '/')).body;
  });
  afterAll(() => site.close());

  it('has the namespaces of the specification in order', () => {
    expect(namespaces).toHaveLength(16);
    expect(index.namespaces).toEqual(namespaces.filter((name) => index.namespaces.includes(name)));
    expect(namespaces.filter((name) => !index.namespaces.includes(name) && !open.includes(name))).toEqual([]);
    const indexes = Object.keys(index.routes).filter((path) => namespaces.includes(path.slice(1)));
    expect(indexes.sort()).toEqual(index.namespaces.map((name) => `/${name}`).sort());
  });

  it('has every row of the specification with its methods', () => {
    expect(rows.length).toBeGreaterThan(135);
    const ours = byPlaceholders(index.routes);
    const missing = rows.flatMap(({ methods, path }) =>
      isOpen({ path }) && !ours.has(path)
        ? []
        : methods.filter((one) => !ours.get(path)?.methods.includes(one)).map((one) => `${one} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('has no other rows, methods or arguments in the namespaces of this deployment', () => {
    const ours = byPlaceholders(index.routes);
    const own = rows.filter(({ section, path }) => Number(section.slice(2)) >= 8 && ours.has(path));
    expect(Object.fromEntries(own.map(({ path }) => [path, shapeOf(ours.get(path))]))).toEqual(
      Object.fromEntries(own.map((row) => [row.path, wantedShape(row)])),
    );
    const ownPath = /^\/(?:media-tools|menus|folders|installer|lang|seo)\/|^\/cms\/v2\/(?:custom\/|insta|facebook|getFrontpage)/;
    const others = [...ours.keys()].filter((path) => ownPath.test(path) && !namespaces.includes(path.slice(1)));
    expect(others.sort()).toEqual(own.map(({ path }) => path).sort());
  });

  it('declares the types and defaults of the specification', () => {
    const ours = byPlaceholders(index.routes);
    const differing = rows.flatMap(({ path, args }) =>
      args.flatMap(({ name, type, default: standard }) => {
        const found = (ours.get(path)?.endpoints ?? []).flatMap((one) => (one.args as Record<string, ShownArg>)[name] ?? []);
        const isSame = (arg: ShownArg): boolean =>
          (type === undefined || typesOf(arg).includes(type)) && (standard === undefined || String(arg.default) === standard);
        return found.every(isSame) ? [] : [{ path, name, type, standard, found }];
      }),
    );
    expect(differing).toEqual([]);
  });

  it('accepts what the specification says in placeholders, otherwise digits', () => {
    const ours = byPlaceholders(index.routes);
    for (const { path, words } of rows.filter(({ path }) => ours.has(path))) {
      const pattern = new RegExp(`^${ours.get(path)?.pattern.replaceAll('(?P<', '(?<')}$`);
      const filled = (value: (name: string) => string): string => path.replace(/<(\w+)>/g, (_, name: string) => value(name));
      expect(
        filled((name) => (words.includes(name) ? 'ab' : '12')),
        path,
      ).toMatch(pattern);
      for (const digits of placeholdersOf(path).filter((name) => !words.includes(name)))
        expect(
          filled((name) => (name === digits || words.includes(name) ? 'ab' : '12')),
          path,
        ).not.toMatch(pattern);
    }
  });

  it('is complete for all but the listed open namespaces, which are incomplete', () => {
    const ours = byPlaceholders(index.routes);
    for (const name of namespaces) {
      const left = rows.filter(({ path }) => path.startsWith(`/${name}/`) && !ours.has(path)).map(({ path }) => path);
      if (open.includes(name)) expect(left, `${name} is whole: take it off the list`).not.toEqual([]);
      else expect(left, name).toEqual([]);
    }
  });

  it('has lang_language on every endpoint, with the languages of the site', () => {
    const wanted = { type: 'string', enum: ['en', 'de'], required: false };
    for (const [path, { endpoints }] of Object.entries(index.routes))
      for (const { args } of endpoints) {
        const { description, ...rest } = (args as Record<string, { description?: string }>).lang_language ?? {};
        expect([path, rest, typeof description]).toEqual([path, wanted, 'string']);
      }
  });

  it('allows batches for pages only', () => {
    const marked = Object.entries(index.routes).filter(([, { endpoints }]) => endpoints.some((one) => 'allow_batch' in one));
    expect(marked.map(([path]) => path).sort()).toEqual(['/cms/v2/pages', '/cms/v2/pages/(?P<id>[\\d]+)']);
  });

  it('has every row of the basic deployment but those of cms-abilities, with the same methods and arguments', () => {
    const differing: unknown[] = [];
    for (const [path, { methods, endpoints }] of Object.entries(catalogue.routes)) {
      if (path.startsWith('/cms-abilities')) continue;
      const ours = index.routes[path];
      expect(ours?.methods, path).toEqual(methods);
      for (const [at, { args }] of endpoints.entries()) {
        const left = withoutAdded(ours?.endpoints[at]?.args ?? {});
        const basic = Object.fromEntries(Object.entries(args ?? {}).filter(([name]) => !without[path]?.includes(name)));
        for (const name of new Set([...Object.keys(left), ...Object.keys(basic)]))
          if (name in left !== name in basic && !addedArgs[path]?.includes(name)) differing.push([path, at, name]);
      }
    }
    expect(differing).toEqual([]);
    expect(Object.keys(index.routes).filter((path) => path.startsWith('/cms-abilities'))).toEqual([]);
  });
});

interface OwnRoute {
  readonly pattern: string;
  readonly methods: readonly string[];
  readonly endpoints: Routes[string]['endpoints'];
}

/** Routes by their paths as the specification spells them. */
function byPlaceholders(routes: Routes): ReadonlyMap<string, OwnRoute> {
  return new Map(
    Object.entries(routes).map(([pattern, { methods, endpoints }]) => [
      pattern.replace(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, '<$1>'),
      { pattern, methods, endpoints },
    ]),
  );
}

interface Shape {
  readonly methods: readonly string[];
  /** `POST value boolean default true`, in the order of the names. */
  readonly args: readonly string[];
}

interface ShownArg {
  readonly required?: boolean;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
}

/** `bool` and `int` are what some of the products call them. */
function typesOf({ type = [] }: ShownArg): readonly string[] {
  return [type].flat().map((one) => (one === 'bool' ? 'boolean' : one === 'int' ? 'integer' : one));
}

function shapeOf(route: OwnRoute | undefined): Shape {
  const args = route?.endpoints.flatMap(({ methods, args: all }) =>
    Object.entries(all as Record<string, ShownArg>)
      .filter(([name]) => name !== 'lang_language')
      .flatMap(([name, arg]) => methods.map((method) => printArg(method, name, arg))),
  );
  return { methods: route?.methods ?? [], args: (args ?? []).sort() };
}

/** What the row says. */
function wantedShape({ methods, args }: SpecifiedRow): Shape {
  const printed = args.flatMap(({ name, method, ...said }) =>
    methods.filter((one) => method === undefined || one === method).map((one) => printArg(one, name, said)),
  );
  return { methods, args: printed.sort() };
}

function printArg(method: string, name: string, { required = false }: ShownArg): string {
  return `${method} ${name}${required ? ' required' : ''}`;
}

function withoutAdded(args: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !added.has(name)));
}
