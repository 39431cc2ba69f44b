/**
 * Bodies: links are led to where things are, and the few tags of template languages that only say an address or mark code are
 * replaced by what they say. All other template code stays as text and is counted, kind by kind. Code is left alone.
 */
import { outsideCode } from '../../../modules/content/front-matter/headings.ts';
import { withoutTags } from '../../../render/text.ts';
import type { LinkTarget } from './addresses.ts';
import type { GeneratorPlan } from './site-generator.ts';

export interface BodyContext {
  readonly templates: GeneratorPlan['templates'];
  /** Whether the page is MDX. */
  readonly isMdx: boolean;
  /** Path the site was below. */
  readonly base: string;
  resolve(target: string): LinkTarget;
  byName(name: string): LinkTarget;
  /** Address of a page by what template tags call it: a path, a file name; '' when there is none. */
  refer(name: string): string;
  /** Counts something for the report. */
  note(rule: 'template' | 'broken-link' | 'left-out', what: string): void;
}

/** A body as the site holds it. Cost: linear. */
export function convertBody(body: string, cx: BodyContext): string {
  // NUL, which marks what is put aside, is no character of Markdown.
  const whole = body.replaceAll('\u0000', '\ufffd');
  const text = cx.isMdx ? withoutModules(whole, cx) : whole;
  return outsideCode(text, (part) => rewriteLinks(templateTags(part, cx), cx));
}

// --- links ---

const inlineLink = /(\]\(\s*)(<[^<>\n]*>|[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)/g;
const definition = /^( {0,3}\[[^\]\n]{1,999}\]:[ \t]*)(<[^<>\n]*>|\S+)/gm;
const attribute = /(\s(?:href|src|poster|data-src)\s*=\s*)(?:"([^"\n]*)"|'([^'\n]*)')/gi;
const sourceSet = /(\ssrcset\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi;
/** What has no end is passed over as a whole: nothing that begins in it has one. So it is with the tags of templates below. */
const wikiLink = /(!?)\[\[([^\]|#\n]*)(#[^\]|\n]*)?(?:\|([^\]\n]*))?(\]\])?/g;
const inlineCode = /(?<!`)(`{1,9})(?!`)[^\n]*?[^`\n]\1(?!`)/g;

function rewriteLinks(text: string, cx: BodyContext): string {
  const held: string[] = [];
  // Inline code is put aside. Lines that are too long to look through for its ends have none.
  const shown = text.replace(/^.{0,5000}$/gm, (line) =>
    line.includes('`') ? line.replace(inlineCode, (code) => `\u0000${held.push(code) - 1}\u0000`) : line,
  );
  const lead = (target: string): string => {
    const found = cx.resolve(target);
    if (found.kind === 'missing') cx.note('broken-link', target);
    return found.kind === 'file' || found.kind === 'page' ? found.url : target;
  };
  const bracketed = (target: string): string => {
    const inner = target.startsWith('<') ? target.slice(1, -1) : target;
    const next = lead(inner);
    return next === inner ? target : encodeDestination(next);
  };
  const linked = (cx.templates === 'wiki' ? shown.replace(wikiLink, (...found) => wiki(found as unknown as string[], cx)) : shown)
    .replace(inlineLink, (_, before: string, target: string) => before + bracketed(target))
    .replace(definition, (all, before: string, target: string) => (/^\s*\[\^/.test(before) ? all : before + bracketed(target)))
    .replace(
      attribute,
      (_, before: string, double?: string, single?: string) =>
        `${before}"${lead(double ?? single ?? '').replaceAll('"', '%22')}"`,
    )
    .replace(sourceSet, (_, before: string, double?: string, single?: string) => {
      const sources = (double ?? single ?? '')
        .split(',')
        .map((source) => source.trim().replace(/^\S+/, (target) => lead(target)));
      return `${before}"${sources.join(', ')}"`;
    });
  return held.length === 0 ? linked : linked.replace(/\u0000(\d+)\u0000/g, (_, at: string) => held[Number(at)] ?? '');
}

/** `[[Note]]`, `[[Note#part|text]]`, `![[picture.png]]`. */
function wiki([all = '', bang, name = '', anchor = '', label, end]: readonly string[], cx: BodyContext): string {
  if (end === undefined) return all;
  const found = name === '' ? { kind: 'other' as const } : cx.byName(name.trim());
  const text = label ?? (anchor === '' ? name : `${name}${anchor.replace('#', ' › ')}`);
  if (name === '') return `[${label ?? anchor.slice(1)}](${anchorOf(anchor)})`;
  if (found.kind === 'page') return `[${text}](${encodeDestination(found.url)}${anchorOf(anchor)})`;
  if (found.kind === 'file')
    return bang === '!' && /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(found.path)
      ? `![${label && !/^\d+(?:x\d+)?$/.test(label) ? label : ''}](${found.url})`
      : `[${text}](${found.url})`;
  cx.note('broken-link', name.trim());
  return all;
}

function anchorOf(anchor: string): string {
  return anchor === '' ? '' : `#${encodeURIComponent(anchor.slice(1).trim().toLowerCase().replace(/\s+/g, '-'))}`;
}

function encodeDestination(url: string): string {
  return url.replace(/[\s()<>]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

// --- template languages ---

function templateTags(text: string, cx: BodyContext): string {
  if (cx.templates === 'hugo') return text.includes('{{') ? hugoTags(text, cx) : text;
  if (cx.templates === 'liquid' || cx.templates === 'nunjucks') return /\{[{%]|\{:/.test(text) ? liquidTags(text, cx) : text;
  if (cx.isMdx) {
    for (const [, name] of text.matchAll(/<([A-Z][\w.]*)/g)) cx.note('template', `component ${name}`);
    for (const _ of text.matchAll(/(?<![\\$])\{(?!\/\*)[^{}\n]+\}/g)) cx.note('template', 'expression {…}');
  }
  return text;
}

function liquidTags(text: string, cx: BodyContext): string {
  const to = (address: string): string =>
    /^[a-z]+:|^\/\//i.test(address) ? address : `${cx.base}/${address.replace(/^\/+/, '')}`;
  const refer = (all: string, name: string): string => {
    const found = cx.refer(name);
    if (found === '') cx.note('broken-link', name);
    return found || all;
  };
  const replaced = text
    .replace(/\{%-?\s*(?:post_url|link)\s+([^\s%]{1,500})\s*-?%\}/g, refer)
    .replace(/\{%-?\s*highlight\s+([\w+-]+)(?![\w+-])[^%\n]*%\}\n?/g, '```$1\n')
    .replace(/\n?\{%-?\s*endhighlight\s*-?%\}/g, '\n```')
    .replace(
      /\{\{-?\s*["']([^"'\n]*)["']\s*\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.(?:baseurl|url))[^}\n]{0,200}\}\}/g,
      (_, address: string) => to(address),
    )
    .replace(/\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}(?:\{\{-?\s*site\.baseurl\s*-?\}\})?/g, cx.base);
  for (const [, name] of replaced.matchAll(/\{%-?\s*(\w+)/g))
    if (!name?.startsWith('end')) cx.note('template', `tag {% ${name} %}`);
  for (const [, name] of replaced.matchAll(/\{\{-?\s*([\w.]+)?/g)) cx.note('template', `output {{ ${name ?? '…'} }}`);
  if (cx.templates === 'liquid')
    for (const [, end] of replaced.matchAll(/\{:[^}\n]*(\}?)/g)) if (end !== '') cx.note('template', 'attributes {: … }');
  return replaced;
}

function hugoTags(text: string, cx: BodyContext): string {
  const replaced = text
    .replace(
      /\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["“]?(?=([^"”\s>%]{1,500}))\1["”]?(?:[^>%\n{]|\{(?!\{))*[>%]\}\}/g,
      (all, target: string) => {
        const [name = '', anchor] = target.split('#');
        const found = name === '' ? '' : cx.refer(name);
        if (found === '' && name !== '') cx.note('broken-link', target);
        return found === '' && name !== '' ? all : `${found}${anchor === undefined ? '' : `#${anchor}`}`;
      },
    )
    .replace(
      /\{\{[<%]\s*figure\s((?:[^>%\n]|%(?!\}\}))*\s*)([>%]\}\}(?:\s*\{\{[<%]\s*\/figure\s*[>%]\}\})?)?/g,
      (all, given: string, end?: string) => (end === undefined ? all : figure(given.trimEnd().replace(/\/$/, ''))),
    )
    .replace(
      /\{\{[<%]\s*highlight\s+([\w+-]+)(?![\w+-])(?:[^>\n]*([>%]\}\})\n?|[^>\n]*)/g,
      (all, language: string, end?: string) => (end === undefined ? all : `\`\`\`${language}\n`),
    )
    .replace(/\n?\{\{[<%]\s*\/highlight\s*[>%]\}\}/g, '\n```');
  for (const [, name] of replaced.matchAll(/\{\{[<%]\s*([\w./-]+)/g))
    if (!name?.startsWith('/')) cx.note('template', `shortcode ${name}`);
  return replaced;
}

/** The figure shortcode as the element it makes. */
function figure(given: string): string {
  const values = new Map(
    [...given.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|`([^`]*)`|(\S+))/g)].map(([, key, a, b, c]) => [
      key,
      a ?? b ?? c ?? '',
    ]),
  );
  const get = (key: string): string => escapeAttribute(values.get(key) ?? '');
  const size = ['width', 'height', 'loading'].map((key) => (values.has(key) ? ` ${key}="${get(key)}"` : '')).join('');
  const image = `<img src="${get('src')}" alt="${get('alt') || withoutTags(get('caption'))}"${size}>`;
  const link = values.has('link')
    ? `<a href="${get('link')}"${values.has('target') ? ` target="${get('target')}"` : ''}>${image}</a>`
    : image;
  const title = values.has('title') ? `<h4>${values.get('title')}</h4>` : '';
  const caption = [title, values.get('caption') ?? '', values.get('attr') ?? ''].filter((part) => part !== '').join(' ');
  const name = values.has('class') ? ` class="${get('class')}"` : '';
  return `<figure${name}>${link}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

function escapeAttribute(text: string): string {
  return text.replace(/"/g, '&quot;');
}

const importLine = /^import\s+(?:['"]|[\w$*{][^'"\n]*\bfrom\s*['"]|(?:[\w$]+\s*,\s*)?\{[^}'"\n]*$)/;
const exportLine = /^export\s+(?:const|let|var|function|async|default|class|\{|\*)/;

/** MDX without its imports and exports, which are programs. An import ends with its address, an export with an empty line. */
function withoutModules(body: string, cx: BodyContext): string {
  const without = outsideCode(body, (text) => {
    const kept: string[] = [];
    let inside: 'import' | 'export' | null = null;
    for (const line of text.split('\n')) {
      if (inside !== null) {
        if (line.trim() === '' || (inside === 'import' && /['"]/.test(line))) inside = null;
        continue;
      }
      if (!importLine.test(line) && !exportLine.test(line)) {
        kept.push(line);
        continue;
      }
      cx.note('left-out', line.trim().slice(0, 80));
      if (exportLine.test(line)) inside = 'export';
      else if (!/['"]/.test(line)) inside = 'import';
    }
    return kept.join('\n');
  });
  return without === body ? body : without.replace(/^\n+/, '');
}
