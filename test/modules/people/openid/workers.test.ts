/** Signing in at an OpenID provider where several workers answer: the one that writes does what changes something. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Workers, startWorkers } from '../../../workers/workers.ts';
import {
  clientId,
  type OpenIdProvider,
  publicClient,
  signInAtProvider,
  startOpenIdProvider,
} from '../../../support/openid-provider.ts';

let provider: OpenIdProvider;
let workers: Workers;
beforeAll(async () => {
  provider = await startOpenIdProvider(publicClient);
  workers = await startWorkers({
    operator: { openid: { issuer: provider.issuer, client_id: clientId, new_accounts: 'author' } },
  });
  provider.redirectUris.push(...workers.urls().map((url) => `${url}/cms-admin/openid`));
});
afterAll(async () => {
  await workers.close();
  await provider.close();
});

it('a person who comes back to any worker gets an account and a session, and all know both', async () => {
  for (const [at, url] of workers.urls().entries()) {
    provider.people.set(`s-${at}`, { preferred_username: `person-${at}` });
    const left = await workers.ask(url, 'GET', '/cms-login.php?action=openid');
    const flow = left.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const back = await signInAtProvider(left.headers.get('location') ?? '', `s-${at}`);
    const done = await workers.ask(url, 'GET', back.slice(url.length), { headers: { cookie: flow } });
    expect([at, done.status]).toEqual([at, 303]);
    const cookie = done.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    for (const other of workers.urls()) {
      const profile = await workers.ask(other, 'GET', '/cms-admin/profile.php', { headers: { cookie } });
      expect([at, profile.status, profile.text.includes(`<strong>person-${at}</strong>`)]).toEqual([at, 200, true]);
      const again = await workers.ask(other, 'GET', back.slice(url.length), { headers: { cookie: flow } });
      expect(again.status).toBe(400);
    }
  }
});
