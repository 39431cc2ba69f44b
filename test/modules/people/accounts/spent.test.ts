import { expect, it } from 'vitest';
import { readAccount } from '../../../../src/modules/people/accounts/account-document.ts';
import { spend } from '../../../../src/modules/people/accounts/spent.ts';
import { blankAccount } from '../../../../src/modules/people/users/record.ts';

const account = blankAccount(1, 'ada', '2026-03-05T10:00:00');
const stored = (of: object) => readAccount(1, JSON.stringify(of));

it('can be used once, also by processes that read the account later', () => {
  const after = spend(account, 'a link', 200, 100);
  expect(after).not.toBeNull();
  if (!after) return;
  expect(JSON.stringify(after)).not.toContain('a link');
  expect(spend(stored(after), 'a link', 200, 150)).toBeNull();
  expect(spend(stored(after), 'another link', 300, 150)?.spent).toHaveLength(2);
  // What has expired is refused for that, and need not be known any more.
  expect(spend(stored(after), 'another link', 300, 201)?.spent).toHaveLength(1);
});

it('is never forgotten because a document is broken', () => {
  for (const spent of [{}, 'x', [{}], [{ hash: 1 }]]) expect(() => stored({ ...account, spent })).toThrow();
  expect(stored({ ...account, spent: undefined }).spent).toEqual([]);
});
