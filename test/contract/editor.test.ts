/**
 * What editors ask for: block types, patterns, themes, templates, styles, fonts, sidebars, widgets and plugins.
 * Routes, arguments and schemas are compared with the reference's catalogue (test/golden/make-editor-routes.mjs).
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

const golden = JSON.parse(readFileSync(new URL('../golden/editor-routes.json', import.meta.url), 'utf8')) as {
  routes: Record<string, { endpoints: unknown[] }>;
  schemas: Record<string, unknown>;
};

/** Without descriptions, which are our own. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => ((key === 'description' && typeof one === 'string') || key === '_links' ? undefined : one)));
}

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'patterns/opening.html': '---\ntitle: Opening\ncategories: [banner, harbour]\nkeywords: [top]\n---\n<!-- wp:paragraph -->\n<p>Hi</p>\n<!-- /wp:paragraph -->\n',
      'sidebars/aside.yaml': 'name: Aside\nshow_in_rest: true\nbefore_widget: <section id="%1$s">\nafter_widget: </section>\nwidgets:\n  - id: text-2\n    title: About\n    text: Hello\n',
      'sidebars/staff.yaml': 'name: Staff\nwidgets:\n  - id: text-9\n    text: canary-staff\n',
      'styles/dark.md': '---\ntitle: Dark\n---\n{"styles": {"color": {"background": "#000"}, "typography": {"lineHeight": 1.5}}}\n',
      'posts/2026/03/plain.md': '---\ntitle: Plain words\ndate: 2026-03-05T10:00:00\ncategories: [notes]\ntags: [fog]\n---\nText.\n',
      'posts/2026/03/secret.md': '---\ntitle: canary-draft\nstatus: draft\n---\ncanary-draft\n',
    },
  });
  await site.ask('POST', '/cms/v2/users', { as: 'admin', body: { username: 'sub', email: 's@example.com', password: 'x', roles: ['subscriber'] } });
});
afterAll(() => site.close());

describe('catalogue', () => {
  it('has every route, in order, with the same arguments', async () => {
    const { body } = await site.ask('GET', '/');
    for (const [path, route] of Object.entries(golden.routes)) expect({ path, ...(plain(body.routes[path] ?? {}) as object) }).toEqual({ path, ...(plain(route) as object) });
    const order = Object.keys(golden.routes);
    expect(Object.keys(body.routes).filter((path) => path in golden.routes)).toEqual(order);
  });

  it('shows the same schemas', async () => {
    for (const [path, schema] of Object.entries(golden.schemas)) {
      const { body } = await site.ask('OPTIONS', path.replace('(?P<id>[\\d]+)', '1'), { as: 'admin' });
      expect({ path, schema: plain(body.schema) }).toEqual({ path, schema: plain(schema) });
    }
  });
});
