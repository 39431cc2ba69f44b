/** The recipes for front ends, each made in an empty folder as its page says, of a site that the packed program serves. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install, pack } from '../../bench/packed.mjs';
import { stepsOf, writeFiles } from '../../bench/page-steps.mjs';
import { sample } from '../support/sample-site.ts';
import { until } from '../support/site.ts';

const page = await readFile(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
const steps = stepsOf(page);
const settings = /^```yaml\n([\s\S]*?)^```$/m.exec(page)?.[1] as string;
const recipes: readonly { readonly name: string; readonly out: string; readonly places: Readonly<Record<string, string>> }[] = [
  { name: 'Astro', out: 'dist', places: { 'cms.js': 'src/cms.js' } },
  { name: 'Next', out: 'out', places: {} },
  { name: 'Eleventy', out: '_site', places: {} },
];

/** npm and bundlers take their time where others work. */
const patienceMs = 900_000;

let folder: string;
let server: ChildProcess;
let url: string;
beforeAll(async () => {
  // Not where the other files of tests are, which may be memory: these are some hundred megabytes.
  folder = await mkdtemp('/var/tmp/cms-recipes-');
  const bin = await install(await pack(folder), join(folder, 'program'));
  const content = join(folder, 'content');
  await cp(sample, content, { recursive: true });
  const own = await readFile(join(content, 'site.yaml'), 'utf8');
  await writeFile(join(content, 'site.yaml'), own.replace('deployment: basic\n', '') + settings);
  server = spawn(join(bin, 'cms'), ['serve', content, '--port', '0'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  url = await until(() => /http:\/\/[\d.:]+/.exec(said)?.[0]);
}, patienceMs);
afterAll(async () => {
  server?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const bare = (html: string): string => html.replace(/<!--.*?-->/gs, '').replaceAll('srcSet', 'srcset');

describe.each(recipes)('$name', ({ name, out, places }) => {
  let dir: string;
  const own = steps.filter(({ heading, file }) => heading === name || file === 'cms.js');
  const read = async (path: string): Promise<string> => bare(await readFile(join(dir, out, path, 'index.html'), 'utf8'));

  beforeAll(async () => {
    dir = await mkdtemp(join(folder, `${name}-`));
    const [first, last, ...others] = own.flatMap(({ run }) => run ?? []);
    expect(others).toEqual([]);
    const env = {
      ...process.env,
      CONTENT_API: `${url}/cms-json`,
      CI: '1',
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
    const type = (text = ''): Promise<unknown> => promisify(execFile)('bash', ['-ec', text], { cwd: dir, env, maxBuffer: 1e8 });
    await type(first);
    await writeFiles(own, dir, places);
    await type(last);
  }, patienceMs);

  it('has at most 62 lines', () => {
    const lines = own.flatMap(({ text = '' }) => text.trimEnd().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(62);
  });

  it('has paged lists', async () => {
    const [home, second] = [await read(''), await read('page/2')];
    expect(home).toContain('href="/low-water/"');
    expect(home).toMatch(/<a (?=[^>]*href="\/page\/2\/")[^>]*rel="next"|<a rel="next" href="\/page\/2\/"/);
    expect(second).toMatch(/<a rel="prev" href="\/"/);
    expect(second).toContain('href="/hello-harbour/"');
    expect(existsSync(join(dir, out, 'page/3'))).toBe(false);
  });

  it('has terms with only their posts', async () => {
    const harbour = (await read('category/harbour')).replace(/<nav.*?<\/nav>/s, '');
    expect(harbour).toContain('href="/hello-harbour/"');
    expect(harbour).not.toContain('href="/fish-soup/"');
    expect(await read('tag/morning')).toContain('href="/hello-harbour/"');
  });

  it('has posts and pages with their texts, and nothing private', async () => {
    expect(await read('hello-harbour')).toContain('<strong>somebody should write it down</strong>');
    expect(await read('about/team')).toMatch(/<h1>Who writes here<\/h1>/);
    expect(existsSync(join(dir, out, 'the-letter-in-the-wall'))).toBe(false);
  });

  it('has responsive featured images', async () => {
    const image = /<img [^>]*>/.exec((await read('hello-harbour')).replace(/<head.*?<\/head>/s, ''))?.[0] ?? '';
    const uploads = `${url}/uploads/2026/03`;
    expect(image).toContain(`src="${uploads}/harbour.png"`);
    expect(image).toContain(`${uploads}/harbour-300x188.png 300w`);
    expect(image).toContain('alt="Gabled warehouses and two fishing boats in front of a rising sun"');
    expect(image).toMatch(/width="640"/);
  });

  it('has the head tags for search engines', async () => {
    const head = /<head.*?<\/head>/s.exec(await read('hello-harbour'))?.[0] ?? '';
    expect(head).toContain('<title>Hello, harbour - Harbour Notes</title>');
    expect(head).toMatch(/<link rel="canonical" href="https:\/\/www\.example\.com\/hello-harbour\/" ?\/?>/);
    expect(head).toMatch(/<meta property="og:title" content="Hello, harbour - Harbour Notes" ?\/?>/);
    expect(await read('')).toContain('<title>Harbour Notes - A small magazine from the quay at Ostersiel</title>');
    expect(await read('category/harbour')).toMatch(/<title>Harbour[^<]* - Harbour Notes<\/title>/);
  });

  it('has the menu with submenus', async () => {
    const menu = (/<nav.*?<\/nav>/s.exec(await read('contact'))?.[0] ?? '').replace(/\s+/g, ' ');
    expect(menu).toMatch(/<a href="\/about\/">About<\/a> ?<ul> ?<li> ?<a href="\/about\/team\/">Who writes here<\/a>/);
    expect(menu).toContain('<a href="/category/harbour/tides/">Tides &amp; Weather</a>');
    expect(menu).toContain('href="https://example.com/ferry-times"');
  });
});
