/**
 * What a folder of a site generator holds, by the conventions of each as its own documentation says them, and not as the importer has them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';

/** @returns what `compare` takes of a source */
export function readFolder(dir) {
  const system = ['_config.yml', '_config.yaml'].some((name) => existsSync(join(dir, name)))
    ? 'jekyll'
    : readdirSync(dir).some((name) => name.startsWith('eleventy.config'))
      ? 'eleventy'
      : readdirSync(dir).some((name) => name.startsWith('astro.config'))
        ? 'astro'
        : 'plain';
  return { format: system, home: '', users: [], terms: [], items: texts(dir, system) };
}

/** Where each has what its readers see as texts. */
const folders = {
  jekyll: ['_posts', '_drafts', '.'],
  eleventy: ['content/blog', 'content'],
  astro: ['src/content/blog'],
  plain: ['.'],
};

function texts(dir, system) {
  const found = new Map();
  for (const folder of folders[system]) {
    const from = join(dir, folder);
    if (!existsSync(from)) continue;
    const isPosts = /posts|drafts|blog/.test(folder);
    const names = readdirSync(from, { recursive: isPosts, encoding: 'utf8' });
    for (const name of names.filter((one) => /\.(?:md|markdown|mdx)$/.test(one))) {
      const path = join(folder, name);
      const item = itemOf(readFileSync(join(dir, path), 'utf8'), path, { system, isPosts });
      if (item && !found.has(path)) found.set(path, item);
    }
  }
  return [...found.values()];
}

function itemOf(text, path, { system, isPosts }) {
  // A program as front matter is nothing that is run.
  if (/^---[a-z]/.test(text)) return undefined;
  const [whole, yaml] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  // Without front matter a generator copies the file, or takes the folder's defaults.
  if (whole === undefined && system === 'jekyll') return undefined;
  const head = (yaml === undefined ? {} : parse(yaml)) ?? {};
  const file = basename(path).replace(/\.[^.]+$/, '');
  const [, day, name] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(file) ?? [];
  const at = head.date ?? head.pubDate ?? head.publishDate ?? day;
  // Of a text Jekyll makes several by its spaces, the others one.
  const parts = (value) => (system === 'jekyll' ? value.split(/[\s,]+/) : [value]);
  const list = (value) => (Array.isArray(value) ? value : typeof value === 'string' ? parts(value) : []).map(String);
  const isHidden = head.draft === true || head.published === false || path.startsWith('_drafts');
  return {
    place: path,
    type: isPosts ? 'post' : 'page',
    title: head.title === undefined ? null : String(head.title),
    slug: String(head.slug ?? name ?? (file === 'index' ? basename(dirname(path)) : file)).toLowerCase(),
    status: isHidden ? 'draft' : 'publish',
    date: at === undefined ? null : at instanceof Date ? at.toISOString() : String(at),
    excerpt: null,
    content: text.slice(whole?.length ?? 0),
    author: null,
    terms: [
      ...list(head.categories ?? head.category).map((term) => ({ taxonomy: 'category', name: term })),
      ...list(head.tags)
        .filter((tag) => !['posts', 'post', 'all'].includes(tag))
        .map((term) => ({ taxonomy: 'post_tag', name: term })),
    ],
    remarks: [],
  };
}
