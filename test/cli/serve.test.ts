/** Serving from the command line: ready line, stopping, ports, the demo's first run. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { until } from '../support/site.ts';
import { filesIn, newSite, pretend, run, temporary } from './run.ts';

/** Serves until the callback has ended. */
async function serving(
  line: readonly string[],
  work: (address: string, said: readonly string[]) => Promise<void>,
  cwd?: string,
): Promise<{ status: number; err: string }> {
  let stop: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let ready: (address: string) => void = () => {};
  const address = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const { io, said } = pretend({ stopped: () => stopped, ...(cwd ? { cwd } : {}) });
  const err = (text: string): void => {
    io.err(text);
    if (text.startsWith('serving ')) ready(/http:\S+/.exec(text)?.[0] as string);
  };
  const ended = main(line, { ...io, err });
  await Promise.race([address.then((at) => work(at, said.err)), ended]);
  stop();
  return { status: await ended, err: said.err.join('\n') };
}

describe('serve', () => {
  it('refuses a folder whose accounts git tracks', async () => {
    const { dir } = await newSite();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
    git('init', '-q');
    git('add', '.');
    expect((await serving(['serve', dir, '--port', '0'], async () => {})).status).toBe(0);
    git('add', '-f', '.cms/private');
    const { status, err } = await serving(['serve', dir, '--port', '0'], async () => {});
    expect([status, err.includes('is tracked by git')]).toEqual([1, true]);
  });

  it('prints its URL, responds, and stops on request', async () => {
    const { dir } = await newSite();
    let at = '';
    const { status, err } = await serving(['serve', dir, '--port', '0'], async (address) => {
      at = address;
      expect((await fetch(address)).status).toBe(200);
    });
    expect(status).toBe(0);
    expect(at).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/cms-json\/$/);
    expect(err.split('\n')).toHaveLength(1);
    await expect(fetch(at)).rejects.toThrow();
  });

  it('uses the given public URL', async () => {
    const { dir } = await newSite();
    await serving(['serve', dir, '--port', '0', '--url', 'https://example.com'], async (address) => {
      expect(await (await fetch(address)).json()).toMatchObject({ url: 'https://example.com' });
    });
  });

  it('reports operator settings in site.yaml at start', async () => {
    const { dir } = await newSite();
    await writeFile(join(dir, 'site.yaml'), 'name: Harbour\n\nupload_limit: 9000\n');
    const { err } = await serving(['serve', dir, '--port', '0'], async () => {});
    expect(err).toContain('site.yaml:3:1 warning upload_limit is an operator setting');
    expect(err).toContain('set CMS_UPLOAD_LIMIT');
  });

  it('uses the default for an invalid value in site.yaml, and reports its line', async () => {
    const { dir } = await newSite();
    await writeFile(join(dir, 'site.yaml'), 'name: Harbour\nurl: http://𝒳.example\n');
    const { err } = await serving(['serve', dir, '--port', '0'], async (address) => {
      for (let asked = 0; asked < 4; asked++) expect((await fetch(address)).status).toBe(200);
    });
    expect(err).toMatch(/site\.yaml:2:6 error .* is no address of a site; the default stays in service/);
  });

  it('writes nothing when read-only', async () => {
    const { dir } = await newSite();
    const before = await filesIn(dir, { own: true });
    const { err } = await serving(['serve', dir, '--port', '0', '--read-only'], async (address) => {
      expect((await fetch(`${address}cms/v2/categories`)).status).toBe(200);
    });
    expect(err).toContain('(read-only)');
    expect(await filesIn(dir, { own: true })).toEqual(before);
  });

  it('reports changed types and taxonomies once', async () => {
    const { dir } = await newSite();
    const path = join(dir, 'site.yaml');
    const first = await readFile(path, 'utf8');
    const film = 'types:\n  film: { plural: Films }\n';
    await writeFile(path, `${first}\n${film}`);
    await serving(['serve', dir, '--port', '0'], async (_, said) => {
      const seen = (text: string) => until(() => said.some((line) => line.includes(text)));
      await writeFile(
        path,
        `${first}\ndescription: New\n${film}  book: { plural: Books }\ntaxonomies:\n  genre: { plural: Genres }\n`,
      );
      await seen('book is new under types, genre is new under taxonomies: not in force yet');
      await writeFile(
        path,
        `${first}\ndescription: Newer\n${film}  book: { plural: Books }\ntaxonomies:\n  genre: { plural: Genres }\n`,
      );
      await writeFile(path, `${first}\ndescription: Newest\ntypes:\n  film: { plural: Movies }\n`);
      await seen('film has changed under types: not in force yet');
      await writeFile(path, first);
      await seen('film is gone under types: not in force yet');
      await writeFile(path, `${first}\n${film}`);
      await seen('site.yaml is fixed; serving the current version');
      expect(said.filter((line) => line.includes('book is new'))).toHaveLength(1);
      expect(said.filter((line) => line.includes('film is gone')).join('')).toContain('restart the server');
    });
  });

  it('reports a broken file once, with its line, and when it is fixed', async () => {
    const { dir } = await newSite();
    const post = (date: string) =>
      mkdir(join(dir, 'posts'), { recursive: true }).then(() =>
        writeFile(join(dir, 'posts/a.md'), `---\nid: 9\ndate: ${date}\n---\n\u001b[31m\n`),
      );
    await serving(['serve', dir, '--port', '0'], async (_, said) => {
      const seen = (text: string) => until(() => said.some((line) => line.includes(text)));
      await post('next week');
      await seen('posts/a.md:3:7 error invalid date');
      await post('2026-03-05');
      await seen('posts/a.md is fixed; serving the current version');
      await writeFile(join(dir, 'posts/b.md'), '---\nid: 9\n---\n');
      await seen('posts/b.md: id 9 is that of posts/a.md; it has got ');
      await writeFile(join(dir, 'posts/c.md'), '---\ntitle: \u001b[31m: x\n---\n');
      await seen('posts/c.md:2:');
      await writeFile(join(dir, 'posts/d.md'), '\n+++\ntitle = "x"\n+++\n');
      await seen('posts/d.md:2:1 error The front matter does not begin on the first line.');
      expect(said.filter((line) => line.includes('first line'))).toHaveLength(1);
      expect(said.join('')).not.toContain('\u001b');
      expect(said.filter((line) => line.includes('invalid date'))).toHaveLength(1);
    });
  });

  it('reports relative links and images, with a replacement', async () => {
    const { dir } = await newSite();
    await mkdir(join(dir, 'posts'), { recursive: true });
    await writeFile(join(dir, 'posts/a.md'), '---\nid: 9\ndate: 2026-03-05\n---\nText\n\n![A](./table.csv)\n');
    await writeFile(join(dir, 'posts/table.csv'), '');
    await serving(['serve', dir, '--port', '0'], async (_, said) => {
      const seen = (text: string) => until(() => said.some((line) => line.includes(text)));
      await seen('posts/a.md:7:6 warning "./table.csv" is relative');
      expect(said.join('\n')).toContain('move it to media/table.csv and write /uploads/table.csv');
      await writeFile(join(dir, 'posts/b.html'), '---\nid: 10\ndate: 2026-03-05\n---\n<a href="gone.md">a</a>\n');
      await seen('posts/b.html:5:10 warning "gone.md" is relative');
      await writeFile(join(dir, 'posts/b.html'), '---\nid: 10\ndate: 2026-03-05\n---\nChanged: <a href="gone.md">a</a>\n');
      await writeFile(join(dir, 'posts/c.md'), '---\nid: 500\ndate: 2026-03-05\n---\n[x](none.html)\n');
      await seen('posts/c.md:5:5 warning');
      expect(said.filter((line) => line.includes('is relative'))).toHaveLength(3);
      // A copy is served once it has an id of its own.
      await mkdir(join(dir, 'posts/sub'), { recursive: true });
      await writeFile(join(dir, 'posts/sub/a.md'), await readFile(join(dir, 'posts/a.md'), 'utf8'));
      await until(() => said.some((line) => /posts\/sub\/a\.md:\d+:6 warning "\.\/table\.csv" is relative/.test(line)));
    });
  });

  it('does not start with unreadable settings', async () => {
    const { dir } = await newSite();
    await writeFile(join(dir, 'site.yaml'), 'name: x\ntimezone: [\n');
    const { status, err } = await run(['serve', dir, '--port', '0']);
    expect(status).toBe(1);
    expect(err).toMatch(/^site\.yaml:\d+:\d+ error /);
    expect(err).toContain('without its settings');
  });

  it.each(['constants.yaml', 'constants.de.yaml'])('does not start with an unreadable %s', async (name) => {
    const { dir } = await newSite('--deployment', 'extended');
    await writeFile(join(dir, name), 'contact: { phone: [ \n');
    const { status, err } = await run(['serve', dir, '--port', '0']);
    expect(status).toBe(1);
    expect(err).toMatch(new RegExp(`^${name}:\\d+:\\d+ error `));
    expect(err).toContain('without its constants');
  });

  it('reports a port that is in use', async () => {
    const { dir } = await newSite();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await run(['serve', dir, '--port', String(port)])).toEqual({
      status: 1,
      out: '',
      err: `cms: port ${port} on 127.0.0.1 is in use\n  choose another with --port; --port 0 picks a free one`,
    });
    other.close();
  });

  it('reports an invalid host name', async () => {
    const { dir } = await newSite();
    expect(await run(['serve', dir, '--port', '0', '--host', '203.0.113.7'])).toMatchObject({
      status: 1,
      err: expect.stringContaining('--host 203.0.113.7'),
    });
  });

  it('says how to create an account if there is none', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'site.yaml'), 'name: x\n');
    const { err } = await serving(['serve', '--port', '0'], async () => {}, dir);
    expect(err).toContain('cms user create admin --role administrator');
  });
});

describe('start', () => {
  it('creates a demo account on the first run, without a file in the content, and prints working requests', async () => {
    const { dir: made } = await newSite();
    const root = dirname(made);
    const dir = join(root, 'content');
    await rename(made, dir);
    await rm(join(dir, '.cms/private'), { recursive: true });
    const first = await serving(
      ['start', '--port', '0'],
      async (address, said) => {
        // The lines come right behind the one that says it is ready.
        while (!said.some((line) => line.includes('curl -u'))) await new Promise((resolve) => setImmediate(resolve));
        const [, credentials, data, url] = /curl -u '(demo:[^']+)' .* -d '([^']+)' '([^']+)'/.exec(
          said.join('\n'),
        ) as RegExpExecArray;
        expect(url).toContain(address);
        const headers = {
          authorization: `Basic ${Buffer.from(credentials as string).toString('base64')}`,
          'content-type': 'application/json',
        };
        expect((await fetch(url as string, { method: 'POST', headers, body: data as string })).status).toBe(201);
      },
      root,
    );
    expect(first.status).toBe(0);
    expect(first.err.match(/curl /g)).toHaveLength(2);
    const second = await serving(['start', '--port', '0'], async () => {}, root);
    expect(second.err).toContain('cms password create demo');
    expect(second.err).not.toContain('curl');
    expect(Object.keys(await filesIn(dir)).filter((path) => path.startsWith('users/'))).toEqual(['users/admin.yaml']);
  });
});
