/**
 * The routes of menus, patterns and block menus against the reference's own catalogue, where it is at hand.
 */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

const catalogue = '/work/shared/reference/core-routes.json';
const ours = /^\/cms\/v2\/(menus|menu-items|menu-locations|blocks|navigation|cms_pattern_category)(\/|$)/;

/** Without sentences and the address of the site; the catalogue leaves one name in its original spelling. */
function plain(value: unknown, base: string): unknown {
  const text = JSON.stringify(value, (key, part) =>
    (key === 'description' && typeof part === 'string') || key === '_links' ? undefined : part,
  );
  return JSON.parse(text.replaceAll(base, '{base_url}'));
}

describe.runIf(existsSync(catalogue))('the catalogue of the reference', () => {
  const { index, schemas } = existsSync(catalogue)
    ? JSON.parse(readFileSync(catalogue, 'utf8'))
    : { index: { routes: {} }, schemas: {} };
  const paths = Object.keys(index.routes).filter((path) => ours.test(path));
  let site: TestSite;
  let routes: Record<string, unknown>;
  beforeAll(async () => {
    site = await startSite();
    routes = (await site.ask('GET', '/')).body.routes;
  });
  afterAll(() => site.close());

  it.each(paths)('%s takes the same arguments', (path) => {
    expect(plain(routes[path], site.url)).toEqual(plain(index.routes[path], site.url));
  });

  it.each(Object.keys(schemas).filter((path) => ours.test(path) && !path.includes('(')))(
    '%s has the same schema',
    async (path) => {
      const { body } = await site.ask('OPTIONS', path, { as: 'admin' });
      expect(plain(body.schema, site.url)).toEqual(plain(schemas[path], site.url));
    },
  );
});
