/** A live site of the original's kind becomes a folder: all of it with a password, politely, and again after any interruption. */
import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { openSite } from '../../src/open-site.ts';
import { kill } from '../support/crash-steps.ts';
import { isMedia, type LiveSite, startLiveSite } from '../support/live-site.ts';
import { builtProgram } from '../support/program-build.ts';
import { startSite } from '../support/site.ts';
import { filesIn, pretend, run, temporary } from './run.ts';

let live: LiveSite;
beforeAll(async () => {
  live = await startLiveSite({
    'posts/2026/03/quiet.md':
      '---\nid: 301\ntitle: Not yet\nstatus: draft\ndate: 2026-03-09T10:00:00\nauthor: anna\n---\nA draft.\n',
    'pages/inside.md': '---\nid: 302\ntitle: Inside\nstatus: private\ndate: 2026-03-09T10:00:00\nauthor: anna\n---\nPrivate.\n',
    'posts/2026/03/menu.md': `---\nid: 303\ntitle: '<script>alert(1)</script> =1+1'\nslug: markup\ndate: 2026-03-09T10:00:00\n---\nx\n`,
  });
});
afterAll(() => live.close());
beforeEach(() => {
  live.before = () => false;
  live.asked.length = 0;
});

const line = (dir: string, ...more: string[]): string[] => ['import', live.url, '--into', dir, '--user', 'admin', ...more];
const withPassword = () => ({ input: `${live.password}\nand more\n` });

describe('a live site', () => {
  let dir: string;
  let report: string;
  let outcome: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    dir = join(await temporary(), 'site');
    report = join(dir, '..', 'report.html');
    outcome = await run(line(dir, '--report', report), withPassword());
  });

  it('is imported with private content, without a password on the command line', async () => {
    expect([outcome.status, outcome.err]).toEqual([0, expect.stringContaining('files: 4 imported, 0 missing')]);
    const files = await filesIn(dir);
    expect(Object.values(files).find((text) => text.includes('title: Not yet\n'))).toContain('status: draft');
    expect(Object.values(files).find((text) => text.includes('title: Inside\n'))).toContain('status: private');
    const all = await filesIn(join(dir, '..'), { own: true });
    expect(Object.keys(all).filter((path) => all[path]?.includes(live.password))).toEqual([]);
    expect(outcome.err).not.toContain(live.password);
  });

  it('redirects from every former URL', async () => {
    const here = await startSite({ from: dir });
    try {
      for (const [from, to] of [
        ['/blog/hello-harbour/', '/hello-harbour/'],
        ['/blog/about/team/', '/about/team/'],
        ['/blog/topics/notes/', '/category/notes/'],
        ['/blog/author/anna/', '/author/anna/'],
        ['/blog/wp-content/uploads/2026/03/ferry.png', '/uploads/2026/03/ferry.png'],
      ] as const) {
        const { status, headers } = await here.ask('GET', from, { raw: true });
        expect([from, status, headers.get('location')]).toEqual([
          from,
          301,
          expect.stringMatching(new RegExp(`^(?:${here.url})?${to}$`)),
        ]);
      }
    } finally {
      await here.close();
    }
    expect(await run(['validate', dir])).toMatchObject({ status: 0 });
  });

  it('gets a report as a page without scripts, with old and new URLs', async () => {
    const page = await readFile(report, 'utf8');
    expect(page).toContain(`<td>${live.url}/hello-harbour/</td><td>/hello-harbour/</td><td>redirected</td>`);
    expect(page).toContain(`<td>${live.url}/wp-content/uploads/2026/03/ferry.png</td><td>/uploads/2026/03/ferry.png</td>`);
    expect(page).toMatch(/<tr><td>media<\/td><td class="n">4<\/td>/);
    expect(page).toContain('revisions are not imported');
    expect(page).not.toMatch(/<script|<link|src=|url\(/);
  });

  it('gets reports for programs and spreadsheets, the same in a second run', async () => {
    const [json, csv] = [join(dir, '..', 'report.json'), join(dir, '..', 'report.csv')];
    expect((await run(line(dir, '--report', json), withPassword())).status).toBe(0);
    const told = JSON.parse(await readFile(json, 'utf8')) as { complete: boolean; addresses: Record<string, string>[] };
    expect(told).toMatchObject({
      complete: true,
      rows: expect.arrayContaining([expect.objectContaining({ kind: 'post', new: 0 })]),
    });
    expect(told.addresses).toContainEqual({
      what: 'category',
      from: `${live.url}/topics/notes/`,
      to: '/category/notes/',
      outcome: 'redirected',
    });
    expect((await run(line(dir, '--report', csv), withPassword())).status).toBe(0);
    const lines = (await readFile(csv, 'utf8')).split('\r\n');
    expect([lines[0], lines.length]).toEqual(['"what","from","to","outcome"', told.addresses.length + 2]);
    expect(lines).toContain(`"author","${live.url}/author/anna/","/author/anna/","redirected"`);
  });

  it('keeps its URLs if the new site is below the same path', async () => {
    const there = join(await temporary(), 'site');
    const csv = join(there, '..', 'report.csv');
    const flags = ['--url', 'https://new.example/blog', '--report', csv];
    expect((await run(line(there, ...flags), withPassword())).status).toBe(0);
    const files = await filesIn(there);
    expect(Object.values(files).filter((text) => text.includes('aliases:\n  - /blog/'))).toEqual([]);
    expect(files['redirects.yaml']).toContain('/wp-content/uploads/2026/03/ferry.png: /uploads/2026/03/ferry.png\n');
    expect(files['redirects.yaml']).not.toContain('/author/');
    expect(await readFile(csv, 'utf8')).toContain(`"post","${live.url}/hello-harbour/","/hello-harbour/","same"`);
  });

  it('keeps redirects written by hand', async () => {
    const { dir: mine } = await newFolder('- from: /blog/topics/notes/\n  to: /about/\n');
    expect(await run(line(mine), withPassword())).toMatchObject({ status: 0, err: '' });
    const text = (await filesIn(mine))['redirects.yaml'];
    expect(text).toMatch(/^- from: \/blog\/topics\/notes\/\n {2}to: \/about\/\n- from: /);
    expect(text?.match(/topics\/notes/g)).toHaveLength(1);
    await run(line(mine), withPassword());
    expect((await filesIn(mine))['redirects.yaml']).toBe(text);
  });

  it('is asked for files in parallel, within a limit', async () => {
    let [under, most] = [0, 0];
    const waiting: (() => void)[] = [];
    live.before = async (target) => {
      if (!isMedia(target)) return false;
      most = Math.max(most, ++under);
      // Answered when another one is asked for: one after another would wait for ever.
      await new Promise<void>((go) => {
        waiting.push(go);
        if (waiting.length >= 2) for (const each of waiting.splice(0)) each();
      });
      under--;
      return false;
    };
    const there = join(await temporary(), 'site');
    const { io, said } = pretend({ secret: async () => live.password });
    expect(await main(line(there), io)).toBe(0);
    expect(most).toBeGreaterThanOrEqual(2);
    expect(most).toBeLessThanOrEqual(4);
    expect(said.drawn).toEqual([]);
  });

  it('shows the number of downloaded files on a terminal', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      live.before = () => {
        vi.setSystemTime(Date.now() + 2000);
        return false;
      };
      const { io, said } = pretend({ secret: async () => live.password, terminal: { out: true, err: true } });
      expect(await main(line(join(await temporary(), 'site')), io)).toBe(0);
      expect(said.drawn.some((text) => /writing: \d+ of \d+, \d files? \(\d\.\d MB\)/.test(text))).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['no password', ['--user', 'admin'], '', 2, 'CMS_IMPORT_CREDENTIALS=login:password'],
    ['a wrong password', ['--user', 'admin'], 'abcd efgh\n', 1, 'rejects this login'],
    ['a report of no kind', ['--report', 'report.txt'], '', 2, 'is not an .html, .json or .csv file'],
    ['a report in no folder', ['--report', 'nowhere/report.html'], '', 2, 'does not exist'],
  ])('rejects %s before doing anything', async (_, flags, input, status, message) => {
    const cwd = await temporary();
    const ran = await run(['import', live.url, '--into', 'site', ...flags], { cwd, input });
    expect([ran.status, ran.err]).toEqual([status, expect.stringContaining(message)]);
    expect(Object.keys(await filesIn(cwd, { own: true }))).toEqual([]);
  });
});

async function newFolder(redirects: string): Promise<{ readonly dir: string }> {
  const dir = join(await temporary(), 'site');
  expect((await run(['init', dir])).status).toBe(0);
  const { writeFile } = await import('node:fs/promises');
  await writeFile(join(dir, 'redirects.yaml'), redirects);
  return { dir };
}

describe('an import that is killed', () => {
  let whole: Record<string, string>;
  let requests: readonly string[];
  const flags = ['--admin', 'chief', '--email', 'chief@example.com', '--url', 'https://new.example'];
  beforeAll(async () => {
    live.before = () => false;
    live.asked.length = 0;
    const dir = join(await temporary(), 'site');
    expect((await run(line(dir, ...flags), withPassword())).status).toBe(0);
    requests = [...live.asked];
    whole = await filesIn(dir);
  });

  /** Runs the program as a process of its own. @returns status (null: killed) and standard output */
  async function program(dir: string, killAt?: number): Promise<{ status: number | null; out: string }> {
    const { main: entry } = await builtProgram();
    const text = `const { main, processIo } = await import(${JSON.stringify(entry)}); process.exitCode = await main(process.argv.slice(1), processIo);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', text, '--', ...line(dir, ...flags)], {
      env: { ...process.env, CMS_IMPORT_CREDENTIALS: `admin:${live.password}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part;
    });
    live.before = () => {
      if (live.asked.length === killAt) child.kill('SIGKILL');
      return live.asked.length === killAt;
    };
    const status = await new Promise<number | null>((done) => child.on('close', (code) => done(code)));
    live.before = () => false;
    return { status, out };
  }

  /** The same command makes of the folder what an import in one go makes. */
  async function expectWhole(dir: string): Promise<void> {
    const { status, out } = await program(dir);
    expect([status, out]).toEqual([0, expect.stringMatching(/^(?:\w{4} ){5}\w{4}\n$/)]);
    const files = Object.entries(await filesIn(dir));
    // What the killed process was about to write is swept away by the next server.
    expect(Object.fromEntries(files.filter(([path]) => !path.includes('.cms-tmp-')))).toEqual(whole);
    const site = await openSite(dir, { readOnly: true });
    try {
      const chief = site.accounts.byLogin('chief');
      expect([chief?.roles, chief?.email, chief?.applicationPasswords.length]).toEqual([
        ['administrator'],
        'chief@example.com',
        1,
      ]);
    } finally {
      await site.close();
    }
    expect(await run(['import', live.url, '--into', dir, '--admin', 'chief'])).toMatchObject({ status: 2 });
  }

  it('during a request resumes, and repeats no request', async () => {
    const media = requests.flatMap((target, at) => (isMedia(target) ? [at + 1] : []));
    const points = [
      4,
      Math.floor((media[0] as number) / 2),
      (media[0] as number) - 1,
      media[0] as number,
      media.at(-1) as number,
    ];
    for (const at of points) {
      const dir = join(await temporary(), 'site');
      live.asked.length = 0;
      expect((await program(dir, at)).status).toBe(null);
      const first = live.asked.slice(0, -1);
      live.asked.length = 0;
      await expectWhole(dir);
      const lists = first.filter((target) => target.includes('per_page='));
      expect(live.asked.filter((target) => lists.includes(target))).toEqual([]);
    }
  });

  it('during a write resumes', async () => {
    for (const at of [1, 6, 15, 40, 90]) {
      const dir = join(await temporary(), 'site');
      await mkdir(dir);
      const argv = ['import', live.url, '--into', dir, '--user', `admin:${live.password}`, ...flags];
      expect([at, await kill(dir, argv, at)]).toEqual([at, null]);
      await expectWhole(dir);
    }
  });

  it('is not resumed with other options for the new site', async () => {
    const dir = join(await temporary(), 'site');
    const { length } = requests;
    expect((await program(dir, length)).status).toBe(null);
    const { status, err } = await run(['import', live.url, '--into', dir, '--admin', 'other'], withPassword());
    expect([status, err]).toEqual([2, expect.stringContaining('run the same command again')]);
  });
});
