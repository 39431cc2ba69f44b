/**
 * Marks on a page for one user who may edit it: at the title, each block and picture of the text, titles in lists, and menus. Each leads to
 * its place in the editor. They are put into the finished page, whatever theme it has, so nothing of them can reach a page for visitors.
 */
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../../kernel/model/escape.ts';

export interface MarkedItem {
  /** As the editor names it: `posts/12`. */
  readonly place: string;
  readonly url: string;
}

export interface MarkedPost extends MarkedItem {
  readonly title: string;
  /** Its text as it stands in the page; '' for none. */
  readonly content: string;
  /** File name of the featured picture without size and ending; '' for none. */
  readonly picture: string;
}

export interface MarkedMenu {
  readonly id: number;
  readonly name: string;
  /** Of its first level, in order. */
  readonly urls: readonly string[];
}

export interface Marked {
  readonly post: MarkedPost | null;
  /** Shown in a list. */
  readonly entries: readonly MarkedItem[];
  readonly menus: readonly MarkedMenu[];
  /** Path of the editor. */
  readonly editor: string;
  /** `Edit`, in the language of the page. */
  readonly word: string;
}

/** Letters of a block that tell it from others. */
const mostWords = 60;
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3']);
const menuElements: ReadonlySet<string> = new Set(['nav', 'ul', 'ol']);

const style = `<style>
.cms-mark{all:initial;cursor:pointer;display:inline-flex;align-items:center;justify-content:center;min-width:24px;min-height:24px;
border-radius:12px;background:#1a56b0;color:#fff;font:16px/24px system-ui,sans-serif;margin-inline-start:6px;vertical-align:middle}
.cms-mark:hover,.cms-mark:focus-visible{outline:3px solid #1a56b0;outline-offset:2px}
.cms-mark.beside{float:inline-end;clear:inline-end}
.cms-mark.page{position:fixed;inset-block-end:16px;inset-inline-end:16px;z-index:9;padding:10px 18px;border-radius:32px}
@media print{.cms-mark{display:none}}
</style>`;

interface Open {
  readonly name: string;
  readonly start: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly hrefs: string[];
  readonly pictures: { readonly src: string; readonly alt: string }[];
}

/** Cost: linear. */
export function markPage(html: string, marked: Marked): string {
  const { post, word } = marked;
  const begin = post && post.content !== '' ? html.indexOf(post.content) : -1;
  const end = begin < 0 ? -1 : begin + (post?.content.length ?? 0);
  const inserts: { readonly at: number; readonly html: string }[] = [];
  const menus = new Set(marked.menus.filter(({ urls }) => urls.length > 0));
  const entries = new Map(marked.entries.map((entry) => [entry.url, entry]));
  const open: Open[] = [];
  let level = -1;
  let block = 0;
  let isTitled = false;
  let isPictured = false;
  const put = (at: number, place: Readonly<Record<string, string>>, name: string, kind = ''): void => {
    inserts.push({ at, html: markOf(marked, place, `${word}: ${squeeze(name)}`, kind) });
  };
  const isWithin = (at: number): boolean => begin >= 0 && at >= begin && at < end;

  const closed = (element: Open, closeAt: number): void => {
    const { name, start, text, hrefs, pictures } = element;
    if (post && isWithin(start) && open.length === level) {
      const words = squeeze(text).slice(0, mostWords);
      for (const { src, alt } of pictures)
        put(start, { edit: post.place, at: 'text', picture: nameOf(src) }, alt || nameOf(src), 'beside');
      if (words !== '') put(start, { edit: post.place, at: 'text', block: String(block), words }, words, 'beside');
      block++;
      return;
    }
    if (isWithin(start)) return;
    if (post && !isTitled && name === 'h1' && squeeze(text) === squeeze(post.title)) {
      isTitled = true;
      put(closeAt, { edit: post.place, at: 'title' }, post.title);
    }
    const entry = headings.has(name) ? hrefs.flatMap((href) => entries.get(href) ?? [])[0] : undefined;
    if (entry) {
      entries.delete(entry.url);
      put(closeAt, { edit: entry.place }, text);
    }
    const isInner = open.some((outer) => outer.name === 'nav');
    if (!menuElements.has(name) || (name !== 'nav' && isInner)) return;
    for (const menu of menus)
      if (menu.urls.every((url) => hrefs.includes(url))) {
        menus.delete(menu);
        put(name === 'nav' ? closeAt : start, { menus: String(menu.id) }, menu.name);
        break;
      }
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const start = parser.startIndex;
      if (isWithin(start) && level < 0) level = open.length;
      open.push({ name, start, attributes, text: '', hrefs: [], pictures: [] });
      if (name === 'a' && attributes.href !== undefined) for (const one of open) one.hrefs.push(attributes.href);
      if (name !== 'img' || attributes.src === undefined) return;
      const { src, alt = '' } = attributes;
      if (isWithin(start)) for (const one of open) one.pictures.push({ src, alt });
      else if (post && !isPictured && post.picture !== '' && nameOf(src) === post.picture) {
        isPictured = true;
        put(open.at(-2)?.start ?? start, { edit: post.place, at: 'featured_media' }, alt || nameOf(src), 'beside');
      }
    },
    ontext(text) {
      for (const one of open) if (one.text.length < 4 * mostWords) one.text += text;
    },
    onclosetag() {
      const element = open.pop();
      if (element) closed(element, parser.startIndex);
    },
  });
  parser.end(html);
  if (post) {
    const close = html.lastIndexOf('</body>');
    inserts.push({ at: close < 0 ? html.length : close, html: pageMark(marked, post) });
  }
  if (inserts.length === 0) return html;
  const head = Math.max(0, html.indexOf('</head>'));
  return spliced(html, [{ at: head, html: style }, ...inserts]);
}

function spliced(html: string, inserts: readonly { readonly at: number; readonly html: string }[]): string {
  let out = '';
  let from = 0;
  for (const { at, html: added } of [...inserts].sort((a, b) => a.at - b.at)) {
    out += html.slice(from, at) + added;
    from = at;
  }
  return out + html.slice(from);
}

function markOf({ editor }: Marked, place: Readonly<Record<string, string>>, name: string, kind: string): string {
  const label = escapeHtml(name.slice(0, 120));
  return `<a class="cms-mark ${kind}" href="${escapeHtml(`${editor}?${new URLSearchParams(place)}`)}" aria-label="${label}" title="${label}">✎</a>`;
}

function pageMark({ editor, word }: Marked, { place }: MarkedPost): string {
  const name = escapeHtml(word);
  return `<nav aria-label="${name}"><a class="cms-mark page" href="${escapeHtml(`${editor}?edit=${place}`)}">${name}</a></nav>`;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The name of a file, whatever size of it is shown. */
export function nameOf(address: string): string {
  const name = address.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  return name.replace(/-\d+x\d+(?=\.\w+$)/, '').replace(/\.\w+$/, '');
}
