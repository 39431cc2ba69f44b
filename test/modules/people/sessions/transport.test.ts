/** Over which connections a session counts. */
import { expect, it } from 'vitest';
import { operatorDefaults } from '../../../../src/kernel/model/operator.ts';
import { createAccounts } from '../../../../src/modules/people/accounts/accounts.ts';
import { createSessions } from '../../../../src/modules/people/sessions/sessions.ts';
import { blankAccount } from '../../../../src/modules/people/users/record.ts';
import { memoryDocuments } from '../../../kernel/site/documents.ts';

it.each([
  [false, false, true],
  [false, true, true],
  [true, false, false],
  [true, true, true],
])('with require_https %s, where nobody else listens %s: %s', async (require_https, isPrivate, counts) => {
  const clock = () => 1_000_000_000_000;
  const accounts = await createAccounts(memoryDocuments(), clock);
  const account = blankAccount(3, 'anna', '2026-01-02T03:04:05');
  await accounts.save(account);
  const operator = { ...operatorDefaults(), require_https };
  const sessions = createSessions({ accounts, clock, operator, url: 'https://quay.example' });
  const client = { ip: '192.0.2.1', isHttps: false, isPrivate };
  const cookie = (await sessions.begin(account, { headers: {}, client })).replace(/;.*/, '');
  const found = await sessions.find({ headers: { cookie }, client });
  expect(found?.account.login ?? null).toBe(counts ? 'anna' : null);
});
