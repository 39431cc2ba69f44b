/**
 * Where the interface of a site is and which spelling it has: what the address itself says, what the site links to, the usual
 * places.
 */
import { FetchError, type Fetched, type Fetcher, textOf } from '../../../http-client/fetch.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { readHead } from '../../../render/page-head.ts';
import { type Dialect, dialects } from '../../../kernel/rest/dialect.ts';
import { SourceError } from '../../import/items.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { parseAnswer } from './answer-text.ts';

/** The index of an interface, as far as it is read here. */
export interface SourceIndex {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  readonly timezone_string: string;
  readonly gmt_offset: unknown;
  readonly routes: Readonly<Record<string, unknown>>;
}

export interface Discovered {
  /** Address of the root; may hold `?rest_route=/`. */
  readonly root: string;
  readonly dialect: Dialect;
  readonly index: SourceIndex;
  /** Address of the site as the user gave it, without a trailing slash. */
  readonly site: string;
  /** Origins the user named, which may be private. */
  readonly origins: readonly string[];
  /** The server of this project, whose texts may be Markdown. */
  readonly isCms: boolean;
}

const maxBytes = 32 * 1024 * 1024;

/**
 * @param secret  whether credentials are to be sent: then the interface must be at the origin that was named
 * @throws SourceError when there is no interface, or it is elsewhere
 */
export async function discover(fetcher: Fetcher, address: string, { secret }: { readonly secret: boolean }): Promise<Discovered> {
  if (!isUrl(address)) throw new SourceError('not a valid URL', { source: address });
  const named = new URL(address);
  if (named.username !== '' || named.password !== '') {
    throw new SourceError(
      'the URL contains a login or password',
      { source: `${named.protocol}//${named.host}` },
      { hint: 'pass them with --user or CMS_IMPORT_CREDENTIALS' },
    );
  }
  named.hash = '';
  // The same host by https may be what a plain address leads to.
  const own = [named.origin, ...(named.protocol === 'http:' && named.port === '' ? [`https://${named.host}`] : [])];
  const ask = async (url: string): Promise<Fetched | null> => {
    try {
      return await fetcher.get(url, { own, maxBytes, headers: { 'User-Agent': 'cms import', 'Accept-Encoding': 'gzip' } });
    } catch (error) {
      if (error instanceof FetchError && !error.refused) return null;
      throw error;
    }
  };
  const problems: string[] = [];
  for await (const candidate of candidates(named, ask)) {
    const answer = await ask(candidate).catch((error: unknown) => {
      problems.push((error as Error).message);
      return null;
    });
    const found = answer === null ? null : indexOf(answer);
    if (found === null || answer === null) continue;
    const root = new URL(candidate).searchParams.has('rest_route') ? candidate : answer.url;
    const { origin } = new URL(root);
    if (secret && !own.includes(origin)) {
      throw new SourceError(
        `its REST API is at ${origin}, where the password is not sent`,
        { source: address },
        { hint: `import from ${origin} if that is the same site` },
      );
    }
    const isOurs = found.dialect.name === 'neutral' || (await isNeutralToo(found.dialect, root, ask));
    return { ...found, root, origins: own, isCms: isOurs, site: siteOf(found.dialect, root) };
  }
  throw new SourceError(
    problems.length > 0 ? `cannot be read: ${problems[0]}` : 'no REST API found',
    { source: address },
    { hint: 'pass the URL of the REST API itself, as linked from the pages of the site' },
  );
}

/** Where the root may be, the likeliest first. */
async function* candidates(named: URL, ask: (url: string) => Promise<Fetched | null>): AsyncGenerator<string> {
  const bare = withoutTrailing(named.href.replace(/[?#].*$/, ''), '/');
  if (named.searchParams.has('rest_route')) {
    yield queryRoot(`${bare}/`);
    return;
  }
  if (dialects.some(({ root }) => bare.endsWith(root))) yield `${bare}/`;
  let page: Fetched | null = null;
  let refusal: unknown = null;
  try {
    page = await ask(named.href);
  } catch (error) {
    refusal = error;
  }
  const base = page ? withoutTrailing(page.url.replace(/[?#].*$/, ''), '/') : bare;
  for (const link of page ? linked(page) : []) {
    // A site behind a proxy links to the address it thinks it has; the one that was asked comes first.
    const here = new URL(link);
    here.protocol = new URL(base).protocol;
    here.host = new URL(base).host;
    yield here.href;
    if (here.href !== link) yield link;
  }
  if (refusal !== null) throw refusal;
  for (const { root } of dialects) yield `${base}${root}/`;
  yield queryRoot(`${base}/`);
}

/** Addresses by the relation of a root, in the header and in the head of the page. */
function linked(page: Fetched): string[] {
  const relations = new Set(dialects.map(({ relationUri }) => relationUri('')));
  const header = String(page.headers.link ?? '');
  const found: string[] = [];
  for (const [, target = '', params = ''] of header.slice(0, 10_000).matchAll(/<([^<>]*)>([^,<]*)/g)) {
    const rel = /rel\s*=\s*"?([^";]+)/i.exec(params)?.[1]?.trim();
    if (rel !== undefined && relations.has(rel)) found.push(target);
  }
  for (const { rel = '', href = '' } of readHead(textOf(page)).links) if (relations.has(rel.trim())) found.push(href);
  return [...new Set(found.flatMap((link) => (isUrl(link, page.url) ? [new URL(link, page.url).href] : [])))];
}

function queryRoot(base: string): string {
  return `${base}?rest_route=/`;
}

/** @returns the index and its spelling; null when it is none */
function indexOf(answer: Fetched): { readonly index: SourceIndex; readonly dialect: Dialect } | null {
  if (answer.status !== 200 || answer.isCut) return null;
  const body = mapOf(parseAnswer(textOf(answer)).value);
  const routes = body.routes;
  if (typeof routes !== 'object' || routes === null) return null;
  const dialect = dialects.find(({ spellRoute }) => spellRoute('/cms/v2') in routes);
  if (dialect === undefined) return null;
  const text = (name: string): string => (typeof body[name] === 'string' ? (body[name] as string) : '');
  return {
    dialect,
    index: {
      name: text('name'),
      description: text('description'),
      url: text('url'),
      home: text('home'),
      timezone_string: text('timezone_string'),
      gmt_offset: body.gmt_offset,
      routes: routes as SourceIndex['routes'],
    },
  };
}

/** Our server answers in both spellings, the original only in its own. */
async function isNeutralToo(dialect: Dialect, root: string, ask: (url: string) => Promise<Fetched | null>): Promise<boolean> {
  const other = dialects.find(({ name }) => name === 'neutral') as Dialect;
  const url = new URL(root);
  if (url.searchParams.has('rest_route')) return false;
  url.pathname = url.pathname.replace(new RegExp(`${dialect.root}/?$`), `${other.root}/`);
  const answer = url.href === root ? null : await ask(url.href).catch(() => null);
  return answer !== null && indexOf(answer)?.dialect === other;
}

function siteOf(dialect: Dialect, root: string): string {
  const bare = withoutTrailing(root.replace(/[?#].*$/, ''), '/');
  return bare.endsWith(dialect.root) ? bare.slice(0, -dialect.root.length) : bare;
}
