/**
 * Pictures for the docs: the website of the sample, and the page where people write, on a phone and on a desktop. Needs `npm run build`, and Debian's
 * `chromium` (CMS_CHROMIUM names another program).
 *
 *     node bench/screenshots.mjs [folder]      default: docs/screenshots
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { readOptions } from './options.mjs';
import { copySampleSite } from './sample-site.mjs';

const root = resolve(import.meta.dirname, '..');
const { positionals } = readOptions({ allowPositionals: true });
const out = resolve(positionals[0] ?? join(root, 'docs/screenshots'));

const pages = {
  home: '/',
  menu: '/',
  post: '/hello-harbour/',
  page: '/about/',
  search: '/?s=lighthouse',
  missing: '/nothing-here/',
};
/** Of the page where people write: on which screen, where, what is there when it is shown, and what is scrolled to. */
const places = {
  'editor-desktop': ['desktop', 'edit=posts/{hello-harbour}', '.text'],
  'editor-fields': ['phone', 'edit=posts/{hello-harbour}', 'summary:text-is("Custom fields")', true],
  'editor-list': ['phone', 'list=posts', '.items li'],
  'editor-menus': ['desktop', 'menus=', '.tree li'],
  'editor-terms': ['desktop', 'terms=category', '.tree li'],
};
const screens = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};

const dir = join(await mkdtemp(join(tmpdir(), 'cms-screenshots-')), 'site');
copySampleSite(dir);
await appendFile(
  join(dir, 'site.yaml'),
  `
fields:
  - key: group_hours
    title: Hours
    location: [[{ param: type, value: post }]]
    fields:
      - { key: field_subtitle, name: subtitle, label: Subtitle, type: text }
      - key: field_hours
        name: hours
        label: Opening hours
        type: repeater
        fields:
          - { key: field_day, name: day, label: Day, type: text }
          - { key: field_from, name: from, label: From, type: time }
`,
);
const cms = (line, input = '') => execFileSync(process.execPath, [join(root, 'bin/cms.js'), ...line, '--dir', dir], { input });
const password = 'quay and lantern';
cms(['user', 'create', 'demo', '--email', 'demo@example.com', '--role', 'administrator', '--name', 'Anna Berg']);
cms(['user', 'password', 'demo', '--password-stdin'], password);
const server = spawn(process.execPath, [join(root, 'bin/cms.js'), 'serve', dir, '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
let browser;
try {
  const url = await addressOf(server);
  browser = await chromium.launch({
    executablePath: process.env.CMS_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--hide-scrollbars'],
  });
  await mkdir(out, { recursive: true });
  for (const [screen, options] of Object.entries(screens)) {
    const context = await browser.newContext({ ...options, colorScheme: 'light' });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(url + path, { waitUntil: 'networkidle' });
      if (name === 'menu' && !(await opened(page))) continue;
      await keep(page, `${name}-${screen}`);
    }
    await context.close();
  }
  for (const [name, [screen, place, there, isScrolled]] of Object.entries(places)) {
    const context = await browser.newContext({ ...screens[screen], colorScheme: 'light' });
    const page = await context.newPage();
    const slug = /\{(.+)\}/.exec(place)?.[1];
    const [{ id }] = slug ? await (await fetch(`${url}/cms-json/cms/v2/posts?slug=${slug}`)).json() : [{}];
    await page.goto(`${url}/cms-admin/?${place.replace(/\{.+\}/, id)}`);
    await page.fill('#login', 'demo');
    await page.fill('#password', password);
    await page.keyboard.press('Enter');
    await page.locator(there).first().waitFor();
    if (isScrolled) await page.locator(there).evaluate((one) => one.scrollIntoView());
    await page.waitForLoadState('networkidle').catch(() => {});
    await keep(page, name);
    await context.close();
  }
} finally {
  await browser?.close();
  const ended = once(server, 'exit');
  server.kill();
  await ended;
  await rm(dir, { recursive: true, force: true });
}

async function keep(page, name) {
  const small = await sharp(await page.screenshot())
    .png({ palette: true, colours: 32, effort: 10, compressionLevel: 9 })
    .toBuffer();
  await writeFile(join(out, `${name}.png`), small);
  process.stdout.write(`${name}.png ${small.length}\n`);
}

/** Whether there is a menu to open: a desktop shows it. */
async function opened(page) {
  const button = page.locator('.menu-button');
  if (!(await button.isVisible())) return false;
  await button.click();
  return true;
}

/** Where the server listens. */
async function addressOf({ stderr }) {
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /(http:\/\/\S+)\/cms-json\//.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('the server has ended');
}
