/**
 * Contract tests as rows: who does what, what they get, and which files that writes. Every row runs in both dialects, in process and
 * over HTTP: each of the four has a site of its own, on which the rows follow one another.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, type ErrorRows, errorRow } from '../../src/kernel/errors.ts';
import { dialects } from '../../src/kernel/rest/dialect.ts';
import type { Actor } from '../../src/kernel/model/access.ts';
import { contentOf, type Known } from './content-files.ts';
import { askInProcess } from './in-process.ts';
import { type Answered, signUp, startSite, type TestSite } from './site.ts';

export interface ApiRow {
  /** What the row shows, as a sentence. */
  readonly name: string;
  /** A login: `admin`, or the name of one of the roles in `users`. Absent: a visitor. */
  readonly who?: string;
  /** Method and path, as the neutral dialect spells it: `GET /cms/v2/posts?page=2`. */
  readonly does: string;
  readonly body?: unknown;
  readonly sends?: Readonly<Record<string, string>>;
  /** A status; with an error's code, or with what the body must have in it, in the neutral dialect: see `Spelling`. */
  readonly gets: number | readonly [status: number, code: ErrorCode] | readonly [status: number, body: object];
  /** By neutral name; a pattern where the value is not always the same. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** Paths of all files that are new, changed or gone afterwards. Absent: none. */
  readonly writes?: readonly string[];
}

export interface ApiSite {
  readonly files?: Readonly<Record<string, string>>;
  /** Roles that have an account, called like the role. `admin` has one in any case. */
  readonly users?: readonly string[];
}

/** A text as the dialect has it: names, relations, `{url}` of the site, `{rest}/cms/v2/posts/7`. */
type Spelling = (text: string) => string;

/** When all rows happen. */
export const rowsAt = '2026-03-05T10:00:00';

export function describeApi(name: string, { files = {}, users = [] }: ApiSite, rows: readonly ApiRow[]): void {
  for (const dialect of dialects)
    for (const transport of ['in process', 'HTTP'] as const)
      describe(`${name}, ${dialect.name}, ${transport}`, () => {
        let site: TestSite;
        const known = new Map<string, Known>();
        const actors = new Map<string, { readonly user: Actor; readonly as: string }>();
        beforeAll(async () => {
          site = await startSite({ files, clock: () => Date.parse(`${rowsAt}Z`) });
          actors.set('admin', { user: { id: 1, roles: ['administrator'] }, as: 'admin' });
          for (const role of users) {
            const { id, as } = await signUp(site, role, role);
            actors.set(role, { user: { id, roles: [role] }, as });
          }
        });
        afterAll(() => site.close());
        const spelling: Spelling = (text) => {
          if (text.startsWith('{rest}')) return site.url + dialect.root + dialect.spellRoute(text.slice(6));
          if (text.startsWith('{url}')) return site.url + text.slice(5);
          return text.startsWith('X-CMS-') ? dialect.header(text.slice(6)) : dialect.relation(dialect.wireName(text));
        };

        it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
          const before = contentOf(site.dir, known);
          const answer = await ask(row);
          check(answer, row, spelling, site.site.modules.errors);
          expect(changed(before, contentOf(site.dir, known))).toEqual([...(row.writes ?? [])].sort());
        });

        function ask({ who, does, body, sends: headers = {} }: ApiRow): Promise<Answered> {
          const actor = who === undefined ? undefined : actors.get(who);
          if (who !== undefined && actor === undefined) throw new Error(`nobody is called ${who}`);
          const [method = '', path = ''] = does.split(' ');
          const target = dialect.root + dialect.spellRoute(path);
          if (transport === 'in process') return askInProcess(site, method, target, { user: actor?.user ?? null, body, headers });
          return site.ask(method, target, { raw: true, body, headers, ...(actor ? { as: actor.as } : {}) });
        }
      });
}

function check({ status, body, headers }: Answered, row: ApiRow, spelling: Spelling, ofModules: ErrorRows): void {
  const [wanted, what] = typeof row.gets === 'number' ? [row.gets] : row.gets;
  const isRefusal = typeof what === 'string';
  expect({ status, code: body?.code }, JSON.stringify(body)?.slice(0, 500)).toEqual({
    status: wanted,
    code: isRefusal ? what : status < 400 ? body?.code : undefined,
  });
  if (isRefusal) expect(body.data?.status).toBe(errorRow(what, ofModules)?.bare ? undefined : wanted);
  else if (what !== undefined) expect(body).toMatchObject(spelled(what, spelling) as object);
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    const given = headers.get(spelling(name));
    if (value instanceof RegExp) expect(given, name).toMatch(value);
    else expect(given, name).toBe(value === null ? null : spelling(value));
  }
}

function spelled(value: unknown, spelling: Spelling): unknown {
  if (typeof value === 'string') return spelling(value);
  if (Array.isArray(value)) return value.map((one) => spelled(one, spelling));
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [spelling(key), spelled(one, spelling)]));
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort();
}
