import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startSite } from '../../../support/site.ts';
import { type Draft, type FileContext, printFields, readFields } from '../../../../src/kernel/model/field.ts';
import { userFields } from '../../../../src/modules/people/users/fields.ts';
import {
  type Account,
  avatarUrls,
  blankAccount,
  defaultName,
  type UserRecord,
} from '../../../../src/modules/people/users/record.ts';

const account: Account = {
  ...blankAccount(7, 'mira', '2026-01-02T03:04:05'),
  email: 'mira@example.org',
  roles: ['author'],
  capabilities: { edit_pages: true },
  name: 'Mira',
  slug: 'mira',
};

function contextOf(path: string): FileContext {
  return { path, mtimeMs: 0, zone: 'UTC', refs: null as never };
}

function readUser(path: string, data: Record<string, unknown>, own: Account | null = null): UserRecord {
  const draft = { id: 7, path, etag: '', account: own } as unknown as Draft<UserRecord>;
  readFields(userFields, data, draft, contextOf(path));
  return draft;
}

function printUser(user: UserRecord): Record<string, unknown> {
  return printFields(userFields, { record: user, cx: contextOf(user.path) });
}

describe('a profile', () => {
  it('needs only a file', () => {
    expect(readUser('users/anna-k.yaml', {})).toMatchObject({
      slug: 'anna-k',
      name: 'anna-k',
      nickname: 'anna-k',
      firstName: '',
      lastName: '',
      description: '',
      url: '',
      meta: {},
      aliases: [],
    });
  });

  it('contains only values that differ from the default', () => {
    expect(printUser(readUser('users/anna.yaml', { slug: 'anna', nickname: 'anna', url: '', meta: {} }))).toEqual({ id: 7 });
    expect(printUser(readUser('users/anna.yaml', { slug: 'Anna K', name: 'Anna' }))).toEqual({
      id: 7,
      name: 'Anna',
      slug: 'anna-k',
    });
  });

  it('never contains private data', () => {
    const printed = JSON.stringify(
      printUser(readUser('users/anna.yaml', { name: 'Anna' }, { ...account, login: 'anna@example.org' })),
    );
    for (const secret of ['anna@example.org', account.email, 'author', 'registered']) expect(printed).not.toContain(secret);
  });

  it('reads back as printed', () => {
    const word = fc.string({ maxLength: 20 });
    const data = fc.record({
      name: word,
      first_name: word,
      last_name: word,
      nickname: word,
      description: word,
      url: word,
      slug: word,
      meta: fc.dictionary(word, word),
    });
    fc.assert(
      fc.property(data, fc.boolean(), (values, signsIn) => {
        const user = readUser('users/anna.yaml', values, signsIn ? account : null);
        expect(readUser('users/anna.yaml', printUser(user), user.account)).toEqual(user);
      }),
    );
  });
});

it.each([
  ['users/anna.yaml', null, 'anna'],
  ['users/anna.yaml', account, 'anna'],
  ['users/anna-x-org.yaml', { ...account, login: 'anna@x.org' }, 'anna@x.org'],
])('the name of a user without one in %s', (path, own, name) => {
  expect(defaultName(path, own)).toBe(name);
});

it('users are found by slug, former slug and capability', () => {
  const user = { ...readUser('users/anna.yaml', { aliases: ['ann'] }), account };
  expect(userFields.slug?.index?.equal?.(user)).toEqual(['anna', '~ann']);
  expect(userFields.roles?.index?.equal?.(user)).toEqual(['author', 'edit_pages']);
  expect(userFields.name?.index?.order?.({ ...user, name: 'Åsa' })).toBe('asa');
});

it('an email address is shown only as a digest', () => {
  const urls = avatarUrls(' Mira@Example.org ');
  expect(urls).toEqual(avatarUrls('mira@example.org'));
  expect(Object.keys(urls)).toEqual(['24', '48', '96']);
  expect(urls['48']).toMatch(/^https:\/\/\S+\/[\da-f]{64}\?s=48&/);
  expect(avatarUrls('')['24']).not.toMatch(/[\da-f]{64}/);
});

it('an author whose name has neither letter nor digit is nobody', async () => {
  const site = await startSite({
    files: { 'posts/a.md': '---\nid: 70\ntitle: A\nauthor: "???"\ndate: 2026-03-01\n---\nText\n' },
  });
  expect((await site.ask('GET', '/cms/v2/posts/70')).body.author).toBe(0);
  expect([...site.site.users.all()].map(({ slug }) => slug)).toEqual(['admin']);
  await site.close();
});
