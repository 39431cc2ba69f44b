/**
 * Ids inside content (of images, galleries, menus, queries) where an import had to assign other ones.
 */
import { wireConstants } from '../../render/wire-constants.ts';
import { blockTypes } from '../../render/block-types.ts';
import { delimiters } from '../../render/blocks.ts';

export interface IdRewriter {
  /** Of posts of any type: attachments, blocks, navigation, pages. */
  post(from: number, to: number): void;
  term(from: number, to: number): void;
  /** What a term of the source is here. */
  termId(from: number): number;
  /** All at once, so that ids may be exchanged. Not to be done twice. */
  rewrite(text: string): string;
}

type IdMap = ReadonlyMap<string, string>;

const linking = /^core\/navigation-(?:link|submenu)$/;
const inMarkup = new RegExp(
  [
    `(?<=\\b(?:${wireConstants.imageClass}|${wireConstants.attachmentRel}))\\d+\\b`,
    '(?<=\\bid=["\']attachment_)\\d+(?=["\'])',
    '(?<=<img\\s[^<>]{0,2000}\\sdata-id=["\'])\\d+(?=["\'])',
  ].join('|'),
  'g',
);
const inShortcodes = /(?<=\[(?:gallery|playlist)\s[^[\]]{0,500}\b(?:ids|include|exclude|id)=["']?)[\d,\s]+(?=["'\]\s])/g;

export function createIdRewriter(): IdRewriter {
  const posts = new Map<string, string>();
  const terms = new Map<string, string>();
  return {
    post: (from, to) => void (from === to ? posts.delete(`${from}`) : posts.set(`${from}`, `${to}`)),
    term: (from, to) => void (from === to ? terms.delete(`${from}`) : terms.set(`${from}`, `${to}`)),
    termId: (from) => Number(terms.get(`${from}`) ?? from),
    rewrite(text) {
      if (posts.size + terms.size === 0 || !/\d/.test(text)) return text;
      const pieces: string[] = [];
      let done = 0;
      for (const { start, end, name, json } of delimiters(text)) {
        if (json === '') continue;
        const before = text.slice(start, end);
        const after = inDelimiter(before, name, posts, terms);
        if (after === before) continue;
        pieces.push(text.slice(done, start), after);
        done = end;
      }
      const blocks = pieces.length === 0 ? text : pieces.join('') + text.slice(done);
      return blocks.replace(inMarkup, (id) => posts.get(id) ?? id).replace(inShortcodes, (ids) => numbers(ids, posts));
    },
  };
}

function inDelimiter(text: string, name: string, posts: IdMap, terms: IdMap): string {
  if (blockTypes.get(name)?.holds !== undefined)
    return text.replace(/(?<!\\)("(?:id|mediaId|ref|ids)":\s?)(\d+|\[[\d,\s]*\])/g, (_, key, ids) => key + numbers(ids, posts));
  if (linking.test(name)) {
    const kind = /"kind":\s?"([a-z-]+)"/.exec(text)?.[1];
    const map = kind === 'taxonomy' ? terms : kind === 'post-type' ? posts : undefined;
    return map ? text.replace(/(?<!\\)("id":\s?)(\d+)/, (_, key, id) => key + numbers(id, map)) : text;
  }
  if (name === 'core/latest-posts') return text.replace(/(?<!\\)("id":\s?)(\d+)/g, (_, key, id) => key + numbers(id, terms));
  if (name !== 'core/query') return text;
  return text.replace(/(?<="taxQuery":\s?\{)[^{}]*(?=\})/, (queries) =>
    queries.replace(/\[[\d,\s]*\]/g, (ids) => numbers(ids, terms)),
  );
}

function numbers(text: string, map: IdMap): string {
  return text.replace(/\d+/g, (id) => map.get(id) ?? id);
}
