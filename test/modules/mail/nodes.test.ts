/** Letters of several nodes: each sends those of its own requests, once, and those of nodes that are gone; and a link to sign in works on one of them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newPending } from '../../../src/modules/deliveries/index.ts';
import type { ContentEngine } from '../../../src/kernel/store/content-engine.ts';
import { privateFolder } from '../../../src/engines/shared-documents.ts';
import { type LetterDelivery, readLetters } from '../../../src/modules/mail/record.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { openSite } from '../../../src/open-site.ts';
import { cookieOf, hiddenFields } from '../../support/forms.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { createContent, interruptible, type Node, startNode } from '../../support/nodes.ts';
import { overHttp, startSite, until } from '../../support/site.ts';

let server: MailServer;
let engine: ContentEngine;
/** Who asked for which lease, and whether they got it. */
let asked: { readonly name: string; readonly holder: string; readonly isHeld: boolean }[];
/** Of the clock of nodes. */
let aheadMs: number;
const open = new Set<Node>();
beforeEach(async () => {
  server = await startMailServer();
  [asked, aheadMs] = [[], 0];
  const memory = createMemoryEngine();
  engine = {
    ...memory,
    async lease(name, holder, forMs) {
      const isHeld = await memory.lease(name, holder, forMs);
      asked.push({ name, holder, isHeld });
      return isHeld;
    },
  };
  await createContent(engine);
});
afterEach(async () => {
  for (const node of open) await end(node);
  await server.close();
});

async function start(name: string, over = engine): Promise<Node> {
  const node = await startNode(over, 20, { mail: server.settings, sign_in_links: true }, name, [], () => Date.now() + aheadMs);
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

it('a node sends what its own requests gave it, and nobody else does; after a restart of all it goes on at the first', async () => {
  server.refuse(451);
  const nodes = [await start('a'), await start('b')] as const;
  for (const [at, node] of nodes.entries()) node.site.mail.send(letterTo(`${at}@example.org`));
  for (const node of nodes) await until(() => node.site.mail.counts().failed === 1);
  for (const node of nodes) await end(node);
  server.refuse(0);
  const again = await start('a');
  await until(() => again.site.mail.counts().waiting === 2);
  // They are due when they are: a restart does not send them sooner.
  expect(again.site.mail.counts().sent).toBe(0);
  await start('b');
  await until(() => again.site.mail.counts().sent === 2);
  expect(received()).toEqual(['0@example.org', '1@example.org']);
});

it('what waits at a node that is gone is sent once, by one of the others, when its lease has run out', async () => {
  server.refuse(451);
  const { engine: cut, away } = interruptible(engine);
  const gone = await start('gone', cut);
  gone.site.mail.send(letterTo('one@example.org'));
  await until(async () => (await waitingAt('gone')).some(({ attempts }) => attempts === 1));
  // It dies: it stores nothing any more, and gives nothing back.
  away(true);
  await end(gone);
  server.refuse(0);
  const nodes = [await start('b'), await start('c')];
  await until(() => passes() && refused('gone').length > 1);
  expect(received()).toEqual([]);
  const { name, holder } = asked.find((one) => isOf('gone', one) && one.isHeld) as (typeof asked)[0];
  await engine.lease(name, holder, 0);
  await until(() => passes() && received().length === 1);
  await until(async () => (await documentsOf('gone')).length === 0);
  for (const { site } of nodes) site.mail.send(letterTo('two@example.org'));
  await until(() => received().length === 3);
  await until(() => nodes.every(({ site }) => site.mail.counts().waiting === 0));
  expect(received()).toEqual(['one@example.org', 'two@example.org', 'two@example.org']);
});

it('the queue of a node that is alive is left to it; once it has ended another one goes on, and it has nothing to send when it starts again', async () => {
  server.refuse(451);
  const nodes = [await start('a'), await start('b')] as const;
  nodes[0].site.mail.send(letterTo('one@example.org'));
  await until(async () => (await waitingAt('a')).length === 1);
  await until(() => passes() && refused('a').length > 0 && refused('b').length > 0);
  expect(await waitingAt('a')).toHaveLength(1);
  await end(nodes[0]);
  // Given back, so that nobody need wait.
  await until(async () => passes() && (await waitingAt('b')).length === 1);
  await until(async () => (await documentsOf('a')).length === 0);
  const again = await start('a');
  server.refuse(0);
  await until(() => passes() && received().length === 1);
  expect(again.site.mail.counts()).toMatchObject({ waiting: 0, sent: 0 });
});

it('a node that starts again before its lease has run out waits for nothing, and then goes on with what it had left', async () => {
  server.refuse(451);
  const { engine: cut, away } = interruptible(engine);
  const killed = await start('a', cut);
  killed.site.mail.send(letterTo('one@example.org'));
  await until(async () => (await waitingAt('a')).length === 1);
  away(true);
  await end(killed);
  server.refuse(0);
  const again = await start('a');
  again.site.mail.send(letterTo('two@example.org'));
  await until(() => received().length === 1);
  expect(received()).toEqual(['two@example.org']);
  const { name, holder } = asked.find((one) => isOf('a', one) && one.isHeld) as (typeof asked)[0];
  await engine.lease(name, holder, 0);
  await until(() => passes() && received().length === 2);
  expect(received()).toEqual(['one@example.org', 'two@example.org']);
});

it('a process that has the folder alone sends what workers have left, and workers what it has left', async () => {
  const folder = await startSite();
  const site = await openSite(folder.dir, { operator: { mail: server.settings } });
  const left = { ...newPending(0), letter: letterTo('one@example.org') };
  await site.store.private.set('mail/worker-7.json', Buffer.from(JSON.stringify({ waiting: [left], dead: [] })));
  const stop = site.mail.start();
  await until(() => received().length === 1);
  await stop();
  expect(await site.store.private.keys('mail/')).toEqual(['mail/letters.json']);
  await site.close();
  await folder.close();
  await start('b');
  const bytes = Buffer.from(JSON.stringify({ waiting: [{ ...left, id: 'msg_2' }], dead: [] }));
  await engine.commit({ id: 'left', seen: 0, edits: [{ path: `${privateFolder}mail/letters.json`, bytes }] });
  await until(() => passes() && received().length === 2);
});

/** A second, for nodes. */
function passes(): boolean {
  aheadMs += 1000;
  return true;
}

const isOf = (node: string, { name }: { readonly name: string }): boolean => name.startsWith(`queue mail/${node}-`);
const refused = (node: string) => asked.filter((one) => isOf(node, one) && !one.isHeld);

async function documentsOf(node: string): Promise<readonly string[]> {
  const paths: string[] = [];
  await engine.list((files) => paths.push(...files.map(({ path }) => path)));
  return paths.filter((path) => path.startsWith(`${privateFolder}mail/${node}-`));
}

async function waitingAt(node: string): Promise<readonly LetterDelivery[]> {
  const files = await engine.read(await documentsOf(node));
  return [...files.values()].flatMap(({ bytes }) => readLetters(bytes)?.waiting ?? []);
}

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

it('a command names letters of any node, and the one that has a letter sends it again', async () => {
  server.refuse(550);
  const nodes = [await start('a'), await start('b')] as const;
  for (const [at, node] of nodes.entries()) node.site.mail.send(letterTo(`${at}@example.org`));
  for (const node of nodes) await until(() => node.site.mail.counts().dead === 1);
  server.refuse(0);
  const dead: string[] = [];
  await until(async () => {
    dead.length = 0;
    for (const key of await nodes[0].site.store.private.keys('mail/'))
      dead.push(...(readLetters(await nodes[0].site.store.private.get(key))?.dead ?? []).map(({ id }) => id));
    return dead.length === 2;
  });
  await nodes[0].site.store.private.set('mail/resend.json', Buffer.from(JSON.stringify(dead)));
  await until(() => server.received.length === 2);
  expect(received()).toEqual(['0@example.org', '1@example.org']);
  expect(await nodes[0].site.store.private.get('mail/resend.json')).toBeNull();
});
