/** A small site, and what blocks show of it. */
import { onTestFinished } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import type { Actor } from '../../../../src/kernel/model/access.ts';
import { temporaryFolder } from '../../../kernel/store/folder.ts';

const post = (id: number, title: string, date: string, more = '', body = `Words of ${title}.`): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: ${date}\n${more}---\n${body}\n`;

/** Files of the site: posts of three months, one of them private and one a draft; pages, terms, people, comments, a pattern, a menu. */
export const files: Readonly<Record<string, string>> = {
  'site.yaml': 'name: Kit & Co\ndescription: Small things\ntimezone: UTC\n',
  'users/anna.yaml': 'id: 7\nname: Anna\ndescription: She writes.\nurl: https://anna.example\n',
  'terms/category/news.yaml': 'id: 21\nname: News\n',
  'terms/category/local.yaml': 'id: 22\nname: Local\nparent: news\n',
  'terms/category/empty.yaml': 'id: 23\nname: Empty\n',
  'terms/tag/red.yaml': 'id: 31\nname: Red\n',
  'terms/tag/blue.yaml': 'id: 32\nname: Blue\n',
  'posts/one.html': post(101, 'One', '2025-01-31T23:59:59', 'author: anna\ncategories: [local]\ntags: [red]\n'),
  'posts/two.html': post(102, 'Two', '2025-03-01T00:00:00', 'author: anna\ncategories: [news]\ntags: [red, blue]\n'),
  'posts/three.html': post(103, 'Three <b>', '2025-03-05T08:00:00', 'categories: [news]\nexcerpt: Said <i>so</i>\n'),
  'posts/secret.html': post(104, 'Secret', '2025-04-01T08:00:00', 'author: anna\nstatus: private\n'),
  'posts/draft.html': post(105, 'Draft', '2025-04-02T08:00:00', 'status: draft\n'),
  'posts/locked.html': post(106, 'Locked', '2024-02-29T08:00:00', 'password: open\n', 'Hidden words.'),
  'pages/x.md': '---\nid: 50\ntitle: X\n---\n',
  'pages/x/y.md': '---\nid: 51\ntitle: Y\n---\n',
  'pages/w.md': '---\nid: 53\ntitle: W\norder: 3\n---\n',
  'comments/101/1.html': '---\nid: 1\nname: Ben\nurl: https://ben.example\ndate: 2025-02-01T10:00:00\n---\nWell said.\n',
  'comments/101/2.html': '---\nid: 2\nparent: 1\nauthor: anna\ndate: 2025-02-02T10:00:00\n---\nThank you.\n',
  'comments/101/3.html': '---\nid: 3\nname: Eve\nstatus: spam\ndate: 2025-02-03T10:00:00\n---\nBuy.\n',
};

export interface Blog {
  readonly url: string;
  /** What a text of block markup shows, with the address of the site left out. @param postId  of the post it is of */
  show(
    markup: string,
    of?: { readonly post?: number; readonly reader?: Actor | null; readonly before?: number; readonly address?: string },
  ): string;
  readonly site: Awaited<ReturnType<typeof openSite>>;
}

/** The site, open until the test ends. @param more  further files */
export async function openBlog(more: Readonly<Record<string, string>> = {}): Promise<Blog> {
  const folder = temporaryFolder({ ...files, ...more });
  const site = await openSite(folder.dir, { readOnly: true });
  onTestFinished(() => site.close());
  const options = { smilies: false, typography: false };
  return {
    url: site.url,
    site,
    show: (markup, { post = 101, reader = null, before = 0, address } = {}) =>
      site.dynamicBlocks.show(markup, { reader, post, before, address, options }).html.replaceAll(site.url, ''),
  };
}

export const block = (name: string, attributes: object = {}): string => `<!-- wp:${name} ${JSON.stringify(attributes)} /-->`;
