/** Parses responses of oEmbed services: XML, and untrusted markup. */
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../kernel/model/escape.ts';

const frameAttributes = ['src', 'width', 'height', 'frameborder', 'marginwidth', 'marginheight', 'scrolling', 'title'];

/**
 * Reduces untrusted markup to a quotation with links, and one sandboxed frame.
 *
 * @returns null if there is neither. Cost: linear.
 */
export function framed(html: string): string | null {
  let quote = '';
  let frame = '';
  let depth = 0;
  let hidden = 0;
  let link = false;
  let quoted = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script' || name === 'style') hidden++;
      if (name === 'blockquote' && !quoted) depth++;
      else if (name === 'iframe' && frame === '') frame = frameOf(attributes);
      else if (name === 'a' && depth > 0 && !link && isWeb(attributes.href)) {
        quote += `<a href="${escapeHtml(attributes.href as string)}">`;
        link = true;
      } else if (depth > 0 && (name === 'p' || name === 'br')) quote += ' ';
    },
    ontext(text) {
      if (depth > 0 && hidden === 0) quote += escapeHtml(text);
    },
    onclosetag(name) {
      if (name === 'script' || name === 'style') hidden--;
      if (link && (name === 'a' || name === 'blockquote')) {
        quote += '</a>';
        link = false;
      }
      if (name === 'blockquote' && depth > 0 && --depth === 0) quoted = true;
    },
  });
  parser.end(html);
  const text = quote.replace(/\s+/g, ' ').trim();
  return text === '' && frame === '' ? null : (text === '' ? '' : `<blockquote>${text}</blockquote>`) + frame;
}

/** The members of an oEmbed response in XML, one level deep; null for other documents. Custom entities are not read. */
export function readXml(text: string): Record<string, unknown> | null {
  const members: Record<string, unknown> = {};
  const path: string[] = [];
  let value = '';
  let found = false;
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        if (name === 'oembed' && path.length === 1) found = true;
        if (path.length === 2) value = '';
      },
      ontext: (part) => {
        if (path.length === 2) value += part;
      },
      onclosetag(name) {
        if (path.length === 2 && path[0] === 'oembed' && /^[a-z]\w*$/.test(name)) members[name] = value.trim();
        path.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return found && Object.keys(members).length > 0 ? members : null;
}

function frameOf(given: Readonly<Record<string, string>>): string {
  if (!isWeb(given.src)) return '';
  const kept = frameAttributes.flatMap((name) => (given[name] === undefined ? [] : [` ${name}="${escapeHtml(given[name])}"`]));
  return `<iframe sandbox="allow-scripts" security="restricted"${kept.join('')}></iframe>`;
}

function isWeb(address: string | undefined): boolean {
  return address !== undefined && /^https?:\/\//i.test(address);
}
