/**
 * The catalogue of the extended deployment against the specification: namespaces in its order (2.1), its rows (4.8 to 4.15) with their
 * methods and arguments, every row of the basic deployment, and `lang_language` on every endpoint (2.5a).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalogue, catalogue } from '../support/golden.ts';
import { startSite, type TestSite } from '../support/site.ts';

const namespaces = [
  ...['oembed/1.0', 'lang/v1', 'media-tools/v1', 'seo/v1', 'menus/v1', 'lang/tm/v1', 'lang/ate/v1', 'lang/st/v1', 'folders/v1'],
  ...['folders/public/v1', 'cms/v2', 'cms/v2/custom', 'installer/v1', 'cms-site-health/v1', 'cms-block-editor/v1', 'fields/v3'],
];

/** Whose rows are still to be built. */
const missing: readonly string[] = ['lang/v1', 'seo/v1', 'lang/tm/v1', 'lang/ate/v1', 'lang/st/v1'];

/** Methods, path, and the arguments beside `lang_language`. */
const rows: readonly (readonly [methods: string, path: string, args?: string])[] = [
  ['GET', '/cms/v2/insta/(?P<feed>[\\d]+)'],
  ['GET', '/cms/v2/facebook/(?P<feed>[\\d]+)'],
  ['GET', '/cms/v2/getFrontpage'],
  ['GET', '/cms/v2/custom/search'],
  ['GET', '/cms/v2/custom/constants'],
  ['GET', '/installer/v1/push/fetch-subscription'],
  ['POST', '/media-tools/v1/upload'],
  ['POST', '/media-tools/v1/crop'],
  ['GET', '/media-tools/v1/get/(?P<id>[\\d]+)', 'id'],
  ['GET', '/menus/v1/menus'],
  ['GET', '/menus/v1/menus/(?P<id>[a-zA-Z0-9_-]+)'],
  ['GET', '/menus/v1/locations'],
  ['GET', '/menus/v1/locations/(?P<id>[a-zA-Z0-9_-]+)'],
  ...['get-old-data', 'insert-old-data', 'wipe-old-data', 'wipe-clear-all-data', 'no-thanks'].map(
    (name) => ['POST', `/folders/v1/fld-${name}`] as const,
  ),
  ...['get-folders', 'gutenberg-get-folders', 'set-folder-counter', 'export-csv'].map(
    (name) => ['GET', `/folders/v1/${name}`] as const,
  ),
  ...['new-folder', 'update-folder', 'update-folder-color', 'update-folder-ord', 'delete-folder', 'assign-folder'].map(
    (name) => ['POST', `/folders/v1/${name}`] as const,
  ),
  ...['generate-attachment-size', 'fldv-api', 'set-settings', 'import-csv', 'import-csv-detail', 'gutenberg-get-images'].map(
    (name) => ['POST', `/folders/v1/${name}`] as const,
  ),
  ...['get-folders', 'get-attachments', 'run'].map(
    (name) => ['GET', `/folders/v1/import/${name}/(?P<prefix>[a-zA-Z]+)`] as const,
  ),
  ['GET, POST', '/folders/public/v1/folders'],
  ...['folder', 'attachment-id', 'attachment-count'].map((name) => ['GET', `/folders/public/v1/${name}`] as const),
  ['POST', '/folders/public/v1/folder/set-attachment'],
];

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

  it('has the namespaces of the specification in its order', () => {
    expect(index.namespaces).toEqual(namespaces.filter((name) => !missing.includes(name)));
    const indexes = Object.keys(index.routes).filter((path) => namespaces.includes(path.slice(1)));
    expect(indexes.sort()).toEqual(index.namespaces.map((name) => `/${name}`).sort());
  });

  it('has the rows of the specification, with their methods and arguments, and no other ones in their namespaces', () => {
    const built = rows.filter(([, path]) => !missing.some((name) => path.startsWith(`/${name}/`)));
    const ours = Object.fromEntries(built.map(([, path]) => [path, shapeOf(index.routes[path])]));
    expect(ours).toEqual(Object.fromEntries(built.map(([methods, path, args = '']) => [path, { methods, args }])));
    const own = /^\/(?:media-tools|menus|folders|installer)\/|^\/cms\/v2\/(?:custom\/|insta|facebook|getFrontpage)/;
    const others = Object.keys(index.routes).filter((path) => own.test(path) && !namespaces.includes(path.slice(1)));
    expect(others.sort()).toEqual(built.map(([, path]) => path).sort());
  });

  it('has lang_language on every endpoint, with the languages of the site', () => {
    const wanted = { type: 'string', enum: ['en', 'de'], required: false };
    for (const [path, { endpoints }] of Object.entries(index.routes))
      for (const { args } of endpoints) {
        const { description, ...rest } = (args as Record<string, { description?: string }>).lang_language ?? {};
        expect([path, rest, typeof description]).toEqual([path, wanted, 'string']);
      }
  });

  it('marks pages alone for batches', () => {
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
          if (name in left !== name in basic) differing.push([path, at, name]);
      }
    }
    expect(differing).toEqual([]);
    expect(Object.keys(index.routes).filter((path) => path.startsWith('/cms-abilities'))).toEqual([]);
  });
});

function shapeOf(route: Routes[string] | undefined): { methods: string; args: string } | undefined {
  const args = new Set(route?.endpoints.flatMap((one) => Object.keys(one.args ?? {})));
  args.delete('lang_language');
  return route && { methods: route.methods.join(', '), args: [...args].join(' ') };
}

function withoutAdded(args: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !added.has(name)));
}
