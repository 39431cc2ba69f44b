/** Letters of several nodes: each sends those of its own requests, once, also after a restart; and a link to sign in works on one of them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ContentEngine } from '../../../src/kernel/store/engine/content-engine.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { cookieOf, hiddenFields } from '../../support/forms.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { createContent, type Node, startNode } from '../../support/nodes.ts';
import { overHttp, until } from '../../support/site.ts';

let server: MailServer;
let engine: ContentEngine;
const open = new Set<Node>();
beforeEach(async () => {
  server = await startMailServer();
  engine = createMemoryEngine();
  await createContent(engine);
});
afterEach(async () => {
  for (const node of open) await end(node);
  await server.close();
});

async function start(name: string): Promise<Node> {
  const node = await startNode(engine, 20, { mail: server.settings, sign_in_links: true }, name);
  // Where the operator says: site.yaml does not count for links.
  node.site.setAddress('https://example.org', 'operator');
  open.add(node);
  return node;
}

async function end(node: Node): Promise<void> {
  open.delete(node);
  await node.close();
}

const letterTo = (to: string) => ({ kind: 'test', to, subject: 'Hello', text: 'How are you?\n' });
const received = (): readonly string[] => server.received.flatMap(({ to }) => to).sort();

it('a node sends what its own requests gave it, also after a restart, and nobody else does', async () => {
  server.refuse(451);
  const nodes = [await start('a'), await start('b')] as const;
  for (const [at, node] of nodes.entries()) node.site.mail.send(letterTo(`${at}@example.org`));
  for (const node of nodes) await until(() => node.site.mail.counts().failed === 1);
  for (const node of nodes) await end(node);
  server.refuse(0);
  const [again] = [await start('a')];
  // It is due when it is: a restart does not send it sooner.
  expect(again.site.mail.counts()).toMatchObject({ waiting: 1, sent: 0 });
  await until(() => again.site.mail.counts().sent === 1);
  expect(received()).toEqual(['0@example.org']);
  await start('b');
  await until(() => received().length === 2);
  expect(received()).toEqual(['0@example.org', '1@example.org']);
});

it('a link to sign in that one node has sent works once, on whichever node', async () => {
  const [a, b] = [await start('a'), await start('b')];
  const path = '/cms-login.php?action=link';
  await sendForm(a.url, path, { login: 'admin' });
  await until(() => server.received.length === 1);
  const link = /\/cms-login\.php\?action=signin\S+/.exec(server.received[0]?.text ?? '')?.[0] ?? '';
  const statuses = await Promise.all([a, b, a].map(async ({ url }) => (await sendForm(url, link, {})).status));
  expect(statuses.sort()).toEqual([303, 410, 410]);
});

async function sendForm(url: string, path: string, fields: Readonly<Record<string, string>>) {
  const shown = await overHttp(url + path);
  return overHttp(url + path, {
    method: 'POST',
    body: String(new URLSearchParams({ ...hiddenFields(shown.body), ...fields })),
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookieOf(shown) },
  });
}
