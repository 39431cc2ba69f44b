/** Several processes with `git: commit` on one folder: each write is committed once, and nobody's stage is touched. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leftJournals } from '../../../../src/modules/git/commits/journal.ts';
import { newSite, temporary } from '../../../cli/run.ts';
import { asPerson } from '../../../support/git-site.ts';
import { builtProgram } from '../../../support/program-build.ts';
import { until } from '../../../support/site.ts';

interface Running {
  readonly url: string;
  /** Commits what is pending, and ends. */
  stop(): Promise<unknown>;
}

async function serve(dir: string, workers: string): Promise<Running> {
  const program = join(await temporary(), 'cms.mjs');
  const { main } = await builtProgram();
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)}); process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const child = spawn(process.execPath, [program, 'serve', dir, '--port', '0', '--workers', workers], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise((done) => child.once('exit', done));
  const url = await until(() => /serving \S+ at (http:\/\/[\d.:]+)/.exec(said)?.[1], 60_000);
  return {
    url,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

it.each([
  ['two servers', ['1', '1']],
  ['a server of two workers', ['2']],
])(
  '%s commit each write once',
  async (_, servers) => {
    const { dir, password } = await newSite('--timezone', 'UTC');
    await appendFile(join(dir, 'site.yaml'), 'git: commit\nrevisions: 0\n');
    await writeFile(join(dir, 'posts.txt'), 'as committed\n');
    asPerson(dir, 'init', '-q', '-b', 'main');
    asPerson(dir, 'add', '.');
    asPerson(dir, 'commit', '-qm', 'begin');
    await writeFile(join(dir, 'posts.txt'), 'staged by a person\n');
    asPerson(dir, 'add', 'posts.txt');
    await writeFile(join(dir, 'posts.txt'), 'not staged\n');
    const staged = asPerson(dir, 'diff', '--cached');

    const running = await Promise.all(servers.map((workers) => serve(dir, workers)));
    const ask = async (at: number, path: string, body: object): Promise<{ id: number }> => {
      const { url } = running[at % running.length] as Running;
      const answer = await fetch(`${url}/cms-json/cms/v2${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status === 503) return ask(at, path, body);
      expect(answer.status, await answer.clone().text()).toBeLessThan(300);
      return (await answer.json()) as { id: number };
    };
    const many = [...Array(12).keys()];
    const made = await Promise.all(
      many.map((at) =>
        ask(at, '/posts', { title: `Post ${at}`, content: 'first', status: 'publish', date: '2026-03-05T10:00:00' }),
      ),
    );
    // Of the same servers, so that one's commit holds both writes; and of the other ones.
    await Promise.all(made.slice(0, 4).map(({ id }, at) => ask(at, `/posts/${id}`, { content: 'second' })));
    await Promise.all(
      made
        .slice(4, 8)
        .map(({ id }, at) => until(() => ask(at + 1, `/posts/${id}`, { content: 'second' }).catch(() => undefined))),
    );
    // What a server has no time for when it ends, the next ones commit: each write by one of them.
    await Promise.all(running.map(({ stop }) => stop()));
    const next = await Promise.all(servers.map((workers) => serve(dir, workers)));
    await until(
      () => readdirSync(join(dir, '.cms/git')).every((name) => statSync(join(dir, '.cms/git', name)).size === 0),
      60_000,
    );
    await Promise.all(next.map(({ stop }) => stop()));

    const paths = many.map((at) => `posts/2026/03/post-${at}.md`);
    for (const [at, path] of paths.entries()) {
      const text = await readFile(join(dir, path), 'utf8');
      expect(text).toContain(at < 8 ? 'second' : 'first');
      expect(asPerson(dir, 'show', `HEAD:${path}`), path).toBe(text);
    }
    // No two commits have the same of one file, and none has nothing.
    const commits = asPerson(dir, 'log', '--format=%H', 'HEAD').trim().split('\n');
    const states = commits
      .slice(0, -1)
      .map((commit) => asPerson(dir, 'diff-tree', '-r', '--no-commit-id', '--raw', commit).trim());
    expect(states.filter((state) => state === '')).toEqual([]);
    const blobs = states.flatMap((state) =>
      state.split('\n').map((line) =>
        line
          .split(/[\s]/)
          .filter((_, part) => part === 3 || part === 5)
          .join(' '),
      ),
    );
    expect(blobs.length).toBe(new Set(blobs).size);
    expect(new Set(blobs.map((one) => one.split(' ')[1]))).toEqual(new Set(paths));
    expect(asPerson(dir, 'diff', '--cached')).toBe(staged);
    expect(asPerson(dir, 'status', '--porcelain', '-uno')).toBe('MM posts.txt\n');
    expect(asPerson(dir, 'fsck', '--no-dangling', '--no-progress')).toBe('');
  },
  180_000,
);

it('a server takes over commits of a dead one, and nothing that another has taken', async () => {
  const dir = await temporary();
  const folder = join(dir, '.cms/git');
  mkdirSync(folder, { recursive: true });
  const note = (path: string): string => `${JSON.stringify({ t: 'begin', seq: 1, at: 1, files: [{ path }] })}\n`;
  const dead = 2 ** 22 + 1;
  const names = [`${dead}.jsonl`, `left-5-${dead}.jsonl`, `left-6-${dead}-by-${dead + 1}.jsonl`];
  const kept = [`${process.ppid}.jsonl`, `left-7-${dead}-by-${process.ppid}.jsonl`];
  for (const name of [...names, ...kept]) await writeFile(join(folder, name), note(name));
  const left = leftJournals(dir);
  expect(left.writes.flatMap(({ files }) => files.map(({ path }) => path)).sort()).toEqual([...names].sort());
  left.remove();
  expect(readdirSync(folder).sort()).toEqual([...kept].sort());
});
