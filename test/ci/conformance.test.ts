/** The comparing part of `.ci/conformance.mjs`, run as CI runs it, on recorded results. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script on one run's results, given as `scenario/exchange` names and whether each passed. */
function judge(run: string, exchanges: Record<string, boolean>, passing: string[], differences: string, ...flags: string[]) {
  const scenarios = Object.entries(exchanges).map(([name, ok]) => {
    const [scenario, id] = name.split('/');
    const extra = { path: '$[0].lang', why: 'unexpected', got: 'en' };
    const diffs = [...(id?.includes('extra') ? [extra] : []), ...(id === 'extra' ? [] : [{ path: '$.a', expected: 1, got: 2 }])];
    return { scenario, exchanges: [{ id, ok, request: 'GET /x', diffs: ok ? [] : diffs }] };
  });
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ scenarios }));
  writeFileSync(join(folder, 'passing.txt'), passing.map((line) => `${line}\n`).join(''));
  writeFileSync(join(folder, 'differences.yaml'), differences);
  const args = ['.ci/conformance.mjs', '--results', `${run}=${join(folder, 'results.json')}`, '--files', folder, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr, passing: readFileSync(join(folder, 'passing.txt'), 'utf8') };
}

const because = (match: string, run?: string) => `- match: ${match}\n  reason: on purpose\n${run ? `  run: [${run}]\n` : ''}`;

describe('verdicts', () => {
  const rows = [
    {
      name: 'everything passes',
      exchanges: { 'a/1': true },
      passing: ['neutral a/1'],
      differences: '',
      status: 0,
      says: '1 passed, 0 failed',
    },
    {
      name: 'a failure with a reason',
      exchanges: { 'a/1': false },
      passing: [],
      differences: because('a/*'),
      status: 0,
      says: '0 passed, 1 failed',
    },
    {
      name: 'a failure without',
      exchanges: { 'a/1': false },
      passing: [],
      differences: because('b/*'),
      status: 1,
      says: 'unexplained differences',
    },
    {
      name: 'nothing but members that are explained',
      exchanges: { 'a/extra': false },
      passing: [],
      differences: `${because('a/*')}  members: [lang]\n`,
      status: 0,
      says: '0 passed, 1 failed',
    },
    {
      name: 'another difference beside them',
      exchanges: { 'a/extra-and-more': false },
      passing: [],
      differences: `${because('a/*')}  members: [lang]\n`,
      status: 1,
      says: 'unexplained differences',
    },
    {
      name: 'other members than those that are explained',
      exchanges: { 'a/extra': false },
      passing: [],
      differences: `${because('a/*')}  members: [locale]\n`,
      status: 1,
      says: 'unexplained differences',
    },
    {
      name: 'a reason of another run',
      exchanges: { 'a/1': false },
      passing: [],
      differences: because('a/1', 'auto'),
      status: 1,
      says: 'a/1',
    },
    {
      name: 'a loss, though explained',
      exchanges: { 'a/1': false },
      passing: ['neutral a/1'],
      differences: because('a/1'),
      status: 1,
      says: 'regressions',
    },
    {
      name: 'a loss in another run only',
      exchanges: { 'a/1': false },
      passing: ['auto a/1'],
      differences: because('a/?'),
      status: 0,
      says: '0 passed',
    },
    {
      name: 'an exchange that is gone',
      exchanges: { 'a/1': true },
      passing: ['neutral a/2'],
      differences: '',
      status: 0,
      says: 'absent',
    },
    {
      name: 'a dot in a glob is a dot',
      exchanges: { 'a/1.2': false },
      passing: [],
      differences: because('a/1?2'),
      status: 0,
      says: '0 passed, 1 failed',
    },
  ];
  it.each(rows)('$name', ({ exchanges, passing, differences, status, says }) => {
    const verdict = judge('neutral', exchanges as unknown as Record<string, boolean>, passing, differences);
    expect(verdict).toMatchObject({ status, stderr: '' });
    expect(verdict.stdout).toContain(says);
  });
});

it('prints the plain totals at the end', () => {
  const { stdout } = judge('auto', { 'a/1': true, 'a/2': false }, [], '');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 1 failed');
});

it('shows where an unexplained response differs', () => {
  expect(judge('neutral', { 'a/1': false }, [], '').stdout).toContain('$.a: expected 1, got 2');
});

it('adds new passes only when asked, sorted, and never removes one', () => {
  const exchanges = { 'b/1': true, 'a/1': true, 'c/1': false };
  expect(judge('neutral', exchanges, ['neutral c/1'], '').passing).toBe('neutral c/1\n');
  expect(judge('neutral', exchanges, ['neutral c/1'], '', '--update').passing).toBe('neutral a/1\nneutral b/1\nneutral c/1\n');
});

it.each([
  ['a row without a reason', '- match: a/*\n', 'needs match and reason'],
  ['a run that does not exist', because('a/*', 'neutrl'), 'run must be a list'],
  ['no list', 'match: a/*\n', 'must be a list'],
])('rejects %s', (_, differences, says) => {
  const verdict = judge('neutral', { 'a/1': true }, [], differences);
  expect(verdict.status).toBe(2);
  expect(verdict.stderr).toContain(says);
});

it('responses are checked for names of the other dialect, including headers', () => {
  const names = join(folder, 'names.txt');
  const program = `
    const { createServer } = require('node:http');
    const says = {
      '/wp-json/a': [{}, '{"type":"wp_block"}'], '/wp-json/b': [{}, '{"type":"cms_block"}'],
      '/cms-json/c': [{ 'X-WP-Total': '1' }, '[]'], '/other': [{}, 'cms_block /wp-json'],
    };
    const server = createServer(({ url }, response) => response.writeHead(200, says[url][0]).end(says[url][1])).listen(0, async () => {
      for (const path of Object.keys(says)) await fetch('http://127.0.0.1:' + server.address().port + path);
      server.closeAllConnections(); server.close();
    });`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', './.ci/watch-names.mjs', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, CONFORMANCE_NAMES: names },
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(readFileSync(names, 'utf8').split('\n')).toEqual([
    '',
    'GET /wp-json/b: …{"type":"cms_block"}…',
    expect.stringMatching(/^GET \/cms-json\/c: .*X-WP-/),
    '',
  ]);
});
