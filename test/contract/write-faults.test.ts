/**
 * Every way of writing × every fault at each of its calls of the file system: an error, a write that is cut short, a kill. Afterwards
 * the folder is as before or as after, `validate` finds nothing, what was acknowledged is there, no id twice, no temporary file.
 *
 * By default each scenario meets its first calls and some later ones; with CRASH_LONG=1 all of them, and a line says what each has met.
 * CRASH_ONLY is a pattern of names, for a long run in parts. Nothing is drawn at random.
 */
import { failDisk, isWriting, real } from '../support/disk-faults.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { run, temporary } from '../cli/run.ts';
import { changesBetween, digestsOf, temporaryFiles } from '../support/folder-states.ts';
import type { VictimReport } from '../support/kill-victim.ts';
import { buildFolder } from '../support/run-folder.ts';
import { startSite, type TestSite, until } from '../support/site.ts';
import { type WriteScenario, writeScenarios } from '../support/write-scenarios.ts';

const isLong = process.env.CRASH_LONG === '1';
const every = Array.from({ length: 80 }, (_, at) => at + 1);
/** Faults, at which calls, of those that change something. */
const kinds = [
  { code: 'EIO', calls: isLong ? every : [2, 5, 9, 14, 20], isMeant: () => true },
  { code: 'short', calls: isLong ? every : [1, 3, 5], isMeant: (call: string) => call === 'write' },
  { code: 'parts', calls: isLong ? every : [2, 4], isMeant: (call: string) => call === 'write' },
] as const;
const limitMs = isLong ? 3_600_000 : 120_000;

/** What was met so far, of all scenarios. */
const met = { faults: 0, kills: 0 };
const tell = (name: string, count: number, what: keyof typeof met): void => {
  met[what] += count;
  if (isLong) process.stderr.write(`${name}: ${count} ${what}; ${met.faults} faults and ${met.kills} kills in all\n`);
};

/** What `cms validate` says that is an error, such as an id that two files have. */
async function errorsIn(dir: string): Promise<string> {
  const { out, err, status } = await run(['validate', dir]);
  return status === 0 ? '' : out + err;
}

describe('an error', () => {
  let site: TestSite;
  let serial = 0;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it.each(writeScenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s: at any call leaves the folder as before or after the write',
    async (_, scenario) => {
      /** Files that the write changes when nothing goes wrong. */
      const whole = await attempt(scenario, () => undefined);
      expect(whole.status).toBeLessThan(300);
      let faults = 0;
      for (const { code, calls, isMeant } of kinds) {
        for (const wanted of calls) {
          let count = 0;
          const { status, changed } = await attempt(scenario, (call) => (isMeant(call) && ++count === wanted ? code : undefined));
          const shown = `${code} at call ${wanted}: ${status}`;
          if (code === 'parts') expect(status, shown).toBeLessThan(300);
          if (status >= 300) expect([503, 507], shown).toContain(status);
          if (scenario.isOfSeveral) expect(whole.changed, shown).toEqual(expect.arrayContaining([...changed]));
          else if (status < 300) expect(changed, shown).toEqual(whole.changed);
          // A refused change that is in its file may have been taken in since, as one of somebody else with a revision of its own.
          else expect([[], whole.changed], shown).toContainEqual(changed.filter(isFirstRevision));
          if (count < wanted) break;
          faults++;
        }
      }
      tell(scenario.name, faults, 'faults');
      expect(faults).toBeGreaterThan(0);
      await site.site.commits?.flush();
      expect(scenario.faultsIn?.(site.dir) ?? '').toBe('');
    },
    limitMs,
  );

  it('of any of them leaves nothing that validate finds', async () => {
    expect(await errorsIn(site.dir)).toBe('');
  });

  /** Runs a write with a fault. @returns its status, and the files that it has changed */
  async function attempt(
    scenario: WriteScenario,
    fault: (call: string) => string | undefined,
  ): Promise<{ readonly status: number; readonly changed: readonly string[] }> {
    const write = await scenario.prepare(site, ++serial);
    await site.site.ingest(await site.site.store.sweep());
    const before = digestsOf(site.dir);
    const end = failDisk((call, path, flags) => (path.startsWith(site.dir) && isWriting(call, flags) ? fault(call) : undefined));
    const { status } = await write().finally(end);
    // What follows an answer may still be under way.
    await until(() => temporaryFiles(site.dir).length === 0);
    return { status, changed: changesBetween(before, digestsOf(site.dir), (path) => !isOlder(path)) };
  }

  const isFirstRevision = (path: string, at: number, all: readonly string[]): boolean =>
    !path.startsWith('revisions/') || all.indexOf(path) === at;

  /** What an earlier fault has put off is written later, and may be meanwhile. */
  function isOlder(path: string): boolean {
    const [, of] = /^posts\/.*\b(?:post|committed|by-hand)-(\d+)/.exec(path) ?? [];
    return of !== undefined && Number(of) < serial;
  }

  it('of any of them leaves memory equal to the folder', async () => {
    const lists = [
      'posts?per_page=100&status=any&context=edit',
      'pages?per_page=100',
      'tags?per_page=100',
      'media?per_page=100',
      'users',
    ];
    const answers = async () => {
      const bodies = await Promise.all(lists.map((list) => site.ask('GET', `/cms/v2/${list}`, { as: 'admin' })));
      return bodies.map(({ body }) =>
        (body as { id: number; title?: unknown; slug: string }[]).map(({ id, title, slug }) => ({ id, title, slug })),
      );
    };
    await site.site.ingest(await site.site.store.sweep());
    const served = await answers();
    await site.site.reload();
    expect(await answers()).toEqual(served);
    expect(served.flat().length).toBeGreaterThan(writeScenarios.length);
  });
});

describe('a kill', () => {
  const reports: VictimReport[] = [];
  let states = '';
  let home = '';
  beforeAll(async () => {
    states = await temporary();
    home = join(await temporary(), 'state');
    const program = join(buildFolder(states), 'victim', 'kill-victim.js');
    const bundle = await rolldown({
      input: { 'kill-victim': join(import.meta.dirname, '../support/kill-victim.ts') },
      platform: 'node',
      external: ['sharp', 'rolldown'],
    });
    await bundle.write({ dir: join(program, '..'), format: 'esm', entryFileNames: '[name].js' });
    await bundle.close();
    const child = spawn(process.execPath, [program, states, isLong ? 'all' : 'some'], {
      env: { ...process.env, CMS_STATE_DIR: home, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    real.rmSync(buildFolder(states), { recursive: true, force: true });
    if (!out.includes(writeScenarios.at(-1)?.name as string)) throw new Error(err);
    for (const line of out.trim().split('\n')) reports.push(JSON.parse(line) as VictimReport);
  }, limitMs);

  it.each(writeScenarios.map(({ name }, at) => [name, at] as const))(
    '%s: before any call leaves all of a commit or nothing',
    async (name, at) => {
      const report = reports[at] as VictimReport;
      const { allowed, calls, answeredAt, dir } = report;
      expect(report.name).toBe(name);
      expect(calls.length).toBeGreaterThan(0);
      tell(name, calls.length, 'kills');
      vi.stubEnv('CMS_STATE_DIR', home);
      try {
        for (const [nth, call] of calls.entries()) {
          const state = join(states, String(at), String(call));
          for (const [from, to] of [
            ['site', dir],
            ['state', home],
          ] as const) {
            real.rmSync(to, { recursive: true, force: true });
            real.cpSync(join(state, from), to, { recursive: true, preserveTimestamps: true });
          }
          const opened = await openSite(dir);
          const problems = opened.problems();
          await opened.commits?.flush();
          await opened.close();
          const shown = `${name}, killed before call ${call}`;
          expect(problems, shown).toEqual([]);
          expect(temporaryFiles(dir), shown).toEqual([]);
          // A file without an id gets it at the start.
          if (name !== 'a file without an id, by hand') {
            const differences = allowed.map((state) => changesBetween(new Map(state), digestsOf(dir)));
            expect(differences.find((one) => one.length === 0) ?? differences, shown).toEqual([]);
            if (call >= answeredAt) expect(differences.at(-1), shown).toEqual([]);
          }
          // Opening has shown most of it.
          if (isLong || nth % 3 === 1) expect(await errorsIn(dir), shown).toBe('');
          expect(writeScenarios[at]?.faultsIn?.(dir) ?? '', shown).toBe('');
        }
      } finally {
        vi.unstubAllEnvs();
        real.rmSync(dir, { recursive: true, force: true });
      }
    },
    limitMs,
  );
});
