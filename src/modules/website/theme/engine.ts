/**
 * The template engine, sandboxed: templates see only their data and include one another. No code, no files, bounded; output is escaped unless it is
 * markup made by the site.
 *
 * Source: liquidjs.com, options and "DoS prevention".
 */
import { Liquid, LiquidError, type Template } from 'liquidjs';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { type Say, sayIn } from '../words/index.ts';

/** Markup that is not escaped. */
export class Html {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
  toString(): string {
    return this.html;
  }
}

/** Null if empty, for conditions. */
export function markup(html: string): Html | null {
  return html.trim() === '' ? null : new Html(html);
}

/** An error in a template. Line and column count from 1. */
export interface TemplateFault {
  /** Below `theme/`: `post.liquid`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface TemplateEngine {
  /** Names of its templates, without `.liquid`. */
  has(name: string): boolean;
  /** @throws TemplateError */
  render(name: string, data: PageData): string;
}

/** Data of a page. Partials see `site` implicitly, for the language of their texts. */
export interface PageData {
  readonly site: { readonly language: string };
  readonly [name: string]: unknown;
}

/** Per page, on any machine: 200,000 tags, texts and values, memory for about as many, two seconds. */
const limits = { templateLimit: 200_000, memoryLimit: 20_000_000, renderLimit: 2000 };
/** Maximum characters of a page, and of a text in it: repeated captures double in size. */
const maxPage = 10_000_000;
/** Maximum characters of a template. */
export const maxTemplate = 200_000;
const extension = '.liquid';

export class TemplateError extends Error {
  readonly fault: TemplateFault;
  /** It exceeded the time or memory of a page. */
  readonly isLimit: boolean;
  constructor(fault: TemplateFault) {
    super(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`);
    this.fault = fault;
    this.isLimit = /(?: limit| stack size) exceeded$|^Invalid string length$/.test(fault.message);
  }
}

/**
 * @param templates  name → text; nothing else can be included
 * @param assetUrl  URL of a file in `theme/assets`
 * @param say  texts in a language
 */
export function createEngine(
  templates: ReadonlyMap<string, string>,
  assetUrl: (path: string) => string = (path) => path,
  say: (tag: string) => Say = sayIn,
): TemplateEngine {
  const files: Record<string, string> = Object.create(null);
  for (const [name, text] of templates) files[name + extension] = text;
  const liquid = new Liquid({
    templates: files,
    extname: extension,
    cache: true,
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: true,
    outputEscape: (value) => (value instanceof Html ? value.html : escapeHtml(bounded(printed(value)))),
    timezoneOffset: 0,
    parseLimit: maxTemplate * 2,
    ...limits,
  });
  liquid.registerFilter('asset', (path: unknown) => assetUrl(printed(path)));
  liquid.registerFilter('t', function (english: unknown, ...values: readonly unknown[]) {
    const { site } = this.context.globals as PageData;
    return say(site.language)(printed(english), Object.fromEntries(values.filter(isNamed)));
  });
  const parsed = new Map<string, Template[]>();
  return {
    has: (name) => templates.has(name),
    render(name, data) {
      try {
        const template = parsed.get(name) ?? liquid.parse(templates.get(name) ?? '', name + extension);
        parsed.set(name, template);
        return bounded(String(liquid.renderSync(template, data, { ...limits, globals: { site: data.site } })));
      } catch (error) {
        throw new TemplateError(faultIn(error, name));
      }
    },
  };
}

/**
 * The error in a template; null if valid.
 * @param has  whether a template exists
 */
export function templateFault(name: string, text: string, has: (name: string) => boolean): TemplateFault | null {
  try {
    const liquid = new Liquid({ templates: {}, extname: extension, strictFilters: true, parseLimit: maxTemplate });
    for (const name of ['asset', 't']) liquid.registerFilter(name, (value: unknown) => value);
    liquid.parse(text, name + extension);
  } catch (error) {
    return faultIn(error, name);
  }
  for (const { 1: before = '', 2: included = '', index } of text.matchAll(
    /(\{%-?\s*(?:render|include|layout)\s+["'])([^"'{}]+)["']/g,
  )) {
    if (has(included)) continue;
    const place = placeIn(text, index + before.length);
    return { file: name + extension, ...place, message: `there is no template "${included}"` };
  }
  return null;
}

/** Line and column of an offset, from 1. */
export function placeIn(text: string, offset: number): Pick<TemplateFault, 'line' | 'column'> {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 };
}

function faultIn(error: unknown, name: string): TemplateFault {
  const of = (file: string, line: number, column: number, message: string): TemplateFault => ({ file, line, column, message });
  if (!LiquidError.is(error)) return of(name + extension, 1, 1, error instanceof Error ? error.message : String(error));
  const { token, originalError } = error as LiquidError;
  const [line = 1, column = 1] = token.getPosition();
  // The innermost error has the right file.
  if (originalError && LiquidError.is(originalError)) return faultIn(originalError, name);
  const message = (originalError?.message ?? error.message).replace(/, file:.*$|, line:.*$/s, '');
  return of(token.file ?? name + extension, line, column, message);
}

/** Named arguments of a filter are pairs. */
function isNamed(argument: unknown): argument is readonly [string, unknown] {
  return Array.isArray(argument) && argument.length === 2 && typeof argument[0] === 'string';
}

function bounded(text: string): string {
  if (text.length > maxPage) throw new Error('page length limit exceeded');
  return text;
}

function printed(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.map(printed).join('') : String(value);
}
