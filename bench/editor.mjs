#!/usr/bin/env node
/**
 * What the page where people write costs in a browser: keys in a long text, opening a post, what is loaded, a long list that scrolls,
 * and what another program saves, each beside its bar. Needs `npm run build`, `vim`, and Debian's `chromium` (CMS_CHROMIUM names another
 * program).
 *
 *     node bench/editor.mjs [--keys N] [--posts N] [--only NAME] [--profile FILE] [--json]
 *
 * A key is timed from its press, as the browser has it, to the end of the main thread's work on the frame with its sign. The browser
 * draws as soon as it can: waiting for the next turn of a screen depends on the screen alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { writeCorpus, writeText } from './corpus.mjs';
import { readOptions } from './options.mjs';
import { project, quantile, startServer, stopAll } from './servers.mjs';

const { values: options } = readOptions({
  options: {
    keys: { type: 'string', default: '300' },
    posts: { type: 'string', default: '10000' },
    only: { type: 'string', multiple: true },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [login, password] = ['anna', 'a long secret'];
const longPost = 7;
const wants = (name) => options.only === undefined || options.only.includes(name);

const base = mkdtempSync(join(tmpdir(), 'cms-bench-editor-'));
process.env.CMS_STATE_DIR = join(base, 'state');
let browser;
try {
  const site = makeSite(join(base, 'site'));
  const server = await startServer(site, '/cms-json/cms/v2/posts');
  browser = await chromium.launch({
    executablePath: process.env.CMS_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-frame-rate-limit', '--disable-gpu-vsync'],
  });
  const rows = await measure(server.base);
  if (options.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else
    for (const { name, value, unit, bar } of rows)
      console.log(
        `${name.padEnd(40)}${value.toFixed(1).padStart(8)} ${unit.padEnd(3)}${bar === undefined ? '' : `${value <= bar ? ' + ' : ' – '}bar ${bar}`}`,
      );
  process.exitCode = rows.some(({ value, bar }) => value > bar) ? 1 : 0;
} finally {
  await browser?.close();
  await stopAll();
  rmSync(base, { recursive: true, force: true });
}

function makeSite(folder) {
  mkdirSync(folder);
  writeCorpus(folder, Number(options.posts));
  // Beside what people write, some of what the editor shows as its source.
  const text = writeText(20_000).replace(
    /(\n## )/g,
    () => `\n[gallery ids="1,2"]\n\n| A | B |\n| --- | --- |\n| one | two |\n$&`,
  );
  writeFileSync(
    join(folder, 'posts/long.md'),
    `---\nid: ${longPost}\ntitle: A long text\ndate: 2014-01-01T10:00:00\nstatus: draft\n---\n${text}`,
  );
  const run = (args, input) =>
    execFileSync(process.execPath, [join(project, 'bin/cms.js'), 'user', ...args, '--dir', folder], { input });
  run(['create', login, '--role', 'administrator', '--email', 'anna@example.com']);
  run(['password', login, '--password-stdin'], password);
  return folder;
}

async function measure(url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/cms-admin/`);
  await page.fill('#login', login);
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.items li');
  const rows = [];
  if (wants('sizes')) rows.push(...(await measureSizes(page, url)));
  if (wants('open')) rows.push(await measureOpening(page, url));
  if (wants('keys')) {
    rows.push(...(await measureField(page)));
    rows.push(...(await measureKeys(page, url, 'visual')));
    rows.push(...(await measureKeys(page, url, 'source')));
  }
  if (wants('list')) rows.push(...(await measureList(page, url)));
  if (wants('saved')) rows.push(...(await measureSaved(page, url)));
  await context.close();
  return rows;
}

/** Kilobytes of scripts and styles, compressed, until a list and an editor are there. */
async function measureSizes(page, url) {
  const sizes = new Map();
  const count = async (response) => {
    if (response.url().includes('/cms-admin/files/')) sizes.set(response.url(), gzipSync(await response.body()).length / 1000);
  };
  page.on('response', count);
  const sum = () => [...sizes.values()].reduce((all, one) => all + one, 0);
  await page.goto(`${url}/cms-admin/`);
  await page.waitForSelector('.items li');
  await page.waitForLoadState('networkidle');
  const list = sum();
  await page.goto(`${url}/cms-admin/?edit=posts/${longPost}`);
  await page.waitForSelector('.text');
  await page.waitForLoadState('networkidle');
  const editor = sum();
  await page.click('text="Source"');
  await page.waitForSelector('.source .cm-content');
  await page.waitForLoadState('networkidle');
  page.off('response', count);
  return [
    { name: 'loaded for a list', value: list, unit: 'KB', bar: 150 },
    { name: 'loaded for the visual editor', value: editor, unit: 'KB', bar: 450 },
    { name: 'loaded for both editors', value: sum(), unit: 'KB', bar: 450 },
  ];
}

/** From a click in the list to a text that can be written in. */
async function measureOpening(page, url) {
  const times = [];
  for (let at = 0; at < 15; at++) {
    await page.goto(`${url}/cms-admin/`);
    await page.waitForSelector('.items li');
    times.push(
      await page.evaluate(async (nth) => {
        const from = performance.now();
        document.querySelectorAll('.items .title a')[nth].click();
        while (!document.querySelector('.text[contenteditable]')) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        return performance.now() - from;
      }, at),
    );
  }
  return { name: 'opening a post, p95', value: quantile(times, 0.95), unit: 'ms', bar: 300 };
}

/** The least that a key costs in this browser on this machine. */
async function measureField(page) {
  const field = await page.context().newPage();
  await field.setContent('<textarea></textarea>');
  await field.click('textarea');
  const { times } = await typed(field);
  await field.close();
  return [
    { name: 'key to sign, empty page, p50', value: quantile(times, 0.5), unit: 'ms' },
    { name: 'key to sign, empty page, p95', value: quantile(times, 0.95), unit: 'ms' },
  ];
}

/** Keys in the middle of a long text. */
async function measureKeys(page, url, kind) {
  await page.goto(`${url}/cms-admin/?edit=posts/${longPost}`);
  await page.waitForSelector('.text');
  if (kind === 'visual') {
    await page.evaluate(() => {
      const all = document.querySelectorAll('.text > p');
      all[Math.floor(all.length / 2)].scrollIntoView({ block: 'center' });
    });
    await page.mouse.click(500, 450);
  } else {
    await page.click('text="Source"');
    await page.waitForSelector('.source .cm-content');
    await page.click('.source .cm-content');
    for (let at = 0; at < 20; at++) await page.keyboard.press('PageDown');
  }
  await page.keyboard.press('End');
  const session = options.profile && (await page.context().newCDPSession(page));
  await session?.send('Profiler.enable');
  await session?.send('Profiler.start');
  const { times, workedMs } = await typed(page);
  if (session) {
    const { profile } = await session.send('Profiler.stop');
    writeFileSync(`${options.profile}.${kind}.cpuprofile`, JSON.stringify(profile));
  }
  return [
    { name: `processor time of a key, ${kind}`, value: workedMs / times.length, unit: 'ms' },
    { name: `key to sign, ${kind}, p50`, value: quantile(times, 0.5), unit: 'ms' },
    { name: `key to sign, ${kind}, p95`, value: quantile(times, 0.95), unit: 'ms', bar: 16 },
  ];
}

/** Types where the caret is. @returns ms of each key, and the processor time of the page's main thread */
async function typed(page) {
  await page.evaluate(() => {
    globalThis.keyTimes = [];
    const { port1, port2 } = new MessageChannel();
    const waiting = [];
    port2.onmessage = () => globalThis.keyTimes.push(performance.now() - waiting.shift());
    const wait = (event) =>
      requestAnimationFrame(() => {
        waiting.push(event.timeStamp);
        port1.postMessage(null);
      });
    addEventListener('keydown', wait, { capture: true });
  });
  const metrics = await page.context().newCDPSession(page);
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workedMs = async () =>
    (await metrics.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  const before = await workedMs();
  // Twice as fast as quick writers, with their pauses: in some the draft is kept.
  const text = 'the harbour in the morning, and a lantern over there. ';
  for (let at = 0; at < Number(options.keys); at++) {
    await page.keyboard.press(text[at % text.length]);
    await page.waitForTimeout(at % 50 === 49 ? 800 : 60);
  }
  return { times: await page.evaluate(() => globalThis.keyTimes), workedMs: (await workedMs()) - before };
}

/** From the first to the last post, as fast as frames come, with rests in which it is loaded what is seen. */
async function measureList(page, url) {
  await page.goto(`${url}/cms-admin/`);
  await page.waitForSelector('.items li');
  const frames = await page.evaluate(async () => {
    const times = [];
    let last = 0;
    const frame = () =>
      new Promise((done) =>
        requestAnimationFrame(() => {
          const now = performance.now();
          if (last > 0) times.push(now - last);
          last = now;
          done();
        }),
      );
    for (let at = 0; at < 400; at++) {
      scrollBy(0, 120);
      await frame();
      if (at % 40 !== 39) continue;
      await new Promise((done) => setTimeout(done, 400));
      last = 0;
    }
    return times;
  });
  const from = performance.now();
  await page.keyboard.press('End');
  await page.waitForSelector(`.items li[aria-posinset="${Number(options.posts)}"]`);
  return [
    { name: `frame of a list of ${options.posts}, p50`, value: quantile(frames, 0.5), unit: 'ms' },
    { name: `frame of a list of ${options.posts}, p95`, value: quantile(frames, 0.95), unit: 'ms', bar: 16.7 },
    { name: 'its last post after the key End', value: performance.now() - from, unit: 'ms', bar: 1000 },
  ];
}

/** From a save in vim, as the file system dates it, until the editor that is open shows it. */
async function measureSaved(page, url) {
  const id = 999_999_999;
  const file = join(base, 'site/posts/saved.md');
  writeFileSync(file, `---\nid: ${id}\ntitle: Saved\nstatus: draft\n---\nSaved 0 times.\n`);
  do await page.goto(`${url}/cms-admin/?edit=posts/${id}`);
  while ((await page.waitForSelector('.text, main [role=alert]').then((one) => one.getAttribute('role'))) === 'alert');
  const times = [];
  for (let at = 1; at <= 60; at++) {
    const shown = page.evaluate(async (text) => {
      while (!document.querySelector('.text')?.textContent.includes(text)) await new Promise(requestAnimationFrame);
      return Date.now();
    }, `Saved ${at} times.`);
    execFileSync('vim', ['-es', '-u', 'NONE', '-c', `%s/^Saved \\d.*/Saved ${at} times./`, '-c', 'wq', file]);
    const { mtimeMs } = statSync(file);
    times.push((await shown) - mtimeMs);
    await page.waitForTimeout(200 + 10 * at);
  }
  return [
    { name: 'saved in vim to shown, p50', value: quantile(times, 0.5), unit: 'ms' },
    { name: 'saved in vim to shown, p95', value: quantile(times, 0.95), unit: 'ms', bar: 1000 },
  ];
}
