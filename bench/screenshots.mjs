/**
 * Pictures of the website for the docs: the sample in a browser, on a phone and on a desktop. Needs `npm run build`, and Debian's
 * `chromium` (CMS_CHROMIUM names another program).
 *
 *     node bench/screenshots.mjs [folder]      default: docs/screenshots
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { copySampleSite } from './sample-site.mjs';

const root = resolve(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(root, 'docs/screenshots'));

const pages = {
  home: '/',
  menu: '/',
  post: '/hello-harbour/',
  page: '/about/',
  search: '/?s=lighthouse',
  missing: '/nothing-here/',
};
const screens = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};

const dir = join(await mkdtemp(join(tmpdir(), 'cms-screenshots-')), 'site');
copySampleSite(dir);
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
      const picture = await page.screenshot();
      const small = await sharp(picture).png({ palette: true, colours: 32, effort: 10, compressionLevel: 9 }).toBuffer();
      await writeFile(join(out, `${name}-${screen}.png`), small);
      process.stdout.write(`${name}-${screen}.png ${small.length}\n`);
    }
    await context.close();
  }
} finally {
  await browser?.close();
  const ended = once(server, 'exit');
  server.kill();
  await ended;
  await rm(dir, { recursive: true, force: true });
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
