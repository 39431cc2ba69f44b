/**
 * What the server makes of the whole site beside the interface: `robots.txt`, sitemaps, feeds, the icon. A file holds what it answers.
 *
 * Sitemaps have their addresses. A feed would be the index of a folder, which hosts look for under other names: `/category/notes/feed/`
 * is `category/notes/feed.xml`, and `_redirects` leads there.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { feedFiles } from '../../../modules/website/feeds/index.ts';
import type { ExportFolder } from './folder.ts';
import { pathBelow } from './names.ts';

export async function writeDocuments(site: Site, folder: ExportFolder, step: () => Promise<void>): Promise<void> {
  const put = async (address: string, file: string): Promise<void> => {
    const page = await site.page(address);
    if (page?.status === 200 && page.body !== null) folder.put(file, page.body);
    await step();
  };
  for (const address of ['/favicon.ico', ...(await site.sitemaps.addresses())]) await put(address, address.slice(1));
  for (const { address, page, name } of feedFiles(site)) {
    const place = pathBelow(page);
    await put(address, place === '' ? name : `${place}/${name}`);
  }
}
