/**
 * The images of folders as gallery markup, from the same data as a list of media, so nothing else is visible.
 *
 * Source: reference of media folders, 5.
 */
import { table } from '../../../kernel/model/maps.ts';
import { filterHtml } from '../../../render/filter.ts';
import { decodeEntities } from '../../../render/text.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { originalOf } from '../../../kernel/store/paths.ts';
import { treeOf } from './access.ts';
import { filesOf, limitsOf } from './counts.ts';
import { idList, textOf, wholeNumber } from './exchange.ts';
import { attachment, type FiledAttachment } from './plan.ts';
import { memberKey } from './record.ts';

interface Attributes {
  readonly folders: readonly number[];
  readonly hasCaption: boolean;
  readonly hasLightbox: boolean;
  readonly isCropped: boolean;
  readonly columns: number;
  readonly space: number;
  readonly minWidth: number;
  readonly linkTo: string;
  readonly sortBy: string;
  readonly direction: 1 | -1;
  readonly layout: string;
  readonly className: string;
}

/** An image in a list of media. */
interface Shown {
  readonly id: number;
  readonly source_url: string;
  readonly link: string;
  readonly alt_text: string;
  readonly title: { readonly rendered: string };
  readonly caption: { readonly rendered: string };
}

const atOnce = 100;
const notice = 'There are no images in the chosen folders.';

/** '' if no folder is selected, or it is empty. */
export async function galleryOf(call: Call, sent: Readonly<Record<string, unknown>>): Promise<string> {
  const wanted = readAttributes(sent);
  const tree = treeOf(call);
  const values = wanted.folders.filter((id) => tree.byId.has(id)).map((id) => memberKey(tree.scope, id));
  if (values.length === 0) return '';
  const files = filesOf(call, [{ kind: 'in', index: 'folder', values }, ...limitsOf(call)]).records;
  if (files.length === 0) return '';
  const pictures = files.flatMap(({ id }) => attachment(call.site, id) ?? []).filter(({ mime }) => mime.startsWith('image/'));
  const keyOf = sortKeys[wanted.sortBy] ?? byDate;
  const sorted = pictures.toSorted((a, b) => wanted.direction * (compare(keyOf(a), keyOf(b)) || a.id - b.id));
  const items: string[] = [];
  for (let at = 0; at < sorted.length; at += atOnce)
    for (const shown of await shownOf(call, sorted.slice(at, at + atOnce))) items.push(itemOf(shown, wanted));
  const list = items.length > 0 ? items.join('') : `<li class="blocks-gallery-item">${notice}</li>`;
  return `<ul class="${escapeHtml(classesOf(wanted))}" style="${stylesOf(wanted)}">${list}</ul>`;
}

async function shownOf(call: Call, pictures: readonly FiledAttachment[]): Promise<readonly Shown[]> {
  const response = await call.inner('GET', call.urls.rest('/cms/v2/media'), {
    include: pictures.map(({ id }) => id),
    orderby: 'include',
    per_page: atOnce,
    _fields: 'id,source_url,link,alt_text,title,caption',
  });
  return response.status === 200 ? (response.data as readonly Shown[]) : [];
}

function itemOf(shown: Shown, { hasCaption, linkTo }: Attributes): string {
  // Titles are HTML text.
  const alt = shown.alt_text || decodeEntities(shown.title.rendered);
  const image = `<img src="${escapeHtml(shown.source_url)}" alt="${escapeHtml(alt)}" class="cms-image-${shown.id}" data-id="${shown.id}" />`;
  const target = linkTo === 'media' ? shown.source_url : linkTo === 'attachment' ? shown.link : '';
  const linked = target === '' ? image : `<a href="${escapeHtml(target)}">${image}</a>`;
  const caption = hasCaption ? filterHtml(shown.caption.rendered, 'post').trim() : '';
  const below = caption === '' ? '' : `<figcaption class="blocks-gallery-item__caption">${caption}</figcaption>`;
  return `<li class="blocks-gallery-item"><figure>${linked}${below}</figure></li>`;
}

function classesOf({ columns, isCropped, hasLightbox, layout, className }: Attributes): string {
  const own = className.replace(/[^\w\s-]/g, '').trim();
  return ['folders-gallery', 'blocks-gallery-grid', `layout-${layout}`, `columns-${columns}`]
    .concat(isCropped ? 'is-cropped' : [], hasLightbox ? 'has-lightbox' : [], own || [])
    .join(' ');
}

function stylesOf({ columns, space, minWidth }: Attributes): string {
  return `--columns: ${columns}; --space: ${space}px; --min-width: ${minWidth}px;`;
}

function readAttributes(sent: Readonly<Record<string, unknown>>): Attributes {
  const isOn = (name: string, usual: boolean): boolean => {
    const value = sent[name];
    return value === undefined || value === null ? usual : ![false, 0, '0', 'false', ''].includes(value as never);
  };
  const pixels = (name: string): number => Math.min(Math.max(wholeNumber(sent[name]) ?? 0, 0), 10_000);
  const word = (name: string, words: readonly string[]): string => {
    const value = textOf(sent[name]);
    return words.includes(value) ? value : (words[0] as string);
  };
  return {
    folders: idList(sent.selectedFolder) ?? [],
    hasCaption: isOn('hasCaption', false),
    hasLightbox: isOn('hasLightbox', false),
    isCropped: isOn('isCropped', true),
    columns: Math.min(Math.max(wholeNumber(sent.columns) ?? 3, 1), 24),
    space: pixels('spaceAroundImage'),
    minWidth: pixels('imgMinWidth'),
    linkTo: word('linkTo', ['none', 'media', 'attachment']),
    sortBy: word('sortBy', Object.keys(sortKeys)),
    direction: textOf(sent.sortType).toUpperCase() === 'ASC' ? 1 : -1,
    layout: word('layout', ['flex', 'grid', 'masonry']),
    className: textOf(sent.className),
  };
}

const byDate = ({ date }: FiledAttachment): string => date;
const sortKeys: Readonly<Record<string, (media: FiledAttachment) => string | number>> = table({
  date: byDate,
  title: ({ title }) => title.toLowerCase(),
  modified: ({ modified }) => modified,
  author: ({ author }) => author,
  file_name: ({ path }) => originalOf(path).replace(/^.*\//, '').toLowerCase(),
});

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
