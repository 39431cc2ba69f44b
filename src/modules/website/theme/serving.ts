/** Serves pages by URL: cached until their content may have changed, and without scripts. */
import { createHash } from 'node:crypto';
import { dropdownScript } from '../../../render/dropdown-script.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { FormTaker, Page, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { showsAddress } from '../../content/posts/index.ts';
import { pageNumber } from '../../design/dynamic-blocks/index.ts';
import { commentsBy } from '../comment-form/index.ts';
import { markdownPagesKey } from '../markdown-pages/pages.ts';
import { createPageCache } from '../page-cache/index.ts';
import { pageAddresses } from './addresses.ts';
import { type RenderedPage, documentOf, type PageOptions } from './pages.ts';
import type { CommentState, PagesAt, Printed, Target, ThemeService } from './record.ts';
import { targetAt } from './targets.ts';
import { themeFile } from './theme-files.ts';
import { createThemes, type Theme } from './theme.ts';
import { takePassword, unlockedBy } from './unlock.ts';
import { marksOn, withMarks } from './edit-mark.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { isProtected } from '../../content/posts/record.ts';

/** The URL of a preview is secret: not cached, and not sent as a referrer. */
const previewHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };
const ownToVisitor = { 'Cache-Control': 'no-store' };
const text = { 'Content-Type': 'text/plain; charset=UTF-8' };

interface Pages {
  readonly service: ThemeService;
  page(url: string, visit: Visit): Promise<Page | null>;
  form(url: string): FormTaker | null;
  /** Loads the theme, so that errors are reported at start. */
  start(): Promise<void>;
}

export function createPages(site: Site, log: (line: string) => void): Pages {
  const themes = createThemes(site, log);
  const cache = createPageCache(site);
  let script: string | null = null;

  async function page(url: string, visit: Visit): Promise<Page | null> {
    const at = pagesAt(site);
    if (typeof at === 'object') return elsewhere(at.frontEnd, url);
    if (at === 'none') return withoutTheme(site, url);
    const theme = await themes.current();
    const file = await themeFile(site, theme, url);
    if (file) return file;
    const target = targetAt(site, url);
    if (target.kind === 'redirect') return redirect(site, target);
    const by = target.kind === 'post' && !target.isPreview ? await commentsBy(site, target.post, visit) : null;
    const made = (await shown(theme, target, {
      isUnlocked: unlockedBy(site, visit),
      script,
      comment: { ...commentAsked(site, target, url), ...(by ? { by } : {}) },
      // Unused query parameters share one page.
      loops: target.kind === 'post' && !target.isPreview && showsAddress(site, target.post) ? loopsAsked(url) : '',
    })) as Page;
    const marked = await marksOn(site, theme, target, visit);
    return marked ? withMarks(made, marked) : made;
  }

  /** Never null: otherwise a 404 page. */
  async function shown(theme: Theme, target: Target, options: PageOptions): Promise<Page> {
    if (target.kind === 'post') {
      const { post, isPreview } = target;
      const isOwn = options.isWrongPassword === true || options.comment?.by !== undefined || options.isUnlocked?.(post) === true;
      if (isPreview || isOwn) {
        const made = (await documentOf(site, theme, target, options)) as RenderedPage;
        return answer(made, 200, isPreview ? previewHeaders : ownToVisitor);
      }
    }
    const { comment = {}, loops = '' } = options;
    const status = target.kind === 'missing' ? 404 : target.kind === 'gone' ? 410 : 200;
    const kept = await cache.at(
      `${theme.stamp} ${script ?? ''} ${keyOf(target)} ${JSON.stringify(comment)} ${loops}`,
      async () => {
        const made = await documentOf(site, theme, target, { script, comment, loops });
        if (!made) return null;
        return { type: 'text/html; charset=UTF-8', body: made.html, changed: '', headers: headersOf(made) };
      },
    );
    if (!kept) return shown(theme, { kind: 'missing', prefix: '', params: 'list' in target ? target.list.params : {} }, options);
    return status === 200 ? kept : { ...kept, status, headers: withoutTag(kept.headers) };
  }

  function answer(made: RenderedPage, status: number, more: Readonly<Record<string, string>>): Page {
    return { status, headers: { 'Content-Type': 'text/html; charset=UTF-8', ...headersOf(made), ...more }, body: made.html };
  }

  function headersOf({ link, html }: RenderedPage): Record<string, string> {
    const scripts = [script ?? '', dropdownScript].filter((one) => one !== '' && html.includes(one));
    // The URL also has a Markdown version.
    const others: Record<string, string> = site.settings.value(markdownPagesKey) === true ? { Vary: 'Accept' } : {};
    return { 'Content-Security-Policy': policyOf(scripts), Link: link, ...others };
  }

  const service: ThemeService = {
    pagesAt: () => pagesAt(site),
    state: async () => `${site.records.generation} ${site.url} ${(await themes.current()).stamp}`,
    showWith(given) {
      script = given;
    },
    isUnlocked: (post, visit) => unlockedBy(site, visit)(post),
    async showComment(post, visit, comment, status) {
      if (pagesAt(site) !== 'theme') return null;
      const options = { isUnlocked: unlockedBy(site, visit), script, comment };
      const made = await documentOf(site, await themes.current(), { kind: 'post', post }, options);
      return answer(made as RenderedPage, status, ownToVisitor);
    },
    async print(address): Promise<Printed | null> {
      const target = targetAt(site, address);
      if (target.kind !== 'post' && target.kind !== 'list') return null;
      const made = await documentOf(site, await themes.current(), target, { isStatic: true });
      return made && { html: made.html, next: made.next?.slice(site.url.length) ?? null };
    },
    async printMissing() {
      const target = { kind: 'missing', prefix: '', params: {} } as const;
      return ((await documentOf(site, await themes.current(), target, { isStatic: true })) as RenderedPage).html;
    },
    addresses: () => pageAddresses(site),
    async *files() {
      const theme = await themes.current();
      for (const address of [
        theme.styleUrl,
        '/theme/default.css',
        ...theme.assets().map((path) => `/theme/${encodeURI(path)}`),
      ]) {
        const file = await themeFile(site, theme, address);
        if (file?.body) yield { address, bytes: file.body };
      }
    },
  };

  return {
    service,
    page,
    form(url) {
      if (pagesAt(site) !== 'theme') return null;
      const target = targetAt(site, url);
      if (target.kind !== 'post' || !isProtected(target.post)) return null;
      return takePassword(site, target.post, url, async () =>
        shown(await themes.current(), target, { isWrongPassword: true, script }),
      );
    },
    async start() {
      if (pagesAt(site) === 'theme') await themes.current();
    },
  };
}

/** By `site.yaml`: `front: https://…`, `theme: none`. */
export function pagesAt({ settings }: { readonly settings: Pick<Site['settings'], 'stored'> }): PagesAt {
  const front = settings.stored('front');
  if (typeof front === 'string' && /^https?:\/\//i.test(front) && isUrl(front))
    return { frontEnd: withoutTrailing(front.replace(/[?#].*$/s, ''), '/') };
  return settings.stored('theme') === 'none' ? 'none' : 'theme';
}

/** The state of the comment form in the URL. */
function commentAsked(site: Site, target: Target, url: string): CommentState {
  if (target.kind !== 'post' || target.isPreview || !url.includes('?')) return {};
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  const answered = site.comments.get(Number(query.get('replytocom')));
  const isShown = answered?.post === target.post.id && answered.status === 'approved';
  return { ...(query.get('commented') === 'waits' ? { waits: true } : {}), ...(isShown ? { replyTo: answered.id } : {}) };
}

/** Parameters of query loops in a URL, normalized. */
function loopsAsked(url: string): string {
  if (!url.includes('query-')) return '';
  const asked = [...new URLSearchParams(url.slice(url.indexOf('?') + 1))]
    .filter(([name, page]) => /^query-(?:[\w-]{1,40}-)?page$/.test(name) && pageNumber(page) > 1)
    .map(([name, page]) => `${name}=${pageNumber(page)}`);
  return [...new Set(asked)].sort().slice(0, 8).join('&');
}

/** Path and query are kept: a preview works there, too. */
function elsewhere(frontEnd: string, url: string): Page {
  return {
    status: 302,
    headers: { Location: frontEnd + url.replace(/^[/\\]*/, '/'), 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' },
    body: null,
  };
}

/** Redirects still work; everything else is a 404. */
function withoutTheme(site: Site, url: string): Page | null {
  const target = targetAt(site, url);
  if (target.kind === 'redirect') return redirect(site, target);
  return target.kind === 'gone' ? { status: 410, headers: text, body: 'Gone\n' } : null;
}

function redirect(site: Site, { to, status }: Extract<Target, { readonly kind: 'redirect' }>): Page {
  return { status, headers: { Location: to.startsWith('/') ? site.url + to : to }, body: null };
}

/** The cache key of a page: its resolved target, because one page has many URLs. */
function keyOf(target: Target): string {
  return JSON.stringify(target, (_, value: unknown) => {
    const { id, etag, name, restBase } = (value ?? {}) as Readonly<Record<string, unknown>>;
    // A record is identified by id within a state, a type by name.
    if (typeof id === 'number' && typeof etag === 'string') return { id, is: (value as { type?: unknown }).type ?? 'record' };
    return typeof name === 'string' && typeof restBase === 'string' ? { name } : value;
  });
}

function withoutTag({ ETag: _, ...headers }: Page['headers']): Page['headers'] {
  return headers;
}

/** Content never runs; the server's own scripts are allowed by hash. */
function policyOf(scripts: readonly string[]): string {
  const digests = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const allowed = digests.length === 0 ? "'none'" : digests.join(' ');
  return [
    "default-src 'self' https: data:",
    `script-src ${allowed}`,
    "style-src 'self' 'unsafe-inline' https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    'frame-ancestors *',
  ].join('; ');
}
