/** Application passwords from the command line. */
import { describe, expect, it } from 'vitest';
import { newSite, run } from './run.ts';

describe('password', () => {
  it('is printed once, listed without its value, and revoked', async () => {
    const { dir } = await newSite();
    const at = ['--dir', dir];
    const made = await run(['password', 'create', 'admin', '--name', 'phone', ...at]);
    expect(made).toMatchObject({ status: 0, out: expect.stringMatching(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/) });
    const listed = await run(['password', 'list', 'ADMIN', '--json', ...at]);
    const rows = JSON.parse(listed.out) as { uuid: string; name: string }[];
    expect(rows.map(({ name }) => name)).toEqual(['cms init', 'phone']);
    expect(listed.out).not.toMatch(/hash|hmac/);
    expect((await run(['password', 'list', 'admin'], { cwd: dir })).out).toMatch(/^UUID .*\n[\w-]{36} .*never {6}cms init\n/);
    expect(await run(['password', 'revoke', 'admin', rows[0]?.uuid as string, ...at])).toMatchObject({
      status: 0,
      err: 'revoked 1 of 2 passwords of admin',
    });
    expect(await run(['password', 'revoke', 'admin', rows[0]?.uuid as string, ...at])).toMatchObject({ status: 1 });
    await run(['password', 'revoke', 'admin', '--all', ...at]);
    expect((await run(['password', 'list', 'admin', '--json', ...at])).out).toBe('[]');
  });

  it('of an unknown user fails with a hint', async () => {
    const { dir } = await newSite();
    expect(await run(['password', 'create', 'amdin', '--dir', dir])).toEqual({
      status: 1,
      out: '',
      err: 'cms: no account named "amdin"\n  did you mean admin?',
    });
  });
});
