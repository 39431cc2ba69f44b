/**
 * What editors ask for: block types, patterns, themes, templates, styles, fonts, sidebars, widgets and plugins.
 * Routes, arguments and schemas are compared with the reference's catalogue.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../support/golden.ts';
import { startSite, type TestSite } from '../support/site.ts';

const ours = /^\/cms\/v2\/(block-|pattern-directory|themes|template|global-styles|font-|sidebars|widget|plugins)/;
const { routes, schemas } = catalogue;
const pick = <T>(map: Record<string, T>) => Object.fromEntries(Object.entries(map).filter(([path]) => ours.test(path)));
const golden = { routes: pick(routes), schemas: pick(schemas) };

/** Without descriptions, which are our own. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      (key === 'description' && typeof one === 'string') || key === '_links' ? undefined : one,
    ),
  );
}

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'patterns/opening.html':
        '---\ntitle: Opening\ncategories: [banner, harbour]\nkeywords: [top]\n---\n<!-- wp:paragraph -->\n<p>Hi</p>\n<!-- /wp:paragraph -->\n',
      'sidebars/aside.yaml':
        'name: Aside\nshow_in_rest: true\nbefore_widget: <section id="%1$s">\nafter_widget: </section>\nwidgets:\n  - id: text-2\n    title: About\n    text: Hello <img src="/uploads/a.png">\n',
      'sidebars/staff.yaml': 'name: Staff\nwidgets:\n  - id: text-9\n    text: canary-staff\n',
      'styles/dark.md':
        '---\ntitle: Dark\n---\n{"styles": {"color": {"background": "#000"}, "typography": {"lineHeight": 1.5}}}\n',
      'posts/2026/03/plain.md':
        '---\ntitle: Plain words\ndate: 2026-03-05T10:00:00\ncategories: [notes]\ntags: [fog]\n---\nText.\n',
      'posts/2026/03/secret.md': '---\ntitle: canary-draft\nstatus: draft\n---\ncanary-draft\n',
    },
  });
});
afterAll(() => site.close());

describe('catalogue', () => {
  it('has every route, in order, with the same arguments', async () => {
    const { body } = await site.ask('GET', '/');
    for (const [path, route] of Object.entries(golden.routes))
      expect({ path, ...(plain(body.routes[path] ?? {}) as object) }).toEqual({ path, ...(plain(route) as object) });
    const order = Object.keys(golden.routes);
    expect(Object.keys(body.routes).filter((path) => path in golden.routes)).toEqual(order);
  });

  it('has the same schemas', async () => {
    for (const [path, schema] of Object.entries(golden.schemas)) {
      const { body } = await site.ask('OPTIONS', path.replace('(?P<id>[\\d]+)', '1'), { as: 'admin' });
      expect({ path, schema: plain(body.schema) }).toEqual({ path, schema: plain(schema) });
    }
  });
});

/** Who, what, and what comes of it: status, then a code or what the body holds. */
type Row = readonly [
  name: string,
  as: string | null,
  method: string,
  path: string,
  body: unknown,
  status: number,
  expected: string | object,
];

const rows: readonly Row[] = [
  ['block types are for editors', null, 'GET', '/block-types', undefined, 401, 'rest_block_type_cannot_view'],
  [
    'a block type with the attributes its supports bring',
    'contrib',
    'GET',
    '/block-types/core/button',
    undefined,
    200,
    { name: 'core/button', parent: ['core/buttons'], is_dynamic: true, attributes: { borderColor: { type: 'string' } } },
  ],
  ['an unknown block type', 'admin', 'GET', '/block-types/core/nope', undefined, 404, 'rest_block_type_invalid'],
  ['block types of no namespace', 'admin', 'GET', '/block-types/nope', undefined, 200, []],
  ['rendering names its context', 'admin', 'GET', '/block-renderer/core/archives', undefined, 400, 'rest_invalid_param'],
  [
    'archives',
    'contrib',
    'GET',
    '/block-renderer/core/archives?context=edit',
    undefined,
    200,
    { rendered: expect.stringContaining('March 2026') },
  ],
  [
    'attributes are checked',
    'admin',
    'POST',
    '/block-renderer/core/archives',
    { context: 'edit', attributes: { nope: 1 } },
    400,
    'rest_invalid_param',
  ],
  [
    'a block that is not rendered',
    'admin',
    'GET',
    '/block-renderer/core/paragraph?context=edit',
    undefined,
    404,
    'block_invalid',
  ],
  ['rendering is for editors', 'sub', 'GET', '/block-renderer/core/archives?context=edit', undefined, 403, 'block_cannot_read'],
  [
    'patterns from files',
    'contrib',
    'GET',
    '/block-patterns/patterns',
    undefined,
    200,
    [{ name: 'site/opening', title: 'Opening', source: 'theme' }],
  ],
  ['patterns are for editors', 'sub', 'GET', '/block-patterns/patterns', undefined, 403, 'rest_cannot_view'],
  ['no directory of patterns without one', 'contrib', 'GET', '/pattern-directory/patterns', undefined, 500, 'pattern_api_failed'],
  [
    'the block directory is for those who install',
    'contrib',
    'GET',
    '/block-directory/search?term=map',
    undefined,
    403,
    'rest_block_directory_cannot_view',
  ],
  [
    'the active theme',
    'contrib',
    'GET',
    '/themes?status=active',
    undefined,
    200,
    [{ stylesheet: 'site', status: 'active', is_block_theme: false }],
  ],
  ['all themes', 'contrib', 'GET', '/themes', undefined, 403, 'rest_cannot_view_themes'],
  ['no such theme', 'admin', 'GET', '/themes/other', undefined, 404, 'rest_theme_not_found'],
  [
    'styles of the theme',
    'contrib',
    'GET',
    '/global-styles/themes/site',
    undefined,
    200,
    { settings: { color: { custom: true } } },
  ],
  ['styles of another theme', 'admin', 'GET', '/global-styles/themes/other', undefined, 404, 'rest_theme_not_found'],
  [
    'variations keep numbers',
    'admin',
    'GET',
    '/global-styles/themes/site/variations',
    undefined,
    200,
    [{ title: 'Dark', styles: { typography: { lineHeight: 1.5 } } }],
  ],
  ['no such styles', 'admin', 'GET', '/global-styles/9999', undefined, 404, 'rest_global_styles_not_found'],
  ['no template yet', 'contrib', 'GET', '/templates/lookup?slug=single-post', undefined, 200, {}],
  [
    'templates are made by designers',
    'contrib',
    'POST',
    '/templates',
    { slug: 'index', content: 'x' },
    403,
    'rest_cannot_manage_templates',
  ],
  [
    'a template',
    'admin',
    'POST',
    '/templates',
    { slug: 'index', title: 'Index', content: '<!-- wp:post-content /-->' },
    201,
    { id: 'site//index', source: 'custom', is_custom: false, content: { block_version: 1 } },
  ],
  ['a template by one slash', 'contrib', 'GET', '/templates/site/index', undefined, 200, { id: 'site//index' }],
  ['the template of a kind', 'contrib', 'GET', '/templates/lookup?slug=single-post', undefined, 200, { slug: 'index' }],
  [
    'a template changed',
    'admin',
    'PUT',
    '/templates/site//index',
    { content: '<!-- wp:post-title /-->' },
    200,
    { content: { raw: '<!-- wp:post-title /-->' } },
  ],
  ['a template with no status', 'admin', 'PUT', '/templates/site//index', { status: null }, 200, { status: 'publish' }],
  [
    'its revisions',
    'admin',
    'GET',
    '/templates/site//index/revisions',
    undefined,
    200,
    [{ id: 'site//index', content: { raw: '<!-- wp:post-title /-->' } }],
  ],
  ['its revisions are for designers', 'contrib', 'GET', '/templates/site//index/revisions', undefined, 403, 'rest_cannot_read'],
  ['an autosave', 'admin', 'POST', '/templates/site//index/autosaves', { content: 'later' }, 200, { content: { raw: 'later' } }],
  ['autosaves', 'admin', 'GET', '/templates/site//index/autosaves', undefined, 200, [{ content: { raw: 'later' } }]],
  ['a template trashed', 'admin', 'DELETE', '/templates/site//index', undefined, 200, { id: 'site//index', status: 'trash' }],
  ['no such template', 'admin', 'GET', '/templates/site//index', undefined, 404, 'rest_template_not_found'],
  [
    'a part',
    'admin',
    'POST',
    '/template-parts',
    { slug: 'top', title: 'Top', content: 'x', area: 'header' },
    201,
    { id: 'site//top', area: 'header' },
  ],
  ['parts of a place', 'contrib', 'GET', '/template-parts?area=footer', undefined, 200, []],
  ['fonts are for designers', 'contrib', 'GET', '/font-families', undefined, 403, 'rest_cannot_read'],
  ['settings are JSON', 'admin', 'POST', '/font-families', { font_family_settings: 'x' }, 400, 'rest_invalid_param'],
  [
    'a family',
    'admin',
    'POST',
    '/font-families',
    { font_family_settings: '{"name":"Inter","slug":"inter","fontFamily":"Inter, serif"}' },
    201,
    { font_faces: [], font_family_settings: { slug: 'inter' } },
  ],
  [
    'a family twice',
    'admin',
    'POST',
    '/font-families',
    { font_family_settings: '{"name":"Inter","slug":"inter","fontFamily":"Inter"}' },
    400,
    'rest_duplicate_font_family',
  ],
  [
    'a slug that climbs',
    'admin',
    'POST',
    '/font-families',
    { font_family_settings: '{"name":"Up","slug":"../../up","fontFamily":"Up"}' },
    201,
    { font_family_settings: { slug: 'up' } },
  ],
  [
    'a slug that is the folder of collections',
    'admin',
    'POST',
    '/font-families',
    { font_family_settings: '{"name":"Collections","slug":"collections","fontFamily":"Up"}' },
    201,
    { font_family_settings: { slug: 'collections-font' } },
  ],
  [
    'families by name',
    'admin',
    'GET',
    '/font-families?slug=inter',
    undefined,
    200,
    [{ font_family_settings: { name: 'Inter' } }],
  ],
  ['no such family', 'admin', 'GET', '/font-families/9999/font-faces', undefined, 404, 'rest_post_invalid_parent'],
  ['no collections', 'admin', 'GET', '/font-collections', undefined, 200, []],
  ['no such collection', 'admin', 'GET', '/font-collections/google-fonts', undefined, 404, 'rest_font_collection_not_found'],
  ['a public sidebar', null, 'GET', '/sidebars', undefined, 200, [{ id: 'aside', widgets: ['text-2'] }]],
  ['a sidebar that is not', null, 'GET', '/sidebars/staff', undefined, 401, 'rest_cannot_manage_widgets'],
  [
    'its widgets',
    null,
    'GET',
    '/widgets/text-2',
    undefined,
    200,
    {
      rendered: expect.stringMatching(
        /^<section id="text-2">About<div class="textwidget"><p>Hello <img .*src="http:.*\/uploads\/a\.png"/,
      ),
    },
  ],
  ['settings are for designers', null, 'GET', '/widgets?context=edit', undefined, 401, 'rest_cannot_manage_widgets'],
  ['a widget elsewhere', 'contrib', 'GET', '/widgets/text-9', undefined, 403, 'rest_cannot_manage_widgets'],
  ['a widget of no type', 'admin', 'POST', '/widgets', { sidebar: 'aside' }, 400, 'rest_invalid_widget'],
  [
    'a widget',
    'admin',
    'POST',
    '/widgets',
    { id_base: 'text', sidebar: 'aside', instance: { raw: { text: 'New', id: 'x-1' } } },
    201,
    { id: 'text-10', sidebar: 'aside' },
  ],
  [
    'a widget from a form',
    'admin',
    'PUT',
    '/widgets/text-10',
    { form_data: 'widget-text[10][text]=Form' },
    200,
    { instance: { raw: { text: 'Form' } } },
  ],
  [
    'a broken instance',
    'admin',
    'PUT',
    '/widgets/text-10',
    { instance: { encoded: 'e30=', hash: 'x' } },
    400,
    'rest_invalid_widget',
  ],
  ['the order of widgets', 'admin', 'PUT', '/sidebars/aside', { widgets: ['text-10'] }, 200, { widgets: ['text-10'] }],
  ['who lost its place', 'admin', 'GET', '/widgets/text-2', undefined, 200, { sidebar: 'wp_inactive_widgets', rendered: '' }],
  ['a widget deleted', 'admin', 'DELETE', '/widgets/text-2?force=true', undefined, 200, { deleted: true }],
  ['a type of widget', 'admin', 'GET', '/widget-types/text', undefined, 200, { id: 'text', is_multi: true }],
  [
    'a preview',
    'admin',
    'POST',
    '/widget-types/text/render',
    { instance: { raw: { text: 'Hi' } } },
    200,
    { preview: expect.stringContaining('<p>Hi</p>') },
  ],
  [
    'no preview where there is nothing to see',
    'admin',
    'POST',
    '/widget-types/block/encode',
    { instance: { raw: { content: '' } } },
    200,
    { preview: null },
  ],
  ['plugins', 'admin', 'GET', '/plugins/cms/v2', undefined, 200, { plugin: 'cms/v2', status: 'active' }],
  ['plugins are for administrators', 'contrib', 'GET', '/plugins', undefined, 403, 'rest_cannot_view_plugins'],
  ['nothing is installed', 'admin', 'POST', '/plugins', { slug: 'x' }, 403, 'rest_cannot_install_plugin'],
  ['nothing is switched off', 'admin', 'PUT', '/plugins/cms/v2', { status: 'inactive' }, 403, 'rest_cannot_deactivate_plugin'],
];

describe('behaviour', () => {
  const logins = new Map<string, string>();
  beforeAll(async () => {
    for (const [name, role] of [
      ['contrib', 'contributor'],
      ['sub', 'subscriber'],
    ] as const) {
      const { body: user } = await site.ask('POST', '/cms/v2/users', {
        as: 'admin',
        body: { username: `${name}2`, email: `${name}2@example.com`, password: 'x', roles: [role] },
      });
      const { body } = await site.ask('POST', `/cms/v2/users/${user.id}/application-passwords`, {
        as: 'admin',
        body: { name: 'test' },
      });
      logins.set(name, `${name}2:${body.password}`);
    }
  });

  it.each(rows)('%s', async (...row: Row) => {
    const [, as, method, path, body, status, expected] = row;
    const login = as === null ? {} : { as: logins.get(as) ?? as };
    const answer = await site.ask(method, `/cms/v2${path}`, { ...login, ...(body === undefined ? {} : { body }) });
    if (typeof expected === 'string')
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code: expected });
    else expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: expected });
  });

  it('answers every route for everyone, without drafts of others or server errors', async () => {
    const paths: string[] = Object.keys(golden.routes).map((path) =>
      path.replace(/\(\?P<(\w+)>(?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*\)/g, (_, name: string) => samples[name] ?? '7'),
    );
    expect(paths.filter((path) => path.includes('('))).toEqual([]);
    for (const as of [undefined, logins.get('sub'), logins.get('contrib'), 'admin'] as const) {
      for (const path of paths) {
        for (const query of ['', '?context=edit', '?context=edit&term=x&slug=index']) {
          const { status, body } = await site.ask('GET', path + query, as ? { as } : {});
          if (!/-directory/.test(path)) expect({ path, status, isFine: status < 500 }).toEqual({ path, status, isFine: true });
          if (as !== 'admin') expect(JSON.stringify(body)).not.toMatch(/canary/);
        }
      }
    }
  });

  it('lists plugins by what they are: all of them active', async () => {
    const ask = async (query: string) => (await site.ask('GET', `/cms/v2/plugins${query}`, { as: 'admin' })).body;
    const all = await ask('');
    expect(all.length).toBeGreaterThan(0);
    expect(await ask('?status=active')).toEqual(all);
    expect(await ask('?status=inactive')).toEqual([]);
  });

  it('speaks the original dialect', async () => {
    const ask = (path: string) => site.ask('GET', path, { as: 'admin', root: '/wp-json' });
    expect((await ask('/wp/v2/template-parts/site//top')).body).toMatchObject({ id: 'site//top', type: 'wp_template_part' });
    expect((await ask('/wp/v2/plugins/wp/v2')).body).toMatchObject({ plugin: 'wp/v2' });
    expect((await ask('/wp/v2/themes')).body[0]._links).toHaveProperty('wp:user-global-styles');
  });
});

describe('files', () => {
  it('stores styles as sent, and changes only what changed', async () => {
    const { body: themes } = await site.ask('GET', '/cms/v2/themes', { as: 'admin' });
    const route = themes[0]._links['cms:user-global-styles'][0].href.slice(`${site.url}/cms-json`.length);
    const styles = { typography: { lineHeight: 1.5, fontSize: '1.5' } };
    expect((await site.ask('POST', route, { as: 'admin', body: { styles } })).body.styles).toEqual(styles);
    expect(await site.read('styles/site.md')).toMatch(/^---\nid: \d+\ntitle: Custom Styles\n[\s\S]*---\n+\{\n {2}"version": 3/);
    expect((await site.ask('GET', `${route}/revisions`, { as: 'admin' })).body).toMatchObject([{ styles }]);
    expect((await site.ask('POST', route, { as: 'admin', body: { styles: { css: 'a{}</style>' } } })).body.code).toBe(
      'rest_custom_css_illegal_markup',
    );
  });

  it('stores templates, fonts and widgets in their folders', async () => {
    expect(await site.read('template-parts/top.md')).toMatch(/meta:\n {2}area: header\n/);
    expect(await site.read('fonts/inter.yaml')).toMatch(/^id: \d+\nname: Inter\nfontFamily: Inter, serif\n$/);
    expect(await site.read('sidebars/aside.yaml')).toMatch(
      /^name: Aside\n[\s\S]*widgets:\n {2}- id: text-10\n {4}title: ''\n {4}text: Form\nid: \d+\n$/,
    );
  });

  it('accepts a font file, serves it, and removes it with its face', async () => {
    const { body: families } = await site.ask('GET', '/cms/v2/font-families?slug=inter', { as: 'admin' });
    const form = new FormData();
    form.set('font_face_settings', JSON.stringify({ fontFamily: 'Inter', fontWeight: '700', src: 'file0' }));
    form.set('file0', new Blob([Buffer.from('wOF2abcd')], { type: 'font/woff2' }), 'inter.woff2');
    const headers = { authorization: `Basic ${Buffer.from(`admin:${site.password}`).toString('base64')}` };
    const route = `/cms/v2/font-families/${families[0].id}/font-faces`;
    const face = (await (await fetch(`${site.url}/cms-json${route}`, { method: 'POST', body: form, headers })).json()) as {
      id: number;
      font_face_settings: { src: string };
    };
    expect((await fetch(face.font_face_settings.src)).status).toBe(200);
    expect((await site.ask('GET', '/cms/v2/media', { as: 'admin' })).body).toEqual([]);
    expect((await site.ask('DELETE', `${route}/${face.id}?force=true`, { as: 'admin' })).body.deleted).toBe(true);
    expect((await fetch(face.font_face_settings.src)).status).toBe(404);
  });
});

const samples: Readonly<Record<string, string>> = {
  id: 'site//top',
  parent: 'site//top',
  stylesheet: 'site',
  namespace: 'core',
  name: 'core/archives',
  plugin: 'cms/v2',
  slug: 'none',
  font_family_id: '9',
};

it('a template may take the name of one that was called index', async () => {
  const write = (path: string, body: object) => site.ask('POST', `/cms/v2/template-parts${path}`, { as: 'admin', body });
  const first = await write('', { slug: 'index', content: 'first' });
  expect((await write(`/${first.body.id}`, { slug: 'body' })).body.slug).toBe('body');
  expect(await write('', { slug: 'index', content: 'second' })).toMatchObject({ status: 201, body: { id: 'site//index' } });
});
