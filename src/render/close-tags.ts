/**
 * Balanced tags: every element that is opened is closed, and nothing is closed that was not opened.
 * Source: observed behaviour of the reference (6.9).
 */

import { piecesOf } from './html-tokenizer.ts';

const single = new Set(
  'area base basefont br col command embed frame hr img input isindex link meta param source track wbr'.split(' '),
);
const nestable = new Set('article aside blockquote details div figure object q section span'.split(' '));

/** Markup with balanced tags; balanced markup stays as it is, but for the case of tag names and the slash of `<br />`. */
export function balanceTags(markup: string): string {
  let out = '';
  const open: string[] = [];
  const count = new Map<string, number>();
  const closeTop = () => {
    const name = open.pop() as string;
    count.set(name, (count.get(name) as number) - 1);
    out += `</${name}>`;
  };
  for (const { kind, raw } of piecesOf(markup)) {
    // Of `<3 <b>` only the last `<` can begin a tag.
    const start = kind === 'tag' ? raw.lastIndexOf('<') : 0;
    const tag = kind === 'tag' ? /^<(\/?)([a-z][a-z0-9:-]*)((?:\s[^>]*)?)(\/?)>$/i.exec(raw.slice(start)) : null;
    if (!tag) {
      out += kind === 'tag' && /^<\d/.test(raw) ? raw.replaceAll('<', '&lt;') : raw;
      continue;
    }
    out += raw.slice(0, start).replaceAll('<', '&lt;');
    const name = (tag[2] as string).toLowerCase();
    const closed = tag[4] === '/' || (tag[3] as string).endsWith('/');
    const attributes = (tag[3] as string).replace(/\/$/, '').trimEnd();
    if (tag[1] === '/') {
      if (!count.get(name)) continue;
      while (open[open.length - 1] !== name) closeTop();
      closeTop();
    } else if (single.has(name)) out += `<${name}${attributes} />`;
    else if (closed) out += `<${name}${attributes}></${name}>`;
    else {
      if (open[open.length - 1] === name && !nestable.has(name)) closeTop();
      open.push(name);
      count.set(name, (count.get(name) ?? 0) + 1);
      out += `<${name}${attributes}>`;
    }
  }
  while (open.length > 0) closeTop();
  return out;
}
