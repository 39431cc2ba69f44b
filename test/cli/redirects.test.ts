/** Every redirect of a site: as a table, as JSON, and as the rules of a host. */
import { describe, expect, it } from 'vitest';
import { dirname, join } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { defineRedirects } from '../../src/cli/redirects.ts';
import { run, temporary } from './run.ts';

const files: Readonly<Record<string, string>> = {
  'site.yaml': 'name: x\nurl: https://example.org\n',
  'redirects.yaml':
    '/start/: /about/\n/shop/: https://shop.example/?a="$b\n/x?id=3: /about/\n/gone/: 410\n/caf\u00e9/: { to: /about/, status: 302 }\n/about/: /hidden/\n/s$p;{"/: /about/\n',
  'pages/about.md': '---\nid: 7\ntitle: About\ndate: 2026-03-05\naliases: [company, /old/place/]\n---\nText\n',
};

async function site(): Promise<string> {
  const dir = await temporary();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

describe('cms redirects', () => {
  it('is a command', () => {
    expect(defineRedirects.length).toBe(2);
  });

  it('lists active redirects, with the file of each', async () => {
    const { out, status } = await run(['redirects', await site(), '--json']);
    expect(status).toBe(0);
    const rows = JSON.parse(out) as { from: string; to: string; status: number; file: string }[];
    const plain = rows.filter(({ from, to }) => !`${from}${to}`.includes('$'));
    expect(plain.map(({ from, to, status: code, file }) => [from.replace(/\/$/, ''), code, to, file].join(' ')).sort()).toEqual([
      '/caf%C3%A9 302 /about/ redirects.yaml',
      '/company 301 /about/ pages/about.md',
      '/gone 410  redirects.yaml',
      '/old/place 301 /about/ pages/about.md',
      '/start 301 /about/ redirects.yaml',
      '/x?id=3 301 /about/ redirects.yaml',
    ]);
  });

  it('prints rules for hosting providers', async () => {
    const dir = await site();
    const lines = async (format: string) => (await run(['redirects', dir, '--format', format])).out.split('\n');
    const netlify = await lines('netlify');
    expect(netlify).toContain('/x id=3 /about/ 301');
    expect(netlify).toContain('/company/ /about/ 301');
    expect(netlify.join()).not.toContain('410');
    expect(await lines('cloudflare')).toEqual(netlify.filter((line) => !line.includes('id=3')));
    const nginx = await lines('nginx');
    expect(nginx).toContain('location = "/start/" { return 301 "/about/"; }');
    expect(nginx).toContain('location = "/start" { return 301 "/about/"; }');
    expect(nginx).toContain('location = "/caf\u00e9/" { return 302 "/about/"; }');
    expect(nginx).toContain('location = "/gone/" { return 410; }');
    expect(nginx).toContain('location = "/x" { if ($args = "id=3") { return 301 "/about/"; } }');
    expect(nginx).toContain('location = "/shop/" { return 301 "https://shop.example/?a=%22%24b"; }');
    // Nothing ends a text of nginx early.
    for (const line of nginx) expect(line.match(/"/g)?.length).toBe(line.includes('410') ? 2 : line.includes('$args') ? 6 : 4);
  });
});
