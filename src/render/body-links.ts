/**
 * Links in a body, Markdown or markup, that may lead to this site or to a file beside it: where each stands, and what it says.
 * Cost: linear.
 */
import { withoutTrailing } from '../kernel/model/text-ends.ts';
import { commentsIn, codeIn, type Ranges, within } from './body-ranges.ts';

export interface BodyLink {
  /** Offset and length of the address in the body. */
  readonly at: number;
  readonly length: number;
  /** As written between quotes or parentheses. */
  readonly raw: string;
  /** What it means: entities and escapes read. */
  readonly address: string;
  /** It stands where other words than addresses may stand as well. */
  readonly isLoose?: true;
}

/** Tags that are longer, and links beyond this number in one body, are not looked at. */
const maxTag = 4000;
const maxLinks = 20_000;

/** A root-relative address where addresses stand. */
const local = /["'=(<,:\s]\/(?!\/)/;
/** Relative ones: in Markdown, behind labels, in attributes and in the data of blocks. What each cannot be without is looked for first. */
const relative: readonly (readonly [string, RegExp])[] = [
  ['](', /\]\([ \t]{0,8}<?(?!["'\s)#/]|[a-z][a-z0-9+.-]+:)/i],
  [']:', /^ {0,3}\[[^\]^\n][^\]\n]*\]:/m],
  ['=', /\b(?:href|src|poster|srcset|cite|action)\s{0,8}=\s{0,8}["']?(?!["'\s#/]|[a-z][a-z0-9+.-]+:)/i],
  ['":"', /":"\.{0,2}[^":/]+[./]/],
];

/** Whether a body may hold relative addresses. */
export function hasRelative(body: string): boolean {
  return relative.some(([sign, form]) => body.includes(sign) && form.test(body));
}

/**
 * @param hosts  how absolute addresses of the site go on behind the scheme: `//example.com`
 * @param code   passages of code, where they are known already
 */
export function linksIn(body: string, kind: 'md' | 'html', hosts: readonly string[], code?: Ranges): BodyLink[] {
  const isHere = hosts.some((host) => body.includes(host)) || local.test(body) || hasRelative(body);
  if (!isHere) return [];
  const links = [...inAttributes(body), ...inBlocks(body), ...(kind === 'md' ? inMarkdown(body, hosts) : [])];
  if (links.length === 0) return [];
  links.sort((a, b) => a.at - b.at || b.length - a.length);
  const isCode = within(code ?? (kind === 'md' ? codeIn(body) : []));
  let end = -1;
  return links.filter(({ at, length }) => {
    // An address is found once: as a link, and not again as plain text inside of it.
    if (at < end || isCode(at)) return false;
    end = at + length;
    return true;
  });
}

const attribute = /\b(href|src|poster|srcset|cite|action)\s{0,8}=\s{0,8}("[^"]*"|'[^']*'|[^\s"'<>]+)/gi;

/** Values of attributes, in tags and not in comments. */
function inAttributes(body: string): BodyLink[] {
  const links: BodyLink[] = [];
  const isComment = within(body.includes('<!--') ? commentsIn(body) : []);
  let less = -1;
  let next = body.indexOf('<');
  let more = -1;
  let looked = 0;
  for (const found of body.matchAll(attribute)) {
    const before = less;
    for (; next !== -1 && next < found.index; next = body.indexOf('<', next + 1)) less = next;
    if (less !== before) more = body.indexOf('>', less);
    // In a tag: the last `<` begins a name, and no `>` but in quotes stands in between.
    if (less === -1 || !/[a-z]/i.test(body[less + 1] ?? '') || found.index - less > maxTag) continue;
    if (++looked > maxLinks) break;
    if ((more !== -1 && more < found.index && !isQuoted(body.slice(less, found.index))) || isComment(found.index)) continue;
    const [whole, name = '', value = ''] = found;
    const quoted = value[0] === '"' || value[0] === "'";
    const raw = quoted ? value.slice(1, -1) : value;
    const at = found.index + whole.length - value.length + (quoted ? 1 : 0);
    if (name.toLowerCase() !== 'srcset') links.push(link(at, raw, entities(raw)));
    else
      for (const part of raw.matchAll(/(?<![^\s,])[^\s,][^\s]*/g))
        if (!/^\d+(?:\.\d+)?[wx],?$/.test(part[0])) links.push(...sourceOf(part, at));
  }
  return links;
}

function sourceOf(part: RegExpMatchArray, at: number): BodyLink[] {
  const raw = withoutTrailing(part[0], ',');
  return [link(at + (part.index ?? 0), raw, entities(raw))];
}

/** Whether a `>` in the tag so far stood in an attribute's value: quotes are even then without it. */
function isQuoted(tag: string): boolean {
  return !tag.replace(/"[^"]*"|'[^']*'/g, '').includes('>');
}

const inJson = /"(?:url|href|src|link|mediaUrl|mediaLink|poster|linkTo|textLinkHref)":"((?:[^"\\]|\\.)*)"/g;

/** Addresses among the attributes of blocks. */
function inBlocks(body: string): BodyLink[] {
  const links: BodyLink[] = [];
  if (!body.includes('<!--')) return links;
  for (const [from, to] of commentsIn(body)) {
    for (const found of body.slice(from, to).matchAll(inJson)) {
      if (links.length > maxLinks) return links;
      const raw = found[1] ?? '';
      links.push({ ...link(from + found.index + found[0].length - 1 - raw.length, raw, unescaped(raw)), isLoose: true });
    }
  }
  return links;
}

const bracketed = /\]\([ \t]{0,8}(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()<>]*\))+))/g;
/** Not footnotes, and not text in brackets with a colon behind it: a definition holds an address and a title at most. */
const defined = /^ {0,3}\[(?!\^)[^\]\n]{1,999}\]:[ \t]{0,8}(?:<([^<>\n]*)>|(\S+))(?=[ \t]*(?:$|["'(\r]))/gm;

/** Links, pictures, definitions, and absolute addresses of the site that stand in the text. */
function inMarkdown(body: string, hosts: readonly string[]): BodyLink[] {
  const links: BodyLink[] = [];
  for (const pattern of [bracketed, defined]) {
    for (const found of body.matchAll(pattern)) {
      if (links.length > maxLinks) break;
      const raw = found[1] ?? found[2] ?? '';
      const at = found.index + found[0].length - raw.length - (found[1] === undefined ? 0 : 1);
      links.push(link(at, raw, entities(raw.replace(/\\([!-/:-@[-`{-~])/g, '$1'))));
    }
  }
  for (const host of hosts) {
    for (let at = body.indexOf(host); at !== -1; at = body.indexOf(host, at + host.length)) {
      const start = /https?:$/i.exec(body.slice(Math.max(0, at - 6), at));
      if (!start) continue;
      if (links.length > maxLinks) break;
      const rest = withoutTrailing(/^[^\s<>()[\]"'`*]*/.exec(body.slice(at, at + 2000))?.[0] ?? '', '?!.,:;_~');
      const raw = start[0] + rest;
      links.push(link(at - start[0].length, raw, entities(raw)));
    }
  }
  return links;
}

function link(at: number, raw: string, address: string): BodyLink {
  return { at, length: raw.length, raw, address };
}

function entities(text: string): string {
  return text.includes('&') ? text.replace(/&(?:amp|#0*38|#x0*26);/gi, '&') : text;
}

function unescaped(json: string): string {
  if (!json.includes('\\')) return json;
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return json;
  }
}
