/** People from the command line. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyPassword } from '../../src/modules/people/accounts/passwords.ts';
import { filesIn, newSite, run } from './run.ts';

interface Person {
  readonly login: string | null;
  readonly name: string;
  readonly roles: readonly string[];
  readonly posts: number;
}

async function people(dir: string): Promise<Record<string, Person>> {
  const { out } = await run(['user', 'list', '--json', '--dir', dir]);
  return Object.fromEntries((JSON.parse(out) as Person[]).map((one) => [one.login ?? one.name, one]));
}

describe('cms user', () => {
  it('prints an upload token if uploads are enabled and the user may upload', async () => {
    const { dir } = await newSite();
    const token = (login: string) => run(['user', 'upload-token', login, '--dir', dir]);
    expect(await token('admin')).toMatchObject({ status: 2, out: '', err: expect.stringContaining('extended deployment') });
    await writeFile(join(dir, 'site.yaml'), 'name: New\ndeployment: extended\n');
    expect(await token('admin')).toMatchObject({ status: 0, out: expect.stringMatching(/^1\.[\w-]{32}$/) });
    expect((await token('admin')).out).toBe((await token('admin')).out);
    await run(['user', 'create', 'sam', '--role', 'subscriber', '--dir', dir]);
    expect(await token('sam')).toMatchObject({ status: 2, err: expect.stringContaining('sam may not upload files') });
    expect((await token('nobody')).status).toBe(1);
  });

  it('create makes a profile and an account that can sign in', async () => {
    const { dir } = await newSite();
    const line = [
      'user',
      'create',
      'ada',
      '--email',
      'ada@example.com',
      '--role',
      'editor',
      '--name',
      'Ada L.',
      '--password-stdin',
      '--dir',
      dir,
    ];
    expect(await run(line, { input: 'secret word\n' })).toMatchObject({ status: 0, out: '' });
    expect(await people(dir)).toMatchObject({
      admin: { roles: ['administrator'] },
      ada: { name: 'Ada L.', roles: ['editor'], posts: 0 },
    });
    const files = await filesIn(dir, { own: true });
    expect(files['users/ada.yaml']).toMatch(/^id: \d+\nname: Ada L\.\n/);
    const account = Object.entries(files).find(
      ([path, text]) => path.startsWith('.cms/private/accounts/') && text.includes('"ada"'),
    )?.[1];
    expect(await verifyPassword('secret word', (JSON.parse(account as string) as { passwordHash: string }).passwordHash)).toBe(
      true,
    );
    expect((await run(['user', 'list', '--dir', dir])).out).toMatch(/^ID .*\n1 .*admin .*\n\d+ .*ada .*Ada L\.$/);
  });

  it('create gives an existing author an account', async () => {
    const { dir } = await newSite();
    await writeFile(join(dir, 'users/ben.yaml'), 'id: 7\nname: Ben\n');
    expect(await run(['user', 'create', 'ben', '--role', 'author', '--dir', dir])).toMatchObject({
      status: 0,
      err: expect.stringContaining('users/ben.yaml'),
    });
    expect(await people(dir)).toMatchObject({ ben: { login: 'ben', name: 'Ben', roles: ['author'] } });
    expect((await filesIn(dir))['users/ben.yaml']).toBe('id: 7\nname: Ben\n');
  });

  it('changes roles', async () => {
    const { dir } = await newSite();
    await run(['user', 'create', 'ada', '--dir', dir]);
    expect((await people(dir)).ada?.roles).toEqual(['subscriber']);
    expect(await run(['user', 'set-role', 'ada', 'editor', 'author', '--dir', dir])).toMatchObject({
      status: 0,
      err: 'ada is now editor and author',
    });
    expect((await people(dir)).ada?.roles).toEqual(['editor', 'author']);
  });

  it('delete requires a decision about the posts', async () => {
    const { dir } = await newSite();
    await run(['user', 'create', 'ada', '--role', 'author', '--dir', dir]);
    await mkdir(join(dir, 'posts'));
    await writeFile(join(dir, 'posts/a.md'), '---\nid: 1\nauthor: ada # for now\n---\nA\n');
    expect(await run(['user', 'delete', 'ada', '--dir', dir])).toMatchObject({
      status: 2,
      err: expect.stringContaining('1 item'),
    });
    expect(await run(['user', 'delete', 'ada', '--reassign', 'ada', '--dir', dir])).toMatchObject({ status: 2 });
    expect(await run(['user', 'delete', 'ada', '--reassign', 'admin', '--dir', dir])).toMatchObject({ status: 0 });
    const files = await filesIn(dir, { own: true });
    expect(files['posts/a.md']).toContain('author: admin # for now');
    expect(Object.keys(files).filter((path) => path.includes('ada') || path.endsWith('accounts/2.json'))).toEqual([]);
    expect(Object.keys(await people(dir))).toEqual(['admin']);
  });

  it('delete reports the last administrator', async () => {
    const { dir } = await newSite();
    const demoted = await run(['user', 'set-role', 'admin', 'editor', '--dir', dir]);
    expect([demoted.status, demoted.err]).toEqual([
      0,
      expect.stringContaining(`cms user set-role admin administrator --dir ${dir}`),
    ]);
    expect((await run(['user', 'set-role', 'admin', 'administrator', '--dir', dir])).err).toBe('admin is now administrator');
    const refused = await run(['user', 'delete', 'admin', '--dir', dir]);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('cms user create LOGIN --role administrator')]);
    expect((await people(dir)).admin?.roles).toEqual(['administrator']);
    const forced = await run(['user', 'delete', 'admin', '--force', '--dir', dir]);
    expect([forced.status, forced.err]).toEqual([0, expect.stringContaining('cms user create LOGIN --role administrator')]);
    expect(await people(dir)).toEqual({});
  });

  it('delete removes an administrator if there is another', async () => {
    const { dir } = await newSite();
    await run(['user', 'create', 'ada', '--role', 'administrator', '--dir', dir]);
    expect((await run(['user', 'delete', 'admin', '--dir', dir])).status).toBe(0);
    expect((await run(['user', 'delete', 'ada', '--dir', dir])).status).toBe(2);
  });

  const wrong: readonly { line: string; status: number; says: string }[] = [
    { line: 'user create ada --role editr', status: 2, says: 'unknown role "editr"\n  did you mean editor?' },
    { line: 'user create admin', status: 1, says: 'LOGIN: ' },
    { line: 'user create ada --email admin@example.com', status: 1, says: '--email: ' },
    { line: 'user create ada --password-stdin', status: 2, says: '--password-stdin: stdin is empty' },
    { line: 'user set-role nobody editor', status: 1, says: 'no user named "nobody"' },
    { line: 'user delete adnim', status: 1, says: 'did you mean admin?' },
  ];
  it.each(wrong)('$line fails', async ({ line, status, says }) => {
    const { dir } = await newSite('--email', 'admin@example.com');
    expect(await run([...line.split(' '), '--dir', dir])).toMatchObject({ status, out: '', err: expect.stringContaining(says) });
    expect(Object.keys(await people(dir))).toEqual(['admin']);
  });
});
