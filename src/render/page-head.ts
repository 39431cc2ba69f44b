/**
 * What the head of a page elsewhere says of it. One pass of a tolerant parser, whatever the page throws at it.
 */
import { Parser } from 'htmlparser2';
import { isUrl } from '../kernel/model/addresses.ts';

/** Attributes by lower-case name, entities decoded. */
type Attributes = Readonly<Record<string, string>>;

interface PageHead {
  readonly title: string;
  readonly links: readonly Attributes[];
  readonly metas: readonly Attributes[];
}

export interface PageDetails {
  /** '' where the page does not say. The same for the others. */
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly image: string;
}

/** Cost: linear; what comes after the head is not looked at. */
export function readHead(html: string): PageHead {
  const links: Attributes[] = [];
  const metas: Attributes[] = [];
  let title = '';
  let titled = false;
  let inTitle = false;
  let done = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (done) return;
      if (name === 'body') done = true;
      else if (name === 'link') links.push(attributes);
      else if (name === 'meta') metas.push(attributes);
      else if (name === 'title') inTitle = !titled;
    },
    ontext(text) {
      if (inTitle) title += text;
    },
    onclosetag(name) {
      if (name === 'title') titled = titled || inTitle;
      if (name === 'title') inTitle = false;
      if (name === 'head') done = true;
    },
  });
  parser.end(html);
  return { title: squeeze(title), links, metas };
}

/** @param url  of the page: addresses in it are relative to it */
export function detailsOf(html: string, url: string): PageDetails {
  const { title, links, metas } = readHead(html);
  const meta = (...names: readonly string[]): string =>
    squeeze(
      metas.find(({ name, property, content }) => content && names.includes((property ?? name ?? '').toLowerCase()))?.content ??
        '',
    );
  const icon =
    links.find(({ rel, href }) => href && /^(?:shortcut\s+)?icon(?:\s+shortcut)?$/i.test((rel ?? '').trim()))?.href ?? '';
  return {
    title,
    icon: located(icon.trim(), url),
    description: meta('description', 'og:description'),
    image: located(meta('og:image', 'og:image:url'), url),
  };
}

/** A web address in full, or a picture that is its own address. */
function located(address: string, url: string): string {
  if (/^data:image\//i.test(address)) return address;
  if (address === '' || !isUrl(address, url)) return '';
  const { protocol, href } = new URL(address, url);
  return protocol === 'http:' || protocol === 'https:' ? href : '';
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
