/** Small folders given as texts, and what is found in them. */
import { expect, it } from 'vitest';
import { basic } from '../../src/deployments.ts';
import { type Circumstances, validate } from '../../src/validate/validate.ts';
import { type Content, declare, type Declarations } from '../../src/validate/declarations.ts';
import { type Located, locate } from '../../src/kernel/store/locate.ts';
import { declaredBy } from '../../src/modules/types/declarations.ts';
import { standardTaxonomies } from '../../src/modules/types/taxonomies.ts';
import { standardTypes } from '../../src/modules/types/types.ts';
import { parseEntry } from '../../src/kernel/yaml/codec.ts';
import { kindOf } from '../../src/kernel/store/paths.ts';

export type Files = Readonly<Record<string, string>>;

export const clock = Date.UTC(2026, 10, 1);

/** A site without findings; rows change single files of it. */
export const sound: Files = {
  'site.yaml': 'name: Quay\nurl: https://quay.example\ntimezone: Europe/Berlin\nmenu_locations:\n  primary: Header\n',
  'terms/category/news.yaml': 'id: 1\nname: News\n',
  'terms/category/local.yaml': 'id: 2\nname: Local\nparent: news\n',
  'terms/tag/walks.yaml': 'id: 3\nname: Walks\naliases:\n  - strolls\n',
  'users/anna.yaml': 'id: 1\nname: Anna\n',
  'menus/main.yaml':
    'id: 4\nname: Main\nlocations:\n  - primary\nitems:\n  - page: about\n    id: 20\n    items:\n      - page: about/team\n        id: 21\n  - post: hello\n    id: 22\n  - category: news\n    id: 23\n  - url: https://example.com\n    title: Else\n    id: 24\n',
  'posts/2026/03/hello.md':
    '---\nid: 1\ntitle: Hello\ndate: 2026-03-05T10:00:00\nauthor: anna\ncategories:\n  - news\n  - 2\ntags:\n  - walks\nfeatured_media: 2026/03/cat.jpg\naliases:\n  - good-day\nmood: calm\n---\nText, and [the team](/about/team/).\n',
  'pages/about/index.md': '---\nid: 2\ntitle: About\n---\n![A cat](/uploads/2026/03/cat.jpg)\n',
  'pages/about/team.md': '---\nid: 3\ntitle: Team\norder: 2\naliases:\n  - crew\n---\nText\n',
  'media/2026/03/cat.jpg': '\xff\xd8\xff\xe0 (bytes)',
  'media/2026/03/cat.jpg.yaml': 'id: 4\ntitle: A cat\nalt: A cat\n',
  'comments/2/1.html': '---\nid: 1\nname: Ben\n---\nYes\n',
  'comments/2/2.html': '---\nid: 2\nparent: 1\nauthor: anna\n---\nNo\n',
};

export const post = 'posts/2026/03/hello.md';

/** Front matter with the post's usual text below it. */
export const front = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nText\n`;

/** The post with another body, in Markdown. */
export const body = (text: string): Files => ({ [post]: `---\nid: 1\naliases: [good-day]\n---\n${text}` });

export function contentOf(files: Files): Content {
  const entries = [];
  const blobs = [];
  const others = [];
  for (const [path, text] of Object.entries(files)) {
    const kind = kindOf(path);
    const bytes = Buffer.from(text, kind === 'blob' ? 'latin1' : 'utf8');
    if (kind === null) others.push(path);
    else if (kind === 'blob') blobs.push({ path, size: bytes.length, mtimeMs: 0 });
    else {
      const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
      if (!('entry' in parsed)) throw new Error(parsed.problem.message);
      entries.push(parsed.entry);
    }
  }
  return { entries, blobs, others };
}

export function modelOf(content: Content): Declarations {
  const site = content.entries.find(({ path }) => path === 'site.yaml');
  return declare({ ...declaredBy(site, standardTypes, standardTaxonomies), modules: basic, entry: site });
}

export async function findings(files: Files, circumstances: Partial<Circumstances> = {}): Promise<Located[]> {
  const content = contentOf(files);
  const head = (path: string): Uint8Array => Buffer.from(files[path] ?? '', 'latin1');
  const found = validate(content, modelOf(content), { clock, head, template: (path) => files[path] ?? null, ...circumstances });
  return locate(found, async (path) => Buffer.from(files[path] ?? ''));
}

/** `path line:column severity rule`, the path left out for the post. */
export function said(found: readonly Located[]): string[] {
  return found
    .map(({ path, line, column, severity, rule }) => `${path === post ? '' : `${path} `}${line}:${column} ${severity} ${rule}`)
    .sort();
}

export interface Row {
  readonly name: string;
  readonly files: Files;
  readonly says: readonly string[];
  readonly hint?: string | RegExp;
}

/** A test for each row: the sound site with the row's files has the row's findings. */
export function findEach(rows: readonly Row[]): void {
  for (const { name, files, says, hint } of rows) {
    it(name, async () => {
      const found = await findings({ ...sound, ...files });
      expect(said(found)).toEqual([...says].sort());
      const hints = found.map((problem) => problem.hint ?? '');
      if (typeof hint === 'string') expect(hints).toContain(hint);
      if (hint instanceof RegExp) expect(hints.some((one) => hint.test(one))).toBe(true);
    });
  }
}
