/**
 * What an export tells of the site as a whole: little is said outright, more follows from what all its items agree in.
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import type { PostItem } from '../../import/items.ts';
import { saidLanguage } from '../../import/item-language.ts';
import { uploadsFolder } from './names.ts';
import { createZoneFinder } from './zone.ts';

/** What a post is asked for: its values by the words of a permalink. */
interface Linked {
  readonly post: PostItem;
  readonly author: string;
  readonly categories: readonly string[];
}

export interface SiteFacts {
  /** Addresses of the site as the channel gives them; must come before the items. */
  address(url: string): void;
  /** Any item with its dates. */
  dates(local: string, gmt: string): void;
  /** A published post. */
  post(linked: Linked): void;
  attachment(path: string, url: string): void;
  theme(stylesheet: string): void;
  readonly addresses: readonly string[];
  readonly uploads: readonly string[];
  /** Undefined where items disagree, or there is none to tell. */
  readonly permalink: string | undefined;
  readonly timezone: string | undefined;
  readonly stylesheet: string | undefined;
}

export function createSiteFacts(): SiteFacts {
  const addresses: string[] = [];
  const uploads = new Map<string, number>();
  const themes = new Map<string, number>();
  const zones = createZoneFinder();
  /** Patterns that fit every post so far. */
  let patterns: readonly string[] | undefined;

  const pathOf = (link: string): string | undefined => {
    const base = addresses.filter((address) => link.startsWith(`${address}/`)).sort((a, b) => b.length - a.length)[0];
    return base === undefined ? undefined : link.slice(base.length);
  };

  return {
    address(url) {
      const clean = withoutTrailing(url.trim(), '/');
      if (/^https?:\/\/[^/]/.test(clean) && !addresses.includes(clean)) addresses.push(clean);
    },
    dates: (local, gmt) => zones.note(local, gmt),
    post(linked) {
      if (patterns?.length === 0) return;
      const path = withoutLanguage(pathOf(linked.post.link ?? ''), linked.post);
      if (path === undefined || path.includes('?')) patterns = [];
      else if (patterns === undefined) patterns = patternsOf(path, linked);
      else patterns = patterns.filter((pattern) => fits(pattern, path, linked));
    },
    attachment(path, url) {
      const base = /^https?:/.test(url) && url.endsWith(`/${path}`) ? url.slice(0, -path.length - 1) : undefined;
      if (base !== undefined) uploads.set(base, (uploads.get(base) ?? 0) + 1);
    },
    theme(stylesheet) {
      themes.set(stylesheet, (themes.get(stylesheet) ?? 0) + 1);
    },
    addresses,
    get uploads() {
      const seen = byCount(uploads).slice(0, 8);
      const usual = seen.length > 0 ? [] : addresses.map((address) => address + uploadsFolder);
      // Where a site of ours that wrote the file has them.
      return [...new Set([...seen, ...usual, ...addresses.map((address) => address + uploadsRoot)])];
    },
    get permalink() {
      return patterns?.find((pattern) => /\{(?:slug|id)\}/.test(pattern));
    },
    get timezone() {
      return zones.zone;
    },
    get stylesheet() {
      return byCount(themes)[0];
    },
  };
}

/** Sites with languages have the code of the item's before its path. */
function withoutLanguage(path: string | undefined, post: PostItem): string | undefined {
  const { lang } = saidLanguage(post);
  return lang !== '' && path?.startsWith(`/${lang}/`) ? path.slice(lang.length + 1) : path;
}

function byCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Words a permalink may be made of, as `site.yaml` has them: the one that says most first. */
function wordsOf({ post, author, categories }: Linked): readonly (readonly [word: string, values: readonly string[]])[] {
  const date = post.date ?? '';
  return [
    ['{slug}', [post.slug]],
    ['{id}', post.id === undefined ? [] : [String(post.id)]],
    ['{year}', [date.slice(0, 4)]],
    ['{month}', [date.slice(5, 7)]],
    ['{day}', [date.slice(8, 10)]],
    ['{category}', categories],
    ['{author}', [author]],
  ];
}

/** Every pattern that gives the path of one post, those with most words first. */
function patternsOf(path: string, linked: Linked): readonly string[] {
  const words = wordsOf(linked);
  const segments = path.split('/');
  if (segments.length > 8) return [];
  const choices = segments.map((segment) => {
    const [, stem = '', ending = ''] = /^(.*?)(\.\w+)?$/.exec(segment) ?? [];
    const fitting = words.flatMap(([word, values]) =>
      stem !== '' && values.some((value) => same(value, stem)) ? [word + ending] : [],
    );
    return [...fitting, segment];
  });
  const all = choices.reduce<string[]>(
    (made, options) => made.flatMap((start) => options.map((option) => `${start}/${option}`)),
    [''],
  );
  const count = (pattern: string): number => pattern.split('{').length;
  return all.map((pattern) => pattern.slice(1)).sort((a, b) => count(b) - count(a));
}

function fits(pattern: string, path: string, linked: Linked): boolean {
  const words = new Map(wordsOf(linked));
  const segments = path.split('/');
  const wanted = pattern.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((segment, i) => {
      const word = /^\{\w+\}/.exec(segment)?.[0];
      const values = word === undefined ? [''] : (words.get(word) ?? []);
      return values.some((value) => same(value + segment.slice(word?.length ?? 0), segments[i] ?? ''));
    })
  );
}

/** Octets may be written in either case. */
function same(a: string, b: string): boolean {
  return a !== '' ? a.toLowerCase() === b.toLowerCase() : b === '';
}
