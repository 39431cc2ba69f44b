/**
 * Three nodes as processes over a real PostgreSQL, with eight clients, while whatever can fail does. An independent checker judges the
 * history that the clients saw. `NODES_LONG=1` makes it long: more of the same, and ten thousand writes while the database is killed
 * again and again.
 */
import { execFileSync, type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Changes } from '../../../src/kernel/store/content-engine.ts';
import { migrations } from '../../../src/engines/postgres/migrations.ts';
import { createPostgresEngine, type PostgresEngine } from '../../../src/engines/postgres/postgres-engine.ts';
import { type NodeProcess, type NodeProcesses, startNodeProcesses } from '../../support/node-processes.ts';
import { startNode } from '../../support/nodes.ts';
import {
  databaseFolder,
  databaseOwner,
  freePort,
  missingPostgres,
  type Postgres,
  startPostgres,
} from '../../support/postgres.ts';
import { until } from '../../support/site.ts';
import { type Receiver, startReceiver } from '../../modules/events/receiver.ts';

const isLong = Boolean(process.env.NODES_LONG);
const opsEach = isLong ? 500 : 25;
const timeout = isLong ? 900_000 : 180_000;

const test = missingPostgres === null ? it : it.skip;
const long = missingPostgres === null && isLong ? it : it.skip;
const pooler = '/usr/sbin/pgbouncer';
if (missingPostgres !== null) process.stderr.write(`left out: ${missingPostgres}\n`);
else if (!existsSync(pooler)) process.stderr.write('left out: PgBouncer is not installed (Debian: apt-get install pgbouncer)\n');

describe('three nodes over PostgreSQL', () => {
  let database: Postgres;
  let processes: NodeProcesses;
  let receiver: Receiver;
  let nodes: readonly [NodeProcess, NodeProcess, NodeProcess];

  beforeAll(async () => {
    if (missingPostgres !== null) return;
    receiver = await startReceiver();
    database = await startPostgres();
    const hook = (at: number) => ({ url: `${receiver.url}/${at}`, secret_env: 'HOOK_SECRET', kinds: ['post'] });
    processes = await startNodeProcesses({
      database,
      env: (at) => ({
        CMS_FETCH_ALLOW: '127.0.0.1',
        CMS_EVENTS: JSON.stringify({ front: hook(at) }),
        HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      }),
    });
    nodes = processes.nodes as typeof nodes;
  });
  afterAll(async () => {
    await processes?.close();
    await database?.stop();
    await receiver?.close();
  });

  test('keep one history, whatever is killed or cut', { timeout }, async () => {
    const work = await processes.begin(opsEach);
    const [, killed, cut] = nodes;
    // The last commits may be over by then.
    const lose = () => Promise.race([cut.network.cutAfter('commit_all'), work.done]);
    await work.reached(0.1);
    await lose();
    await work.reached(0.25);
    await killed.end('SIGKILL');
    await work.reached(0.4);
    await killed.start();
    await lose();
    await work.reached(0.55);
    await database.kill();
    await pause(300);
    await database.start();
    await work.reached(0.7);
    for (const { network } of nodes) network.sever();
    await pause(300);
    for (const { network } of nodes) network.mend();
    await work.reached(0.8);
    await lose();
    expect(await work.judged()).toEqual([]);
  });

  test('keep one history while a network carries nothing, one way or both, and brings late what was sent', {
    timeout,
  }, async () => {
    const work = await processes.begin(opsEach);
    for (const [at, directions] of ([['to'], ['from'], ['to', 'from']] as const).entries()) {
      await work.reached((at + 1) / 5);
      const [one, other] = [nodes[at], nodes[(at + 1) % 3]] as [NodeProcess, NodeProcess];
      one.network.hold(...directions);
      // Somebody who is signed in is refused, not shown what may be old; a visitor is answered; the others go on.
      const signedIn = processes.ask(one, 'GET', '/posts?per_page=1', { patienceMs: 30_000 });
      expect((await processes.ask(one, 'GET', '/posts?per_page=1', { isVisitor: true })).status).toBe(200);
      expect((await processes.ask(other, 'GET', '/posts?per_page=1', { patienceMs: 30_000 })).status).toBe(200);
      expect((await signedIn).status).toBe(503);
      one.network.mend();
      await until(async () => (await processes.ask(one, 'GET', '/posts?per_page=1')).status === 200);
    }
    expect(await work.judged()).toEqual([]);
  });

  test('do without one that is stopped past its lease, which does not go on with the work when it wakes up', {
    timeout,
  }, async () => {
    const sent = (at: number) => receiver.received.filter(({ url }) => url === `/${at}`).length;
    const publish = (node: NodeProcess) =>
      processes.ask(node, 'POST', '/pages', { body: { title: 'Told', status: 'publish' }, patienceMs: 30_000 });
    // Whoever has the lease now: nobody takes what it sends, so something waits when it is stopped.
    receiver.answer(503);
    const before = [0, 1, 2].map(sent);
    await publish(nodes[0]);
    const holder = await until(() => [0, 1, 2].map((at) => ({ at })).find(({ at }) => sent(at) > (before[at] as number)));
    const stopped = nodes[holder.at] as NodeProcess;
    const other = nodes[(holder.at + 1) % 3] as NodeProcess;
    await until(async () => (await processes.keeps('events/deliveries.json')).includes('"attempts":1'));
    stopped.child.kill('SIGSTOP');
    const had = [0, 1, 2].map(sent);
    const work = await processes.begin(opsEach, [other, nodes[(holder.at + 2) % 3] as NodeProcess]);
    receiver.answer(204);
    await until(() => [0, 1, 2].some((at) => at !== holder.at && sent(at) > (had[at] as number)), 60_000);
    stopped.child.kill('SIGCONT');
    await publish(other);
    await until(async () => (await processes.ask(stopped, 'GET', '/posts?per_page=1')).status === 200);
    const now = [0, 1, 2].map(sent);
    await publish(other);
    await until(() => [0, 1, 2].some((at) => sent(at) > (now[at] as number)));
    expect(sent(holder.at)).toBe(had[holder.at]);
    expect(await work.judged()).toEqual([]);
  });

  test('send for one that is killed after a write what it has not sent, once, and nothing else', { timeout }, async () => {
    const publish = async (node: NodeProcess) => {
      const body = { title: 'Told once', status: 'publish' };
      return (await processes.ask(node, 'POST', '/pages', { body, patienceMs: 30_000 })).body.id;
    };
    const told = () =>
      receiver.received.map(({ url, headers, body }) => ({ url, id: headers['webhook-id'], ...JSON.parse(body) }));
    const of = (page: number) => told().filter(({ data }) => data.id === page);
    receiver.answer(204);
    const first = await publish(nodes[0]);
    const holder = Number((await until(() => of(first)[0], 60_000)).url.slice(1));
    const sending = nodes[holder] as NodeProcess;
    const [other, third] = nodes.filter((_, at) => at !== holder) as [NodeProcess, NodeProcess];
    await until(async () => !(await processes.keeps('events/deliveries.json')).includes('"created"'));
    const before = receiver.received.length;
    // Commits come to them one by one: of several that come together they tell that everything may have changed.
    const takeIn = async () => {
      for (const node of [other, third])
        await until(async () => (await processes.ask(node, 'GET', '/pages?per_page=1')).status === 200);
    };
    const pages = [await publish(other)];
    await takeIn();
    pages.push(await publish(sending));
    await sending.end('SIGKILL');
    onTestFinished(() => sending.start());
    await takeIn();
    pages.push(await publish(third));
    expect(pages).not.toContain(0);
    await until(() => pages.every((page) => of(page).length > 0), 60_000);
    const last = await publish(other);
    await until(() => of(last).length > 0);
    for (const page of pages) expect(new Set(of(page).map(({ id }) => id)).size).toBe(1);
    expect(
      new Set(
        told()
          .slice(before)
          .map(({ data }) => data.id),
      ),
    ).toEqual(new Set([...pages, last]));
  });

  test('list everything again where one was away until single changes were forgotten', { timeout }, async () => {
    const [away, other] = nodes;
    away.network.hold('to', 'from');
    onTestFinished(() => away.network.mend());
    const gone = await processes.ask(other, 'POST', '/posts', { body: { title: 'Gone', status: 'publish' } });
    const work = await processes.begin(opsEach, [other, nodes[2]]);
    await processes.ask(other, 'DELETE', `/posts/${gone.body.id}?force=true`);
    await work.done;
    // Nodes may commit something of their own meanwhile.
    const [{ seq }] = (await database.run('select seq from cms.position')) as [{ seq: string }];
    await database.run('select cms.trim_before(cms.now_ms() + 1000)');
    expect(await database.run(`select trimmed >= ${seq} as is from cms.position`)).toEqual([{ is: true }]);
    away.network.mend();
    expect(await work.judged()).toEqual([]);
  });

  test('go on beside one of a newer version, whose migration has added a column', { timeout }, async () => {
    const next = (migrations.at(-1)?.number ?? 0) + 1;
    const sql = (schema: string) => `alter table ${schema}.file add column note text not null default 'new'`;
    const newer = createPostgresEngine(database.address(), [...migrations, { number: next, what: 'notes', sql }]);
    onTestFinished(() => newer.close());
    const work = await processes.begin(opsEach);
    await work.reached(0.3);
    expect(await newer.migrate()).toEqual([`${next}: notes`]);
    await newer.checkSchema();
    const node = await startNode(newer);
    onTestFinished(() => node.close());
    await work.acknowledged();
    await work.done;
    const { body } = await processes.ask(nodes[0], 'POST', '/posts', { body: { title: 'By an old one', status: 'publish' } });
    const shown = await node.ask('GET', `/posts/${body.id}`, { as: processes.as });
    expect(shown.body.title.rendered).toBe('By an old one');
    await node.ask('POST', `/posts/${body.id}`, { as: processes.as, body: { title: 'By a new one' } });
    expect((await processes.ask(nodes[1], 'GET', `/posts/${body.id}?context=edit`)).body.title.raw).toBe('By a new one');
    await processes.ask(nodes[2], 'DELETE', `/posts/${body.id}?force=true`);
    expect(await work.judged()).toEqual([]);
    // An older program is not started beside it, and those that run are not disturbed by that.
    await nodes[1].end('SIGTERM');
    await expect(nodes[1].start()).rejects.toThrow('which a newer version has made');
    expect((await processes.ask(nodes[0], 'GET', '/posts?per_page=1')).status).toBe(200);
  });
});

describe('three nodes over a database', () => {
  test('refuse writes while its disk is full, show visitors what there is, and go on when there is room', {
    timeout,
  }, async (context) => {
    const disk = mkdtempSync(join(databaseFolder(), 'cms-disk-'));
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=0777', 'none', disk], { stdio: 'pipe' });
    } catch {
      process.stderr.write('left out: no disk of its own may be mounted here\n');
      return context.skip();
    }
    onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    const database = await startPostgres(disk, ['--wal-segsize=1']);
    onTestFinished(() => database.stop());
    const processes = await startNodeProcesses({ database });
    onTestFinished(() => processes.close());
    const [node] = processes.nodes as [NodeProcess];
    const work = await processes.begin(opsEach);
    await work.reached(0.3);
    const ballast = join(disk, 'ballast');
    fill(ballast);
    const body = { title: 'Large', content: 'Something that takes room. '.repeat(4000), status: 'publish' };
    const refused = await until(async () => {
      const { status } = await processes.ask(node, 'POST', '/pages', { body, patienceMs: 60_000 });
      return status === 201 ? null : status;
    }, 120_000);
    expect(refused).toBe(503);
    for (const one of processes.nodes)
      expect((await processes.ask(one, 'GET', '/posts?per_page=1', { isVisitor: true })).status).toBe(200);
    rmSync(ballast);
    if (!database.runs()) await database.start();
    await until(async () => (await processes.ask(node, 'POST', '/pages', { body })).status === 201);
    expect(await work.judged()).toEqual([]);
  });

  const pooled = existsSync(pooler) ? test : it.skip;
  pooled('work through a pooler that gives each transaction another session', { timeout }, async () => {
    const database = await startPostgres();
    onTestFinished(() => database.stop());
    const { port, stop } = await startPooler(database.port);
    onTestFinished(stop);
    const processes = await startNodeProcesses({ database, port, parameters: '?notifications=off' });
    onTestFinished(() => processes.close());
    const work = await processes.begin(opsEach);
    await work.reached(0.5);
    await Promise.race([processes.nodes[0]?.network.cutAfter('commit_all'), work.done]);
    expect(await work.judged()).toEqual([]);
    const sessions = await database.run(`select count(*)::int as n from pg_stat_activity where application_name = 'cms'`);
    expect(sessions[0]?.n).toBeLessThanOrEqual(poolSize);
  });

  pooled('are answered rightly through a pooler that nobody has told them of', { timeout }, async () => {
    const database = await startPostgres();
    onTestFinished(() => database.stop());
    const { port, stop } = await startPooler(database.port);
    onTestFinished(stop);
    const [one, other] = ['one', 'other'].map((schema) => {
      const engine = createPostgresEngine(`postgres://cms@127.0.0.1:${port}/postgres?schema=${schema}`);
      onTestFinished(() => engine.close());
      return engine;
    }) as [PostgresEngine, PostgresEngine];
    for (const engine of [one, other]) await engine.migrate();
    for (let seq = 1; seq <= 10; seq++) {
      await one.commit({ id: `${seq}`, seen: 0, edits: [{ path: `posts/${seq}.md`, expect: null, bytes: Buffer.from('one') }] });
      const asked = Array.from({ length: 5 }, () => [one.position(), one.changes(0), other.position(), other.changes(0)]);
      for (const answers of asked) {
        const [at, found, there, nothing] = await Promise.all(
          answers as [Promise<number>, Promise<Changes>, Promise<number>, Promise<Changes>],
        );
        expect([at, found.seq, found.files.length, there, nothing.files.length]).toEqual([seq, seq, seq, 0, 0]);
      }
    }
  });

  test('do not follow the git remote any more when they were stopped past the lease', { timeout }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-remote-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const remote = join(folder, 'origin.git');
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
    const database = await startPostgres();
    onTestFinished(() => database.stop());
    const gates = [0, 1].map((at) => createGate(join(folder, String(at))));
    const processes = await startNodeProcesses({
      database,
      count: 2,
      env: (at) => ({
        PATH: `${gates[at]?.path}:${process.env.PATH}`,
        CMS_ENGINE_GIT: JSON.stringify({ remote, every: 1, wait: 1 }),
      }),
    });
    onTestFinished(() => processes.close());
    await until(() => gates.some(({ calls }) => calls('push') > 0), 60_000);
    const at = gates.findIndex(({ calls }) => calls('push') > 0);
    const [holder, other] = [processes.nodes[at], processes.nodes[1 - at]] as [NodeProcess, NodeProcess];
    const [stopping, waiting] = [gates[at], gates[1 - at]] as [Gate, Gate];
    const leased = async () =>
      (await database.run(`select holder from cms.lease where name = 'git-remote' and until > now()`))[0]?.holder;
    const before = await leased();
    // The other one gets no further than its first question to the remote, so that all is as the stopped one has seen it.
    waiting.put('hold');
    stopping.put('stop');
    await until(() => stopping.has('stopped'));
    const pushes = stopping.calls('push');
    await processes.ask(other, 'POST', '/pages', { body: { title: 'Meanwhile', status: 'publish' }, patienceMs: 30_000 });
    await until(async () => ![undefined, before].includes(await leased()), 60_000);
    await until(() => waiting.has('waiting'), 60_000);
    holder.child.kill('SIGCONT');
    // Whether it still makes the commit that it was at, or hears first that it is late: it goes no further.
    for (let times = 0; times < 5; times++)
      await until(async () => (await processes.ask(holder, 'GET', '/pages?per_page=1')).status === 200);
    waiting.take('hold');
    await until(() => waiting.calls('push') > 0);
    expect(stopping.calls('push')).toBe(pushes);
  });

  long(
    'lose nothing of ten thousand writes while it is killed again and again, and write soon after',
    { timeout: 3_000_000 },
    async () => {
      const database = await startPostgres();
      onTestFinished(() => database.stop());
      const processes = await startNodeProcesses({ database });
      onTestFinished(() => processes.close());
      const work = await processes.begin(Number.POSITIVE_INFINITY);
      const waits: number[] = [];
      const writes = () => work.events.filter(({ kind, isSure }) => kind !== 'read' && isSure).length;
      // A client that finds a fault ends the work.
      let isOver = false;
      work.done.then(
        () => (isOver = true),
        () => (isOver = true),
      );
      while (writes() < 10_000 && !isOver) {
        await pause(2000);
        await database.kill();
        await pause(500);
        await database.start();
        const back = performance.now();
        await work.acknowledged();
        waits.push(performance.now() - back);
        if (waits.length % 20 === 0) process.stderr.write(`${writes()} writes, ${waits.length} times killed\n`);
      }
      work.end();
      const found = await work.judged();
      process.stderr.write(
        `${writes()} acknowledged writes, ${waits.length} times killed, next write after at most ${Math.max(...waits).toFixed(0)} ms\n`,
      );
      expect(found).toEqual([]);
      expect(writes()).toBeGreaterThanOrEqual(10_000);
      expect(Math.max(...waits)).toBeLessThan(5000);
    },
  );
});

const poolSize = 4;

async function startPooler(target: number): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const owner = databaseOwner();
  const dir = mkdtempSync(join(databaseFolder(), 'cms-pooler-'));
  const port = await freePort();
  const [config, users] = [join(dir, 'pooler.ini'), join(dir, 'users')];
  writeFileSync(users, '"cms" ""\n');
  const lines = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${target} dbname=postgres`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'server_round_robin = 1',
    'max_client_conn = 200',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  if (owner !== null) for (const path of [dir, config, users]) chownSync(path, owner.uid, owner.gid);
  const child: ChildProcess = spawn(pooler, ['-q', config], { ...(owner ?? {}), cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  const engine = createPostgresEngine(`postgres://cms@127.0.0.1:${port}/postgres`);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said);
    return engine.lease('none', 'none', 0).then(
      () => true,
      (error: Error) => /does not exist/.test(error.message),
    );
  });
  await engine.close();
  return {
    port,
    async stop() {
      const exit = new Promise((done) => child.once('exit', done));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exit;
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Gate {
  /** Of the program that stands in for git. */
  readonly path: string;
  /** How often git was called for something. */
  calls(command: string): number;
  put(sign: 'stop' | 'hold'): void;
  take(sign: 'hold'): void;
  has(sign: 'stopped' | 'waiting'): boolean;
}

/** A program in place of git that stops the one who asks a remote (`stop`), or lets it wait (`hold`). */
function createGate(path: string): Gate {
  mkdirSync(path);
  const lines = [
    '#!/bin/sh',
    'for word; do case "$word" in ls-remote|push) command=$word; break;; esac; done',
    `cd '${path}' && echo "$command" >> calls`,
    'if [ "$command" = ls-remote ]; then',
    '  if [ -e stop ]; then mv stop stopped; kill -STOP $PPID; fi',
    '  while [ -e hold ]; do : > waiting; sleep 0.05; done',
    'fi',
    'cd "$OLDPWD"',
    `PATH='${process.env.PATH}'`,
    'exec git "$@"',
  ];
  writeFileSync(join(path, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 });
  const calls = join(path, 'calls');
  return {
    path,
    calls: (command) =>
      existsSync(calls)
        ? readFileSync(calls, 'utf8')
            .split('\n')
            .filter((line) => line === command).length
        : 0,
    put: (sign) => writeFileSync(join(path, sign), ''),
    take: (sign) => rmSync(join(path, sign)),
    has: (sign) => existsSync(join(path, sign)),
  };
}

/** Takes all room that a disk has. */
function fill(path: string): void {
  for (let block = 1 << 20; block >= 4096; block /= 2) {
    try {
      for (;;) writeFileSync(path, new Uint8Array(block), { flag: 'a' });
    } catch {
      // With less, perhaps.
    }
  }
}
