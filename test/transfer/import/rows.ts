/** Sources in memory, and what an import of them made. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaffoldSite } from '../../../src/cli/new-site.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { importSite } from '../../../src/transfer/import/import-site.ts';
import type { ImportOptions } from '../../../src/transfer/import/import-context.ts';
import type {
  CommentItem,
  SourceItem,
  MediaFile,
  MenuLinkItem,
  PostItem,
  SiteItem,
  Source,
  TermItem,
  UserItem,
} from '../../../src/transfer/import/items.ts';
import type { ImportReport } from '../../../src/transfer/import/report.ts';
import { beginningOf } from '../../../src/transfer/import/settings.ts';

const place = { source: 'rows' };

export const site = (settings: SiteItem['settings'] = {}): SiteItem => ({
  kind: 'site',
  place,
  settings: { name: 'Old Site', ...settings },
  addresses: ['https://old.example'],
  uploads: ['https://old.example/files'],
});
export const user = (slug: string, more: Partial<UserItem> = {}): UserItem => ({
  kind: 'user',
  place,
  key: slug,
  login: slug,
  slug,
  name: slug,
  ...more,
});
export const term = (slug: string, more: Partial<TermItem> = {}): TermItem => ({
  kind: 'term',
  place,
  key: slug,
  taxonomy: 'category',
  slug,
  name: slug,
  ...more,
});
export const post = (slug: string, more: Partial<PostItem> = {}): PostItem => ({
  kind: 'post',
  place,
  key: slug,
  type: 'post',
  slug,
  title: `Title of ${slug}`,
  content: `<p>Text of ${slug}.</p>`,
  markup: 'html',
  status: 'publish',
  date: '2024-05-06T07:08:09',
  dateGmt: '2024-05-06T07:08:09',
  ...more,
});
export const page = (slug: string, more: Partial<PostItem> = {}): PostItem => post(slug, { type: 'page', ...more });
export const media = (path: string, more: Partial<PostItem> & { readonly url?: string } = {}): PostItem => {
  const { url, ...rest } = more;
  const slug = path.replace(/^.*\//, '').replace(/\..*$/, '');
  const file: MediaFile = { path, ...(url === undefined ? {} : { url }) };
  return post(slug, { type: 'attachment', key: path, status: 'inherit', content: '', media: file, ...rest });
};
export const comment = (key: string, on: string, more: Partial<CommentItem> = {}): CommentItem => ({
  kind: 'comment',
  place,
  key,
  post: on,
  name: 'Bea',
  content: `Comment ${key}`,
  status: 'approved',
  date: '2024-05-07T08:00:00',
  dateGmt: '2024-05-07T08:00:00',
  ...more,
});
export const link = (key: string, menu: string, more: Partial<MenuLinkItem> = {}): MenuLinkItem => ({
  kind: 'menu-link',
  place,
  key,
  menu,
  order: 1,
  itemType: 'custom',
  object: 'custom',
  url: 'https://example.com/',
  title: key,
  ...more,
});

/** @param bytes  of media by path */
export function rows(items: readonly SourceItem[], bytes: Readonly<Record<string, Uint8Array>> = {}): Source {
  return {
    format: 'rows',
    name: 'rows',
    async *items(pass, progress) {
      let done = 0;
      for (const item of items) {
        yield pass === 'scan' && 'content' in item ? { ...item, content: '' } : item;
        progress?.(++done, items.length);
      }
    },
    async fetch({ path }, into) {
      const { SourceError } = await import('../../../src/transfer/import/items.ts');
      const { writeFile } = await import('node:fs/promises');
      if (!bytes[path]) throw new SourceError('the source has no such file', place);
      await writeFile(into, bytes[path]);
    },
    close: async () => undefined,
  };
}

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-import-test-'));
  return join(folder, 'site');
}

/** Imports into a folder, which becomes a site first where it is none. */
export async function bring(dir: string, source: Source, options: Partial<ImportOptions> = {}): Promise<ImportReport> {
  const { existsSync } = await import('node:fs');
  let store: Awaited<ReturnType<typeof createStore>> | undefined;
  try {
    return await importSite({
      source,
      async open(about) {
        const isNew = !existsSync(join(dir, 'site.yaml'));
        if (isNew)
          await scaffoldSite({
            dir,
            title: 'New',
            timezone: 'UTC',
            ...beginningOf(about),
            admin: 'admin',
            email: 'admin@example.com',
          });
        store = await createStore({ dir, readOnly: options.dryRun === true && !isNew });
        return { store, isNew };
      },
      ...options,
    });
  } finally {
    await store?.close();
  }
}

/** An import that is told to stop when it comes to write the item behind the first `count`. */
export function bringUntil(
  count: number,
  dir: string,
  source: Source,
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const stop = new AbortController();
  const stopping: Source = {
    ...source,
    async *items(pass) {
      let seen = 0;
      for await (const item of source.items(pass)) {
        if (pass === 'write' && seen++ === count) stop.abort(new Error('stopped'));
        yield item;
      }
    },
  };
  return bring(dir, stopping, { ...options, signal: stop.signal });
}
