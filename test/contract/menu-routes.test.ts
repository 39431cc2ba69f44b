/**
 * The routes of menus, patterns and block menus against the reference's own catalogue.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../support/golden.ts';
import { startSite, type TestSite } from '../support/site.ts';

const ours = /^\/cms\/v2\/(menus|menu-items|menu-locations|blocks|navigation|cms_pattern_category)(\/|$)/;

/** Without sentences and the address of the site; the catalogue leaves one name in its original spelling. */
function plain(value: unknown, base: string): unknown {
  const text = JSON.stringify(value, (key, part) =>
    (key === 'description' && typeof part === 'string') || key === '_links' ? undefined : part,
  );
  return JSON.parse(text.replaceAll(base, '{base_url}'));
}

describe('the catalogue of the reference', () => {
  const { schemas } = catalogue;
  const paths = Object.keys(catalogue.routes).filter((path) => ours.test(path));
  let site: TestSite;
  let routes: Record<string, unknown>;
  beforeAll(async () => {
    site = await startSite();
    routes = (await site.ask('GET', '/')).body.routes;
  });
  afterAll(() => site.close());

  it.each(paths)('%s accepts the same arguments', (path) => {
    expect(plain(routes[path], site.url)).toEqual(plain(catalogue.routes[path], site.url));
  });

  it.each(Object.keys(schemas).filter((path) => ours.test(path) && !path.includes('(')))(
    '%s has the same schema',
    async (path) => {
      const { body } = await site.ask('OPTIONS', path, { as: 'admin' });
      expect(plain(body.schema, site.url)).toEqual(plain(schemas[path], site.url));
    },
  );
});
