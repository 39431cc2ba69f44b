/** A site with the page where people write, and a browser in which somebody is signed in. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildEditor } from '../../build/editor.mjs';
import type { Module } from '../../src/kernel/module.ts';
import { updateUser } from '../../src/modules/people/users/plan.ts';
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
  await updateUser(site.site, 1, { password });
  return site;
}

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained of. */
  readonly told: string[];
}

export async function signedIn(
  browser: Browser,
  site: TestSite,
  { login = 'admin', at = '', ...options }: BrowserContextOptions & { login?: string; at?: string } = {},
): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const told: string[] = [];
  page.on(
    'console',
    (message) => message.type() === 'error' && !/status of (?:304|412)/.test(message.text()) && told.push(message.text()),
  );
  page.on('pageerror', (error) => told.push(String(error)));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${site.url}/cms-admin/${at}`);
  await page.fill('#login', login);
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('main h1');
  return { context, page, told };
}
