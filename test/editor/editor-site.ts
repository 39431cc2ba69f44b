/** A site with the page where people write, and a browser in which somebody is signed in. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildEditor } from '../../build/editor.mjs';
import type { Module } from '../../src/kernel/module.ts';
import { createUser, updateUser } from '../../src/modules/people/users/plan.ts';
import { startSite, type TestSite, type TestSiteOptions } from '../support/site.ts';

export const password = 'a long secret';

let built: Promise<URL> | undefined;

async function builtPage(): Promise<URL> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-editor-'));
  await buildEditor(dir);
  return pathToFileURL(dir + sep);
}

export async function editorSite(options: TestSiteOptions = {}): Promise<TestSite> {
  built ??= builtPage();
  const editorFiles = await built;
  const files: Module = { name: 'editor-files', setup: () => ({ site: { editorFiles } }) };
  const site = await startSite({ ...options, modules: [...(options.modules ?? []), files] });
  const admin = site.site.accounts.byLogin('admin');
  if (admin) await updateUser(site.site, admin.id, { password });
  else await createUser(site.site, { login: 'admin', email: 'admin@example.com', roles: ['administrator'], password });
  return site;
}

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained of. */
  readonly told: string[];
}

/** Cookies of those who have signed in: a password is checked slowly on purpose, and once is enough. */
const known = new WeakMap<TestSite, Map<string, BrowserContextOptions['storageState']>>();

export async function signedIn(
  browser: Browser,
  site: TestSite,
  { login = 'admin', at = '', ...options }: BrowserContextOptions & { login?: string; at?: string } = {},
): Promise<Opened> {
  const sessions = known.get(site) ?? new Map();
  known.set(site, sessions);
  const context = await browser.newContext({ storageState: sessions.get(login), ...options });
  const page = await context.newPage();
  const told: string[] = [];
  page.on(
    'console',
    (message) => message.type() === 'error' && !/status of (?:304|412)/.test(message.text()) && told.push(message.text()),
  );
  page.on('pageerror', (error) => told.push(String(error)));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${site.url}/cms-admin/${at}`);
  await page.waitForSelector('#login, main h1');
  if ((await page.locator('#login').count()) > 0) {
    await page.fill('#login', login);
    await page.fill('#password', password);
    await page.keyboard.press('Enter');
    await page.waitForSelector('main h1');
    sessions.set(login, { cookies: await context.cookies(), origins: [] });
  }
  return { context, page, told };
}

/** What runs of what somebody has written: dialogs that it opens, and requests of other hosts. */
export function whatRuns(page: Page, site: TestSite): string[] {
  const ran: string[] = [];
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => {
    ran.push(`${dialog.type()} ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    // Of an address that is no address of a server, the browser reports a request and sends none.
    if (!request.url().startsWith(site.url) && /^(?:https?|wss?|ftp):/.test(request.url())) ran.push(request.url());
  });
  return ran;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds, and whether the page is wider than the screen. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const faults = await page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run(options: object): Promise<{ violations: readonly Violation[] }> } }
    ).axe.run({ iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return isWide ? [...faults, 'it is wider than the screen'] : faults;
}

/** The same in light and in dark. */
export async function faultsInBoth(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    faults.push(...(await faultsOf(page)));
  }
  return faults;
}

/** A phone, as most who write have it at hand. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
