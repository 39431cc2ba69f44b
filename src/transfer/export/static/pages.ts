/**
 * The website as files: every page as `index.html` in the folder of its address, `404.html`, the style and what else pages use.
 */
import { decoded } from '../../../kernel/model/slugs.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { markdownAddresses } from '../../../modules/website/markdown-pages/index.ts';
import type { ExportFolder } from './folder.ts';
import type { Hosting } from './hosting.ts';
import { mediaIn } from './media.ts';

/**
 * Writes nothing where pages are shown elsewhere, or not at all.
 * @param media  takes the paths of media that pages show
 */
export async function writePages(
  site: Site,
  folder: ExportFolder,
  media: Set<string>,
  step: () => Promise<void>,
): Promise<number> {
  if (site.theme.pagesAt() !== 'theme') return 0;
  let pages = 0;
  const put = async (file: string | null, html: string): Promise<void> => {
    if (file !== null) folder.put(file, html);
    if (file !== null) pages++;
    for (const path of mediaIn(html)) media.add(path);
    await step();
  };
  for (const first of site.theme.addresses())
    for (let address: string | null = first; address !== null; ) {
      const asked: string = address;
      const print = (): ReturnType<typeof site.theme.print> => site.theme.print(asked);
      const printed = await site.spare<ReturnType<typeof print> | null>('its page', { path: asked }, print, null);
      if (printed) await put(fileOf(address), printed.html);
      address = printed?.next ?? null;
    }
  await put('404.html', await site.theme.printMissing());
  for await (const { address, bytes } of site.theme.files()) folder.put(decoded(address).slice(1), bytes);
  return pages;
}

/** The same pages as Markdown, and the list of them, where `site.yaml` offers them. A file holds what the server answers. */
export async function writeMarkdown(
  site: Site,
  folder: ExportFolder,
  hosting: Hosting,
  step: () => Promise<void>,
): Promise<void> {
  for (const address of markdownAddresses(site)) {
    const page = await site.page(address);
    const file = fileOf(address, []);
    if (page?.status === 200 && page.body !== null && file !== null) {
      folder.put(file, page.body);
      hosting.noteDocument(file, page.headers);
    }
    await step();
  }
}

/** Null for an address that no file can have. */
function fileOf(address: string, index: readonly string[] = ['index.html']): string | null {
  const segments = address
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decoded(segment).normalize('NFC'));
  const isFit = (name: string): boolean => !/^\.{1,2}$|[/\\\p{Cc}]/u.test(name) && Buffer.byteLength(name) <= 255;
  return segments.every(isFit) ? [...segments, ...index].join('/') : null;
}
