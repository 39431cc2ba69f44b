import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { planCreate } from '../../../../src/modules/content/posts/plan.ts';
import { modulesOf } from '../../../../src/deployments.ts';
import { createSite } from '../../../../src/kernel/site/create-site.ts';
import type { Site } from '../../../../src/kernel/site/site.ts';
import { addApplicationPassword } from '../../../../src/modules/people/accounts/application-passwords.ts';
import {
  createUser,
  deleteUser,
  isLogin,
  type NewUser,
  setRoles,
  type UserInput,
  updateUser,
} from '../../../../src/modules/people/users/plan.ts';
import { createStore } from '../../../../src/kernel/store/store.ts';

const folders: string[] = [];
const open: Site[] = [];

async function openSite(dir = mkdtempSync(join(tmpdir(), 'users-'))): Promise<{ site: Site; dir: string }> {
  if (!folders.includes(dir)) folders.push(dir);
  const site = await createSite({ modules: modulesOf, store: await createStore({ dir }) });
  site.setAddress('https://example.com');
  open.push(site);
  return { site, dir };
}

async function reopen(site: Site, dir: string): Promise<Site> {
  await site.accounts.settle();
  await site.close();
  open.splice(open.indexOf(site), 1);
  return (await openSite(dir)).site;
}

afterEach(async () => {
  for (const site of open.splice(0)) await site.close();
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const mira: NewUser = { login: 'mira', email: 'mira@example.org', roles: ['author'] };

function publish(site: Site, title: string, author: number): Promise<number> {
  return site.write((site) =>
    planCreate(site, { id: author, roles: ['administrator'] }, 'post', { title, content: 'x', status: 'publish', author }),
  );
}

function profile(dir: string, name: string): string {
  return readFileSync(join(dir, 'users', name), 'utf8');
}

function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: { code?: string }) => error.code ?? error,
  );
}

describe('a new user', () => {
  it.each<[string, Partial<NewUser>, object]>([
    ['has the login for names', {}, { name: 'mira', nickname: 'mira', slug: 'mira' }],
    ['has the first and last name as name', { firstName: 'Mira', lastName: 'Sole' }, { name: 'Mira Sole', nickname: 'mira' }],
    ['has the last name alone as name', { lastName: 'Sole' }, { name: 'Sole' }],
    ['has a slug made of the login', { login: 'Mira.K@home org' }, { name: 'Mira.K@home org', slug: 'mira-khome-org' }],
    ['has the slug given', { slug: 'someone' }, { slug: 'someone', nickname: 'mira', name: 'mira' }],
    [
      'has a description without what is not allowed',
      { description: 'a <script>x</script><em>b</em>' },
      { description: 'a x<em>b</em>' },
    ],
  ])('%s', async (_, input, expected) => {
    const { site } = await openSite();
    const id = await createUser(site, { ...mira, ...input });
    expect(site.users.get(id)).toMatchObject(expected);
  });

  it('gets the default role, or none', async () => {
    const { site } = await openSite();
    const plain = await createUser(site, { login: 'plain' });
    const none = await createUser(site, { login: 'none', roles: [] });
    expect([plain, none].map((id) => site.accounts.get(id)?.roles)).toEqual([['subscriber'], []]);
  });

  it('gets a unique slug', async () => {
    const { site, dir } = await openSite();
    const long = 'a'.repeat(50);
    for (const [login, slug] of [
      ['a', 'x'],
      ['b', 'x'],
      ['c', 'x'],
      ['d', long],
      ['e', long],
    ])
      await createUser(site, { login: login as string, slug: slug as string });
    expect([...site.users.all()].map(({ slug }) => slug)).toEqual(['x', 'x-2', 'x-3', long, `${'a'.repeat(48)}-2`]);
    expect(readdirSync(join(dir, 'users')).sort()).toEqual([
      `${'a'.repeat(48)}-2.yaml`,
      `${long}.yaml`,
      'x-2.yaml',
      'x-3.yaml',
      'x.yaml',
    ]);
  });

  it.each<[Partial<NewUser>, string]>([
    [{ login: 'MIRA' }, 'existing_user_login'],
    [{ email: 'Mira@Example.org' }, 'existing_user_email'],
    [{ login: 'bad*name' }, 'rest_user_invalid_username'],
    [{ login: '' }, 'rest_user_invalid_username'],
    [{ login: 'a'.repeat(61) }, 'user_login_too_long'],
    [{ slug: 'a'.repeat(51) }, 'user_nicename_too_long'],
    [{ url: `https://example.org/${'a'.repeat(100)}` }, 'user_url_too_long'],
    [{ roles: ['king'] }, 'rest_user_invalid_role'],
  ])('is refused with %j: %s, and leaves nothing behind', async (input, code) => {
    const { site, dir } = await openSite();
    await createUser(site, mira);
    expect(await codeOf(createUser(site, { login: 'other', email: 'other@example.org', ...input }))).toBe(code);
    expect([site.users.size, readdirSync(join(dir, 'users'))]).toEqual([1, ['mira.yaml']]);
  });

  it('is created once by concurrent requests', async () => {
    const { site } = await openSite();
    const codes = await Promise.all([mira, mira, mira].map((input) => codeOf(createUser(site, input))));
    expect(codes.sort()).toEqual(['existing_user_login', 'existing_user_login', 'none']);
    expect(site.users.size).toBe(1);
  });

  it('leaves no profile behind when the account cannot be written', async () => {
    const { site, dir } = await openSite();
    await createUser(site, { login: 'first' });
    const broken = { ...site, accounts: { ...site.accounts, save: () => Promise.reject(new Error('disk full')) } } as Site;
    await expect(createUser(broken, mira)).rejects.toThrow('disk full');
    expect(readdirSync(join(dir, 'users'))).toEqual(['first.yaml']);
  });

  it('keeps private data out of the content folder', async () => {
    const { site, dir } = await openSite();
    await createUser(site, {
      login: 'mira@home.example',
      email: 'mira@example.org',
      password: 'Sturdy-pass-91',
      roles: ['editor'],
      locale: 'en_US',
    });
    const text = profile(dir, 'mirahome-example.yaml');
    expect(text).toBe('id: 1\n');
    expect(site.users.get(1)?.name).toBe('mira@home.example');
    const again = await reopen(site, dir);
    expect(again.users.get(1)).toMatchObject({
      name: 'mira@home.example',
      nickname: 'mira@home.example',
      account: { email: 'mira@example.org', roles: ['editor'] },
    });
    expect(again.accounts.get(1)?.passwordHash).toMatch(/^\$scrypt\$/);
  });
});

it.each<[string, boolean]>([
  ['mira', true],
  ['Mira K. 2_a-b@x', true],
  ['', false],
  [' mira', false],
  ['mira  k', false],
  ['mïra', false],
  ['a/b', false],
  ['<b>', false],
])('whether %j is a valid login: %s', (text, fits) => {
  expect(isLogin(text)).toBe(fits);
});

describe('a changed user', () => {
  it('changes only the given lines, and no account', async () => {
    const { site, dir } = await openSite();
    await createUser(site, { ...mira, name: 'Mira' });
    const path = join(dir, 'users', 'mira.yaml');
    writeFileSync(path, `# ours\n${readFileSync(path, 'utf8')}pronouns: she\n`);
    await site.ingest(await site.store.sweep());
    const account = site.accounts.get(1);
    await updateUser(site, 1, { description: 'Writes.' });
    expect(profile(dir, 'mira.yaml')).toBe('# ours\nid: 1\nname: Mira\ndescription: Writes.\npronouns: she\n');
    expect(site.accounts.get(1)).toBe(account);
    expect(site.users.get(1)).toMatchObject({ description: 'Writes.', account });
  });

  it.each<[UserInput, object]>([
    [{ name: '' }, { name: 'mira' }],
    [{ nickname: '' }, { nickname: 'mira' }],
    [{ slug: '' }, { slug: 'mira' }],
    [{ slug: 'other' }, { slug: 'other', path: 'users/other.yaml', aliases: ['mira'] }],
    [{ url: 'https://mira.example' }, { url: 'https://mira.example' }],
    [{ email: 'MIRA@example.org' }, { account: { email: 'MIRA@example.org' } }],
    [{ roles: [] }, { account: { roles: [] } }],
    [{ roles: ['editor', 'author', 'editor'] }, { account: { roles: ['editor', 'author'] } }],
    [{ privateMeta: { persisted_preferences: { a: 1 } } }, { account: { meta: { persisted_preferences: { a: 1 } } } }],
  ])('can set %j', async (input, expected) => {
    const { site, dir } = await openSite();
    await createUser(site, mira);
    await updateUser(site, 1, input);
    expect(site.users.get(1)).toMatchObject(expected);
    expect((await reopen(site, dir)).users.get(1)).toMatchObject(expected);
  });

  it.each<[UserInput, string]>([
    [{ email: 'ODA@example.org' }, 'rest_user_invalid_email'],
    [{ slug: 'oda' }, 'rest_user_invalid_slug'],
    [{ roles: ['king'] }, 'rest_user_invalid_role'],
    [{ slug: 'a'.repeat(51) }, 'user_nicename_too_long'],
  ])('cannot set %j: %s', async (input, code) => {
    const { site } = await openSite();
    await createUser(site, mira);
    await createUser(site, { login: 'oda', email: 'oda@example.org' });
    expect(await codeOf(updateUser(site, 1, { name: 'Changed', ...input }))).toBe(code);
    expect(site.users.get(1)?.name).toBe('mira');
    expect(await codeOf(updateUser(site, 99, input))).toBe('rest_user_invalid_id');
  });

  it("keeps the site's own URL as such", async () => {
    const { site } = await openSite();
    await createUser(site, { ...mira, url: '/' });
    await updateUser(site, 1, { url: 'https://example.com' });
    expect(site.users.get(1)?.url).toBe('/');
  });

  it('moves a file named by its slug, and no other', async () => {
    const { site, dir } = await openSite();
    await createUser(site, mira);
    await updateUser(site, 1, { slug: 'one' });
    writeFileSync(join(dir, 'users', 'by-hand.yaml'), 'id: 7\nslug: seven\nname: Seven\n');
    await site.ingest(await site.store.sweep());
    await updateUser(site, 7, { slug: 'two' });
    expect(readdirSync(join(dir, 'users')).sort()).toEqual(['by-hand.yaml', 'one.yaml']);
    expect(profile(dir, 'by-hand.yaml')).toContain('slug: two');
  });

  it('gets an account if an author needs one', async () => {
    const { site, dir } = await openSite();
    await createUser(site, mira);
    writeFileSync(join(dir, 'users', 'guest.yaml'), 'id: 7\nname: Guest\n');
    await site.ingest(await site.store.sweep());
    await updateUser(site, 7, { description: 'x' });
    expect(site.accounts.get(7)).toBeUndefined();
    await setRoles(site, 7, ['author']);
    expect(site.users.get(7)).toMatchObject({ name: 'Guest', account: { login: 'guest', roles: ['author'] } });
  });
});

describe('a deleted user', () => {
  it('gives posts to the new author and changes nothing else in them', async () => {
    const { site, dir } = await openSite();
    await createUser(site, mira);
    await createUser(site, { login: 'oda', roles: ['editor'] });
    const post = await publish(site, 'One', 1);
    const path = join(dir, site.posts.get(post)?.path as string);
    const before = readFileSync(path, 'utf8');
    await deleteUser(site, 1, 2);
    expect(readFileSync(path, 'utf8')).toBe(before.replace('author: mira', 'author: oda'));
    expect([site.users.get(1), site.accounts.get(1), site.posts.get(post)?.author]).toEqual([undefined, undefined, 2]);
    expect(readdirSync(join(dir, 'users'))).toEqual(['oda.yaml']);
    expect(readdirSync(join(dir, '.cms', 'private', 'accounts'))).toEqual(['2.json']);
  });

  it.each<[number | null, string, number]>([
    [null, 'trash', 1],
    [0, 'publish', 0],
  ])('reassigned to %s leaves posts in %s by %i, also after a restart', async (heir, status, author) => {
    const { site, dir } = await openSite();
    await createUser(site, mira);
    await createUser(site, { login: 'oda' });
    const posts = [await publish(site, 'One', 1), await publish(site, 'Two', 1)];
    const other = await publish(site, 'Three', 2);
    await deleteUser(site, 1, heir);
    for (const now of [site, await reopen(site, dir)]) {
      expect(posts.map((id) => now.posts.get(id))).toMatchObject([
        { status, author },
        { status, author },
      ]);
      expect(now.posts.get(other)).toMatchObject({ status: 'publish', author: 2 });
      expect([...now.users.all()].map(({ slug }) => slug)).toEqual(['oda']);
    }
  });

  it('can leave a whole page tree', async () => {
    const { site } = await openSite();
    await createUser(site, mira);
    const page = (title: string, parent: number) =>
      site.write((site) =>
        planCreate(site, { id: 1, roles: ['administrator'] }, 'page', {
          title,
          content: 'x',
          status: 'publish',
          author: 1,
          parent,
        }),
      );
    const top = await page('Top', 0);
    const below = await page('Below', top);
    await page('Deep', below);
    await deleteUser(site, 1, null);
    expect([...site.posts.all()].map(({ status, author }) => [status, author])).toEqual([
      ['trash', 1],
      ['trash', 1],
      ['trash', 1],
    ]);
  });

  it.each([1, 99])('cannot be reassigned to %i', async (heir) => {
    const { site } = await openSite();
    await createUser(site, mira);
    expect(await codeOf(deleteUser(site, 1, heir))).toBe('rest_user_invalid_reassign');
    expect(site.users.size).toBe(1);
  });
});

it('a user of the command line has an application password', async () => {
  const { site } = await openSite();
  const id = await createUser(site, mira);
  const { password } = await addApplicationPassword(site, id, 'Command line');
  expect(password).toMatch(/^(?:\w{4} ){5}\w{4}$/);
  expect(site.accounts.get(id)).toMatchObject({ passwordHash: '', applicationPasswords: [{ lastUsed: null }] });
  expect(await codeOf(addApplicationPassword(site, 99, 'x'))).toBe('rest_user_invalid_id');
});

it('an account without a profile is a user, and gets a profile when it has data', async () => {
  const { site, dir } = await openSite();
  await createUser(site, mira);
  rmSync(join(dir, 'users', 'mira.yaml'));
  const again = await reopen(site, dir);
  expect(again.users.get(1)).toMatchObject({ path: '', name: 'mira', slug: 'mira', account: { login: 'mira' } });
  await updateUser(again, 1, { email: 'new@example.org' });
  expect(again.users.get(1)?.path).toBe('');
  await updateUser(again, 1, { description: 'Back.' });
  expect(again.users.get(1)).toMatchObject({
    path: 'users/mira.yaml',
    description: 'Back.',
    account: { email: 'new@example.org' },
  });
  await deleteUser(again, 1, 0);
  expect([again.users.size, again.accounts.all()]).toEqual([0, []]);
});
