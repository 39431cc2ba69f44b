/** A passkey where several nodes answer: asked for by one of them, answered at another. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createMemoryEngine } from '../../../support/memory-engine.ts';
import { cookieOf, hiddenFields } from '../../../support/forms.ts';
import { createContent, type Node, startNode } from '../../../support/nodes.ts';
import { passkeyFiles } from '../../../support/passkey-site.ts';
import { type Answered, overHttp } from '../../../support/site.ts';

const host = 'notes.example';
const proxied = { host, 'x-forwarded-proto': 'https', 'x-forwarded-host': host };
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** COSE key of ES256. Source: RFC 9053, 7.1.1. */
function publicKeyOf(key: KeyObject): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [before, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return Buffer.concat([before, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')]).toString('base64url');
}

/** What a device answers. Source: Web Authentication Level 3, 6.1 and 6.3.3. */
function answerTo(challenge: string, id: string, key: KeyObject, counter: number): string {
  const about = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: `https://${host}` }));
  const data = Buffer.concat([sha256(host), Buffer.from([0b101]), Buffer.alloc(4)]);
  data.writeUInt32BE(counter, 33);
  const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(about).digest()]), key);
  const response = { clientDataJSON: about, authenticatorData: data, signature };
  return JSON.stringify({
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  });
}

it('an answer signs in at any node, and at one of them only', async () => {
  const engine = createMemoryEngine();
  await createContent(engine);
  // So rarely that only requests bring news.
  const quiet = { ...engine, hints: () => () => undefined };
  const operator = { trusted_proxies: ['127.0.0.1'] };
  const files = await passkeyFiles();
  const nodes = await Promise.all([1, 2, 3].map(() => startNode(quiet, 3_600_000, operator, undefined, [files])));
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
  });
  const [a, b, c] = nodes as [Node, Node, Node];
  const admin = a.site.accounts.byLogin('admin')?.id ?? 0;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = Buffer.from('a key').toString('base64url');
  await a.site.accounts.change(admin, (known) => ({
    ...known,
    passkeys: [
      {
        ...{ id, publicKey: publicKeyOf(publicKey), counter: 0, host, transports: [], name: 'Phone' },
        ...{ created: 1, lastUsed: null, lastIp: null },
      },
    ],
  }));
  const ask = (node: Node, method: string, body?: Record<string, string>, cookie = ''): Promise<Answered> =>
    overHttp(`${node.url}/cms-login.php`, {
      method,
      headers: {
        ...{ ...proxied, cookie },
        ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: body && String(new URLSearchParams(body)),
    });
  /** What the sign-in page of a node asks, answered by the device. */
  const answered = async (node: Node, counter: number) => {
    const shown = await ask(node, 'GET');
    const { seal = '', ...fields } = hiddenFields(shown.body);
    const [challenge = ''] = seal.split('.');
    return {
      fields: { ...fields, do: 'passkey', seal, credential: answerTo(challenge, id, privateKey, counter) },
      cookie: cookieOf(shown),
    };
  };
  const at = async (node: Node, { fields, cookie }: Awaited<ReturnType<typeof answered>>) => {
    const { status, headers } = await ask(node, 'POST', fields, cookie);
    return {
      status,
      session:
        headers
          .getSetCookie()
          .find((one) => /session/.test(one))
          ?.split(';', 1)[0] ?? '',
    };
  };
  const first = await answered(a, 1);
  const { status, session } = await at(b, first);
  expect([status, session === '']).toEqual([303, false]);
  // Every node knows the session, and that the answer is spent.
  for (const node of [a, b, c]) {
    const profile = await overHttp(`${node.url}/cms-admin/profile.php`, { headers: { ...proxied, cookie: session } });
    expect([profile.status, profile.body.includes('<strong>admin</strong>')]).toEqual([200, true]);
    expect(await at(node, first)).toEqual({ status: 403, session: '' });
  }
  // A copy of the key has a counter that another node has seen.
  expect((await at(c, await answered(b, 1))).status).toBe(403);
  // Of one answer that comes to all at once, one signs in.
  const next = await answered(c, 2);
  const all = await Promise.all([a, b, c].map((node) => at(node, next)));
  expect(all.map((one) => one.status).sort()).toEqual([303, 403, 403]);
  // Whoever is taken away the passkey at one node has none at another.
  await a.site.accounts.change(admin, (known) => ({ ...known, passkeys: [] }));
  expect((await at(b, await answered(c, 3))).status).toBe(403);
});
