/** What a site answers once it is opened again. */
import { createServer } from '../../src/kernel/http/server.ts';
import { composeSite, openSite } from '../../src/open-site.ts';
import { askInProcess } from './in-process.ts';
import type { TestSite } from './site.ts';

const admin = { id: 1, roles: ['administrator'] };

/**
 * Bodies of GET for the administrator, by path below the REST root: of the running site, and of its folder opened anew.
 * @param clock  that the site has, where it has one of its own
 */
export async function beforeAndAfter(
  site: TestSite,
  paths: readonly string[],
  clock?: () => number,
): Promise<readonly [before: readonly unknown[], after: readonly unknown[]]> {
  const again = await openSite(site.dir, { readOnly: true, operator: site.site.operator, ...(clock ? { clock } : {}) });
  const server = createServer({ site: again, registry: composeSite(again) });
  await server.listen(0, '127.0.0.1');
  const bodies = async (of: TestSite): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for (const path of paths) found.push((await askInProcess(of, 'GET', `/cms-json${path}`, { user: admin })).body);
    // Addresses in answers are those of the first.
    return JSON.parse(JSON.stringify(found).replaceAll(of.site.url, site.url));
  };
  try {
    return [await bodies(site), await bodies({ ...site, site: again, server })];
  } finally {
    await server.close();
    await again.close();
  }
}
