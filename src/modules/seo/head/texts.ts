/**
 * Texts and times of items as a head shows them.
 */
import { dropElements, stripTags } from '../../../kernel/model/tags.ts';
import { markdownText } from '../../../render/markdown-text.ts';
import { longText } from '../../../render/render-worker.ts';
import { dropShortcodes } from '../../../render/shortcodes.ts';
import { decodeEntities, plainText } from '../../../render/text.ts';
import { createPostView } from '../../content/posts/index.ts';
import type { PostRecord, PostView } from '../../content/posts/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { SeoPage } from './record.ts';

const pageBreak = '<!--nextpage-->';

/** What visitors without a password see of posts. */
export function visitorsView(site: Site): PostView {
  const view = views.get(site) ?? createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
  views.set(site, view);
  return view;
}

const views = new WeakMap<Site, PostView>();

/** Pages that the text is divided into. */
export function pagesOf({ content }: PostRecord): number {
  return content.split(pageBreak).length;
}

/** Text of an item without tags; what stands between blocks is as it is stored. */
export function plainContent({ site, post }: SeoPage): string {
  if (!post) return '';
  const text =
    post.kind === 'md' ? decodeEntities(plainText(visitorsView(site).content(post))) : plainText(dropShortcodes(post.content));
  return collapse(text);
}

/** The excerpt that is given, else the beginning of the text: whole words of 156 characters, of 80 in Japanese. */
export function plainExcerpt(page: SeoPage): string {
  const given = collapse(stripTags(page.post?.excerpt ?? ''));
  if (given !== '') return given;
  const text = plainContent(page);
  const limit = page.locale.startsWith('ja') ? 80 : 156;
  const characters = [...text];
  if (characters.length <= limit) return text;
  const cut = characters.slice(0, limit).join('');
  const space = cut.lastIndexOf(' ');
  return space > 0 ? cut.slice(0, space) : cut;
}

/** The excerpt that is given, as it is stored, or the first words of the first page as pages show them; without tags. */
export function shownExcerpt({ site, post }: SeoPage): string {
  if (!post) return '';
  const given = collapse(stripTags(post.excerpt));
  if (given !== '') return given;
  const [first = '', second] = post.content.split(pageBreak, 2);
  const shown = second === undefined ? post : { ...post, content: first };
  return collapse(stripTags(visitorsView(site).excerpt(shown)));
}

/** Words of title and text together, the way the reference counts them: letters, apostrophes and hyphens; digits are none. */
export function wordCount(page: SeoPage): number {
  const { site, post, counted } = page;
  if (!post) return 0;
  counted.words ??= countTogether(post, withoutCode(textOf(site, post)));
  return counted.words;
}

/** Put together, texts are copied; mostly there is nothing in them that may end in another. */
function countTogether({ title, kind }: PostRecord, text: string): number {
  if (!/[<&]/.test(title) && !/[<&]/.test(text)) return countWords(title, 'first') + countWords(text, 'last');
  const words = `${title} ${text}`;
  const plain = words.includes('<') ? stripTags(words.replaceAll('<', ' <')) : words;
  return countWords(kind === 'md' ? decodeEntities(plain) : plain, 'whole');
}

function withoutCode(html: string): string {
  return html.includes('<') ? dropElements(html, ['pre', 'code']) : html;
}

/** As it is stored: without what type has made of it. Long texts have been rendered aside. */
function textOf(site: Site, post: PostRecord): string {
  if (post.kind !== 'md') return post.content;
  return post.content.length < longText
    ? markdownText(post.content)
    : visitorsView(site)
        .content(post)
        .replace(/[\u201c\u201d\u2026]|&#82(?:20|21|30);/g, ' ');
}

/** Runs of what words are made of. Neither an apostrophe nor a hyphen begins a text, nor does a hyphen end it. */
function countWords(text: string, part: 'first' | 'last' | 'whole'): number {
  const end = part !== 'first' && text.endsWith('-') ? text.length - 1 : text.length;
  let at = 0;
  if (part !== 'last') while (text[at] === "'" || text[at] === '-') at++;
  let count = 0;
  for (let inWord = false; at < end; at++) {
    const code = text.charCodeAt(at);
    // Letters, apostrophe, hyphen, and everything that is not ASCII.
    const isPart = code > 127 || (code > 64 && code < 91) || (code > 96 && code < 123) || code === 39 || code === 45;
    if (isPart && !inWord) count++;
    inWord = isPart;
  }
  return count;
}

/** Terms of an item by their names. */
export function termsOf(page: SeoPage, taxonomy: string): readonly TermRecord[] {
  const found = page.terms.get(taxonomy) ?? sortedTerms(page, taxonomy);
  page.terms.set(taxonomy, found);
  return found;
}

function sortedTerms({ site, post, watch }: SeoPage, taxonomy: string): readonly TermRecord[] {
  const named = post?.terms[taxonomy];
  if (!post || !named) return [];
  for (const id of named) watch.record(site.terms, id);
  return visitorsView(site)
    .terms(post, taxonomy)
    .flatMap((id) => site.terms.get(id) ?? []);
}

/** @param gmt  `YYYY-MM-DDTHH:MM:SS` */
export function isoTime(gmt: string): string {
  return `${gmt}+00:00`;
}

/** Whether an item has changed since it was published. */
export function modifiedLater({ dateGmt, modifiedGmt }: PostRecord): boolean {
  return modifiedGmt > dateGmt;
}

/** Text with single spaces alone. Most texts are that already but at their ends, and replacing each space by one is dear. */
export function collapse(text: string): string {
  return text.trim().replace(/\s{2,}|[^\S ]/g, ' ');
}
