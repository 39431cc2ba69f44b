/** `cms serve --open`: the browser is opened, and its pages load themselves again when a file is saved. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { main } from '../../../../src/cli/main.ts';
import { newSite, pretend, run, temporary } from '../../../cli/run.ts';
import { openBrowser } from '../../../support/browser.ts';
import { until } from '../../../support/site.ts';

/** Serves while `work` lasts. */
async function serving(
  line: readonly string[],
  env: Readonly<Record<string, string>>,
  work: (url: string, said: readonly string[]) => Promise<void>,
): Promise<void> {
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const { io, said } = pretend({ stopped: () => stopped, env });
  const ended = main(['serve', ...line, '--port', '0'], io);
  try {
    const url = await until(() => /http:\/\/[\d.:]+(?=\/cms-json)/.exec(said.err.join('\n'))?.[0]);
    await work(url, said.err);
  } finally {
    stop();
    expect(await ended).toBe(0);
  }
}

describe('cms serve --open', () => {
  let browser: Browser;
  let dir: string;
  let env: Record<string, string>;
  let told: string;
  beforeAll(async () => {
    browser = await openBrowser();
    ({ dir } = await newSite());
    const place = await temporary();
    told = join(place, 'opened');
    await writeFile(join(place, 'browser'), `#!/bin/sh\nprintf '%s' "$1" > '${told}.new' && mv '${told}.new' '${told}'\n`);
    await chmod(join(place, 'browser'), 0o755);
    env = { BROWSER: join(place, 'browser'), PATH: process.env.PATH ?? '' };
    for (const folder of ['pages', 'theme']) await mkdir(join(dir, folder), { recursive: true });
    await writeFile(join(dir, 'pages/about.md'), '---\ntitle: About\nid: 700\n---\nAs it was.\n');
  });
  afterAll(() => browser.close());

  it('opens the site and reloads on save: a text, a template, a style', async () => {
    await serving([dir, '--open'], env, async (url) => {
      expect(await until(() => readFile(told, 'utf8').catch(() => null))).toBe(`${url}/`);
      const page = await browser.newPage();
      /** Asked from outside, as the page runs no text; null while it loads itself again. */
      const ask = (question: string): Promise<unknown> => page.evaluate(question).catch(() => null);
      const shown = () => ask("document.querySelector('main')?.textContent");
      const colour = () => ask('getComputedStyle(document.body).backgroundColor');
      await page.goto(`${url}/about/`);
      expect(await page.textContent('main')).toContain('As it was.');
      await writeFile(join(dir, 'pages/about.md'), '---\ntitle: About\nid: 700\n---\nAs it is.\n');
      await expect.poll(shown).toContain('As it is.');
      await writeFile(join(dir, 'theme/footer.liquid'), '<footer id="mine">Mine</footer>');
      await page.waitForSelector('#mine');
      await writeFile(join(dir, 'theme/style.css'), 'body { background: rgb(1, 2, 3) }');
      await expect.poll(colour).toBe('rgb(1, 2, 3)');
      await page.close();
    });
  });

  it('runs only its own script', async () => {
    await writeFile(join(dir, 'pages/bad.md'), '---\ntitle: Bad\nid: 701\n---\n<script>document.title = "It ran"</script>\n');
    await serving([dir, '--open'], env, async (url) => {
      const response = await fetch(`${url}/bad/`);
      expect(response.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[\w+/]{43}='/);
      const page = await browser.newPage();
      await page.goto(`${url}/bad/`);
      expect(await page.title()).toContain('Bad');
      await page.close();
    });
  });

  it('prints the URL if no browser can be opened', async () => {
    await serving([dir, '--open'], { BROWSER: '/nowhere/browser' }, async (url, said) => {
      await until(() => said.includes(`no browser could be opened; the site is at ${url}/`));
    });
  });

  it('supports only one process', async () => {
    const { status, err } = await run(['serve', dir, '--open', '--workers', '2']);
    expect([status, err]).toEqual([2, expect.stringContaining('--open works with a single process only')]);
  });

  it('changes nothing without the option', async () => {
    await serving([dir], {}, async (url) => {
      const response = await fetch(`${url}/about/`);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'none'");
      expect(await response.text()).not.toContain('<script');
      expect((await fetch(`${url}/theme/live`)).status).toBe(404);
    });
  });
});
