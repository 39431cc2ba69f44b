/** The website of a static export on a host that knows nothing but files: a crawl from the front page finds no link that leads nowhere. */
import { createServer } from 'node:http';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../../../src/open-site.ts';
import { exportStatic } from '../../../../src/transfer/export/static.ts';
import { keepFresh } from '../../../../src/transfer/export/static/watch.ts';
import { sample } from '../../../support/sample-site.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { files, quay } from './sample.ts';

describe.each(['a page of every kind', 'the sample'])('an export of %s', (name) => {
  let site: TestSite;
  let out: string;
  let host: string;
  let closeHost: () => void;
  beforeAll(async () => {
    site = await startSite(name === 'the sample' ? { from: sample } : { files });
    if (name !== 'the sample') {
      await mkdir(join(site.dir, 'media'), { recursive: true });
      await writeFile(join(site.dir, 'media/quay.png'), await quay());
      await mkdir(join(site.dir, 'theme/assets'), { recursive: true });
      await writeFile(join(site.dir, 'theme/assets/mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
      await writeFile(join(site.dir, 'theme/footer.liquid'), '<footer><img src="{{ "mark.svg" | asset }}" alt=""></footer>');
      await site.site.ingest(await site.site.store.sweep());
    }
    out = await mkdtemp(join(tmpdir(), 'cms-website-'));
    await exportStatic({ site: site.site, registry: composeSite(site.site), out });
    const server = createServer((request, response) => {
      const path = normalize(decodeURIComponent((request.url ?? '/').replace(/\?.*$/, '')));
      readFile(join(out, path.endsWith('/') ? `${path}index.html` : path)).then(
        (bytes) => response.writeHead(200).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closeHost = () => {
      server.closeAllConnections();
      server.close();
    };
  });
  afterAll(async () => {
    closeHost();
    await site.close();
    await rm(out, { recursive: true, force: true });
  });

  it('has no broken link, image or style', async () => {
    const asked = new Map<string, string>([['/', 'the start']]);
    const missing: string[] = [];
    for (const [path, from] of asked) {
      const response = await fetch(host + path);
      if (response.status !== 200) missing.push(`${path} on ${from}`);
      if (response.status !== 200 || !path.endsWith('/')) continue;
      for (const address of linksIn(await response.text())) {
        const url = new URL(address, site.url + path);
        // Feeds and the interface have files of other names there, to which `_redirects` leads.
        if (url.origin !== new URL(site.url).origin || /\/feed\/$|^\/cms-json\//.test(url.pathname)) continue;
        if (!asked.has(url.pathname)) asked.set(url.pathname, path);
      }
    }
    expect(missing).toEqual([]);
    expect(asked.size).toBeGreaterThan(25);
  });

  it('has every page as the server shows it, except for pages that need a server', async () => {
    const pages = (await readdir(out, { recursive: true })).filter((file) => file.endsWith('index.html'));
    expect(pages.length).toBeGreaterThan(25);
    for (const file of pages) {
      const kept = await readFile(join(out, file), 'utf8');
      const { status, body } = await site.ask('GET', encodeURI(`/${file.replace(/index\.html$/, '')}`), { raw: true });
      const plain = (html: string): string =>
        html.replace(/\n<form class="(?:search|password)"[\s\S]*?<\/form>|\n<p class="respond"[\s\S]*?<\/p>/g, '');
      expect([file, status]).toEqual([file, 200]);
      expect(kept).not.toContain('<form');
      expect(plain(kept)).toBe(plain(body));
    }
    expect(await readFile(join(out, '404.html'), 'utf8')).toContain('<h1>Not found</h1>');
    expect(await readFile(join(out, '_headers'), 'utf8')).toMatch(/^\/\*\n {2}Content-Security-Policy: script-src 'none'/m);
  });
});

it('an export is written again when the theme changes', async () => {
  const site = await startSite({ files });
  let shown = '';
  const end = await keepFresh({
    site: site.site,
    refresh: async () => {
      shown = (await site.site.theme.print('/'))?.html ?? '';
    },
    failed: (error) => {
      throw error;
    },
  });
  try {
    await site.site.theme.state();
    await site.write('theme/footer.liquid', '<footer>Mine</footer>');
    await until(() => shown.includes('<footer>Mine</footer>'));
  } finally {
    await end();
    await site.close();
  }
});

it('an export has no pages if they are disabled or elsewhere', async () => {
  for (const [more, without] of [
    ['', ['pages']],
    ['front: https://front.example\n', []],
    ['theme: none\n', []],
  ] as const) {
    const site = await startSite({ files: { ...files, 'site.yaml': files['site.yaml'] + more } });
    const out = await mkdtemp(join(tmpdir(), 'cms-website-'));
    try {
      const left = [...without, 'embeds', 'slugs', 'filters', 'sizes', 'links', 'oembed'] as const;
      await exportStatic({ site: site.site, registry: composeSite(site.site), out, without: left });
      const written = (await readdir(out, { recursive: true })).filter((file) => /\.html$|^theme/.test(file));
      expect(written).toEqual([]);
    } finally {
      await site.close();
      await rm(out, { recursive: true, force: true });
    }
  }
});

function linksIn(html: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href, src, srcset, rel }) {
      // What is told about a page is for others than those who read it.
      if (name === 'link' && rel !== 'stylesheet' && rel !== 'icon') return;
      for (const address of [href, src, ...(srcset ?? '').split(/,\s+/).map((one) => one.split(' ')[0])])
        if (address) links.push(address);
    },
  });
  parser.end(html);
  return links;
}
