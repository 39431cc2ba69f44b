/**
 * Whoever may not write any markup writes scripts into every text of every resource that can be written, in either deployment. Nothing
 * that a front end, a page or a feed shows of it runs: a parser looks at each text that is answered, and a browser shows them all.
 *
 * What may be written is read off the catalogue, so a new route or field is met without a line here. Texts that are no markup, and go out
 * as they were written for whoever shows them to escape, are listed below, each with the reason.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../src/kernel/model/schema.ts';
import { bodyOf, fields, meant, names, type Round, unwritten } from './hostile-bodies.ts';
import { openBrowser } from '../support/browser.ts';
import { askInProcess } from '../support/in-process.ts';
import { showAll } from '../support/in-page.mjs';
import { sendFile, picture } from '../support/media.ts';
import { isRunning, runs } from '../support/scripts.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';

/** Everything but markup of their own. */
const writer = { id: 1, roles: ['administrator'], capabilities: { unfiltered_html: false } };

const image = '<img src=x onerror=alert(1)>';
/** Items that a route writes in a round. */
const enough = 4;

/** What is written, in turn. */
const rounds: readonly Round[] = [
  {
    text: `<script>alert(1)</script>${image}<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg><a href="java&#10;script:alert(1)">x</a><iframe srcdoc="<script>alert(1)</script>"></iframe><form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form><!--><script>alert(1)</script>--><math><mtext><table><mglyph><style>${image}</style></mglyph></table></mtext></math><p style="background:url(javascript:alert(1))" onmouseover="alert(1)">x</p>`,
    address: 'javascript:alert(1)',
  },
  {
    text: `" onmouseover="alert(1)" x="'onfocus=alert(1) autofocus x='></title></textarea></style></script>]]>-->${image}&lt;img src=x onerror=alert(1)&gt;&amp;lt;script&amp;gt;alert(1)`,
    address: 'https://example.org/"onmouseover="alert(1)',
  },
  {
    text: `[x](javascript:alert(1)) \u003cscript\u003ealert(1)\u003c/script\u003e <javascript:alert(1)> [caption]${image}" onclick="alert(1)[/caption] \\u003cimg src=x onerror=alert(1)\\u003e`,
    address: 'data:text/html,<script>alert(1)</script>',
  },
];

/** Values of fields by their names, where a script would keep the item from being seen, or made. */
const fixed: Readonly<Record<string, (serial: number, isWanted: boolean) => unknown>> = {
  status: () => 'publish',
  username: (serial, isWanted) => (isWanted ? `eve-${serial}` : undefined),
  email: (serial) => `eve-${serial}@example.org`,
  password: (_, isWanted) => (isWanted ? 'Sturdy-pass-91' : undefined),
  slug: (serial, isWanted) => (isWanted ? `eve-${serial}` : undefined),
  post: () => 10,
  author_email: () => 'eve@example.org',
  roles: () => undefined,
  parent: () => undefined,
  date: () => undefined,
  date_gmt: () => undefined,
  type: () => undefined,
  template: () => undefined,
  lang_language: () => undefined,
  context: () => undefined,
};

/** A value that a schema takes, with scripts wherever it has texts; undefined: there are none. */
function scripted(name: string, schema: Schema, { text, address }: Round, serial: number): unknown {
  const types = [schema.type ?? []].flat();
  const isWanted = schema.required === true;
  if (name in fixed) return fixed[name]?.(serial, isWanted);
  if (schema.enum) return isWanted ? Object.values(schema.enum)[0] : undefined;
  if (types.includes('string')) {
    if (schema.format === 'uri') return address;
    if (schema.format !== undefined) return undefined;
    return /(?:url|link|href)$/i.test(name) ? address : `${text} ${serial}`;
  }
  if (types.includes('object')) {
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const made = members
      .map(([key, one]) => [key, scripted(key, one, { text, address }, serial)])
      .filter(([, value]) => value !== undefined);
    return made.length > 0 ? Object.fromEntries(made) : undefined;
  }
  if (types.includes('array')) {
    const one = scripted(name, (schema.items ?? { type: 'string' }) as Schema, { text, address }, serial);
    return one === undefined ? undefined : [one];
  }
  if (!isWanted) return undefined;
  return types.includes('boolean') ? true : 10;
}

function* textsOf(data: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (typeof data === 'string') yield [path, data];
  else if (Array.isArray(data)) for (const one of data) yield* textsOf(one, `${path}[]`);
  else if (data !== null && typeof data === 'object')
    for (const [key, value] of Object.entries(data)) yield* textsOf(value, `${path}.${/^\d+$/.test(key) ? '*' : key}`);
}

/** Texts that are no markup: whoever shows them escapes them. By the route and the path of the text. */
const plain: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\.instance\.raw\./, 'settings as forms of editors have them; what is shown of them is `rendered` and `preview`'],
  [/\.meta\./, 'data of front ends; the block of footnotes filters what it shows of it'],
  [/\.show_on_front\b/, 'a word that the service compares'],
  [/^\/media-tools\/v1\/get\/[^.]*\.icon\b/, 'a picture of the service itself'],
];

describe.each(['basic', 'extended'])('the %s deployment', (deployment) => {
  let site: TestSite;
  let browser: Browser;
  const ids = new Set<number | string>(names);
  const written = new Set<string>();
  const left = new Map<string, string>();
  const found = new Map<string, Set<string>>();
  let serial = 0;
  /** By route and path. */
  let texts: ReadonlyMap<string, ReadonlySet<string>>;

  beforeAll(async () => {
    site = await startSite({
      files: {
        'site.yaml': `name: Site\ndeployment: ${deployment}\nmenu_locations: {top: Top}\nanonymous_comments: true\n${fields}`,
        'sidebars/staff.yaml': 'name: Staff\n',
        'styles/site.html': '---\nid: 90\ntitle: Styles\n---\n{"isGlobalStylesUserThemeJSON": true}\n',
        // Notes as the editor keeps them.
        'posts/2026/01/notes.html': `---\nid: 10\ntitle: Notes\ndate: 2026-01-02\nmeta:\n  footnotes: ${JSON.stringify(JSON.stringify([{ id: '"onclick="alert(1)', content: `${image}<script>alert(1)</script>` }]))}\n---\n<!-- cms:footnotes /-->\n`,
      },
    });
    for (const id of [10, 90, 1, 2, 3]) ids.add(id);
    browser = await openBrowser();
    const sent = await sendFile(site, 'a.jpg', await picture(40, 30));
    ids.add(((await sent.json()) as { id: number }).id);
    const author = await signUp(site, 'ann', 'author');
    for (const round of rounds) {
      await sendPicture(round, author.as);
      await writeEverywhere(round);
      await renderEverything(round);
    }
    texts = await answered();
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  const { entries } = Object;
  /** @param value  of groups that mean no certain thing */
  const fill = (path: string, value: string | number): string =>
    path.replace(/\(\?P<(\w+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (_, group: string) =>
      String(meant(path, group) ?? value),
    );

  async function writeEverywhere(round: Round): Promise<void> {
    const ordered = [...writing()].sort((a, b) => Number(a.path.includes('(?P<')) - Number(b.path.includes('(?P<')));
    for (const { path, method, args } of ordered) {
      if (unwritten.some(([pattern]) => pattern.test(path))) continue;
      let met = 0;
      for (const value of path.includes('(?P<') ? ids : ['']) {
        const made = entries(args).map(([name, arg]) => [name, scripted(name, arg, round, ++serial)] as const);
        const known = made.filter(([name, one]) => one !== undefined && !path.includes(`<${name}>`));
        const body = bodyOf(path, round, ++serial) ?? Object.fromEntries(known);
        const outcome = await write(method, fill(path, value), body, round, path);
        if (outcome === '') {
          written.add(path);
          if (++met === enough) break;
        } else if (!left.get(path) || !outcome.startsWith('404')) left.set(path, outcome);
      }
    }
  }

  /** Every route that writes, with what it takes. */
  function* writing(): Generator<{ path: string; method: 'POST' | 'PUT'; args: Readonly<Record<string, Schema>> }> {
    for (const { path, endpoints } of site.server.dispatcher.registry.routes)
      for (const { methods, args } of endpoints) {
        const method = (['POST', 'PUT'] as const).find((one) => methods.includes(one));
        if (method && !(methods as readonly string[]).includes('DELETE')) yield { path, method, args };
      }
  }

  /** A file goes with its texts in a form, and a change of a picture names it. */
  async function sendPicture({ text }: Round, as: string): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await picture(40, 30))]), 'eve.jpg');
    for (const name of ['title', 'caption', 'description', 'alt_text']) form.set(name, text);
    const headers = { authorization: `Basic ${btoa(as)}` };
    const sent = await fetch(`${site.url}/cms-json/cms/v2/media`, { method: 'POST', headers, body: form });
    const { id, source_url: src } = (await sent.json()) as { id: number; source_url: string };
    if (sent.status === 201) written.add('/cms/v2/media');
    ids.add(id);
    const modifiers = [{ type: 'rotate', args: { angle: 90 } }];
    const body = { src, modifiers, title: text, caption: text, description: text, alt_text: text };
    const edit = '/cms/v2/media/(?P<id>[\\d]+)/edit';
    if ((await write('POST', `/cms/v2/media/${id}/edit`, body, rounds[0] as Round, edit)) === '') written.add(edit);
  }

  /** Blocks that the server renders, with a script for each of their attributes. */
  async function renderEverything(round: Round): Promise<void> {
    const renderer = '/cms/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)';
    const { body: types } = await askInProcess(site, 'GET', '/cms-json/cms/v2/block-types', { user: writer });
    for (const { name, is_dynamic: isDynamic, attributes } of types as any[]) {
      if (!isDynamic) continue;
      for (const [attribute, schema] of entries((attributes ?? {}) as Record<string, Schema>)) {
        const value = scripted(attribute, schema, round, ++serial);
        if (value === undefined) continue;
        const body = { context: 'edit', post_id: 10, attributes: { [attribute]: value } };
        if ((await write('POST', `/cms/v2/block-renderer/${name}`, body, round, renderer)) === '') written.add(renderer);
      }
    }
  }

  function note(route: string, body: unknown): void {
    for (const [place, text] of textsOf(body, '')) {
      if (!text.includes('alert(') && !isRunning(text)) continue;
      const key = `${route}${place}`;
      found.set(key, (found.get(key) ?? new Set()).add(text));
    }
  }

  /** Says once more without, or shorter, what is refused; what is answered is an answer, too. @returns '' when it was written */
  async function write(
    method: string,
    path: string,
    given: Record<string, unknown>,
    { text }: Round,
    route: string,
  ): Promise<string> {
    const body = { ...given };
    for (let turn = 0; turn < 12; turn++) {
      const { status, body: said } = await askInProcess(site, method, `/cms-json${path}`, { user: writer, body });
      expect([path, said?.code]).not.toEqual([path, 'internal_server_error']);
      // What is stored without what was in it is told as a failure by some.
      if (status < 300 || said?.failures) {
        if (typeof said?.id === 'number' || (typeof said?.id === 'string' && said.id.length < 80)) ids.add(said.id);
        note(route, said);
        return '';
      }
      const refused = Object.keys(said?.data?.params ?? {}).filter((name) => name in body);
      if (status !== 400 || refused.length === 0) return `${status} ${said?.code}`;
      for (const name of refused) {
        if (String(body[name]).startsWith(text)) body[name] = image;
        else delete body[name];
      }
    }
    return 'refused';
  }

  /** Every text of an answer that has something of what was written. */
  async function answered(): Promise<Map<string, Set<string>>> {
    for (const { path, endpoints } of site.server.dispatcher.registry.routes) {
      if (!endpoints.some(({ methods }) => methods.includes('GET'))) continue;
      for (const value of path.includes('(?P<') ? [...ids, 'page'] : [''])
        for (const [user, query] of [
          [null, '_embed=1&per_page=100'],
          [writer, 'context=edit&per_page=100'],
        ] as const) {
          const target = `/cms-json${fill(path, value)}?${query}`;
          const { status, body } = await askInProcess(site, 'GET', target, { user });
          if (status === 404) break;
          note(path, body);
        }
    }
    return found;
  }

  it('accepts text on every route that writes, except the listed ones', () => {
    const all = [...new Set([...writing()].map(({ path }) => path))];
    const missed = all.filter((path) => !written.has(path) && !unwritten.some(([pattern]) => pattern.test(path)));
    expect(missed.map((path) => `${path}: ${left.get(path)}`)).toEqual([]);
    // What is listed is not met all the same.
    expect([...written].filter((path) => unwritten.some(([pattern]) => pattern.test(path)))).toEqual([]);
    expect(written.size).toBeGreaterThan(deployment === 'basic' ? 45 : 100);
  });

  it('returns nothing that runs, except plain text in the listed places', () => {
    const active = [...texts].flatMap(([key, some]) =>
      [...some].flatMap((text) => runs(text).map((what) => `${key}: ${what.slice(0, 80)}`)),
    );
    expect(texts.size).toBeGreaterThan(30);
    expect([...new Set(active)].filter((one) => !plain.some(([pattern]) => pattern.test(one)))).toEqual([]);
  }, 300_000);

  it('shows nothing that runs in a browser', async () => {
    const shown = [...texts].filter(([key]) => !plain.some(([pattern]) => pattern.test(key)));
    const all = [...new Set(shown.flatMap(([, some]) => [...some]))];
    await looking(async (page) => {
      await page.goto(`${site.url}/robots.txt`);
      expect(await page.evaluate(showAll, all)).toEqual([]);
    });
  }, 300_000);

  it('shows pages on which nothing runs, even without a policy', async () => {
    const addresses = [
      '/',
      '/feed/',
      '/comments/feed/',
      '/?s=alert',
      '/author/admin/',
      '/cms-login.php',
      '/sitemap.xml',
      ...[...ids].filter((id) => typeof id === 'number').map((id) => `/?p=${id}`),
    ];
    await looking(async (page) => {
      for (const address of addresses) {
        const { body } = await site.ask('GET', address, { raw: true });
        expect([address, runs(String(body))]).toEqual([address, []]);
        await page.goto(site.url + address).catch(() => undefined);
      }
    });
  }, 300_000);

  /** Dialogs, and scripts that fail, are what must not be. */
  async function looking(look: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    const told: string[] = [];
    page.on('dialog', (dialog) => {
      told.push(`dialog on ${page.url()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => told.push(`${page.url()}: ${error.message}`));
    await look(page);
    await context.close();
    expect(told).toEqual([]);
  }
});
