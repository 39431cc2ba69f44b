/**
 * The deployments of several nodes, started as `deploy/` says and put through what they are for, without containers: each service is a
 * process with the environment, command, checks and order of its file. Only addresses and folders are others.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { temporary } from './cli/run.ts';
import { type Nginx, startNginx } from './support/nginx.ts';
import { freePort, missingPostgres, type Postgres, startPostgres } from './support/postgres.ts';
import { builtProgram } from './support/program-build.ts';
import { until } from './support/site.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const image = Object.fromEntries(
  [...(await read('Dockerfile')).matchAll(/\b(CMS_\w+)=(\S+)/g)].map(([, name, value]) => [name as string, value as string]),
);
const { services } = parse(await read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, any> };
const [, deployment] = parseAllDocuments(await read('deploy/kubernetes.yaml')).map((one) => one.toJS());
const pod = deployment.spec.template.spec;
const conf = await read('deploy/nginx.conf');
const test = missingPostgres === null ? it : it.skip;

/** A container of the image, as a process. */
interface Container {
  readonly child: ChildProcess;
  readonly port: number;
  /** What is mounted for its key, and for what it has read. */
  readonly state: string;
  readonly said: () => string;
  /** With its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

const running = new Set<ChildProcess>();
let program = '';
let database: Postgres;
let site = '';
let as = '';

beforeAll(async () => {
  if (missingPostgres !== null) return void process.stderr.write(`left out: ${missingPostgres}\n`);
  const { main } = await builtProgram();
  const folder = await temporary();
  program = join(folder, 'cms.mjs');
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  database = await startPostgres();
  await database.run('create database cms');
  site = join(folder, 'site');
  const password = execFileSync(process.execPath, [program, 'init', site, '--url', 'https://example.org'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  as = `admin:${password.trim()}`;
}, 120_000);

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await database?.stop();
});

/** Starts one with an environment of a file, in which only addresses are others. */
async function start(
  args: readonly string[],
  given: Readonly<Record<string, string>>,
  own?: Pick<Container, 'port' | 'state'>,
): Promise<Container> {
  const port = own?.port ?? (await freePort());
  // An empty one for each, but where content is moved: that needs the accounts.
  const state = own?.state ?? (args[0] === 'serve' ? await temporary() : (process.env.CMS_STATE_DIR as string));
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    ...image,
    ...given,
    CMS_HOST: '127.0.0.1',
    CMS_PORT: `${port}`,
    CMS_STATE_DIR: state,
    CMS_ENGINE_CACHE: given.CMS_ENGINE_CACHE?.replace(image.CMS_STATE_DIR as string, state),
  };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise<number | string>((done) => child.once('exit', (code, signal) => done(code ?? signal ?? '')));
  void ended.then(() => running.delete(child));
  return { child, port, state, said: () => said, ended };
}

/** As whoever stops a container does: told first, and killed where that does not help. */
async function stop({ child, ended }: Container, graceMs: number): Promise<number | string> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
  return ended.finally(() => clearTimeout(late));
}

const seconds = (value: string): number => Number(/^(\d+)s$/.exec(value)?.[1]) * 1000;

interface Load {
  /** What was not answered as it should be: `write 502`. */
  readonly failed: string[];
  /** How many requests have been answered so far. */
  answered(): number;
  stop(): Promise<void>;
}

/**
 * Visitors, people who are signed in, and writers.
 * @param keepAlive  whether they keep their connections: nginx closes them where it takes another configuration
 */
function load(url: string, keepAlive = true): Load {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive });
  const failed: string[] = [];
  const authorization = `Basic ${Buffer.from(as).toString('base64')}`;
  let [serial, answered, isOver] = [0, 0, false];
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<number | string> =>
    new Promise((done) => {
      const asked = request({ hostname, port, method, path: `/cms-json/cms/v2${path}`, headers, agent });
      asked.on('error', (error) => done(error.message));
      asked.on('response', (answer) => {
        text(answer).then(
          () => done(answer.statusCode ?? 0),
          (error) => done(`cut: ${error.message}`),
        );
      });
      asked.end(body);
    });
  const kinds: Record<string, () => Promise<number | string>> = {
    // Each another one, which nginx does not have.
    visitor: () => ask('GET', `/posts?per_page=3&_=${++serial}`, {}),
    reader: () => ask('GET', `/posts?per_page=3&context=edit`, { authorization }),
    write: () =>
      ask(
        'POST',
        '/posts',
        { authorization, 'content-type': 'application/json' },
        JSON.stringify({ title: `Under load ${++serial}`, status: 'publish' }),
      ),
  };
  const client = async ([kind, work]: [string, () => Promise<number | string>]): Promise<void> => {
    while (!isOver) {
      const status = await work();
      answered++;
      if (status !== 200 && status !== 201) failed.push(`${kind} ${status}`);
      await pause(5);
    }
  };
  const working = Promise.all(Object.entries(kinds).flatMap((kind) => [client(kind), client(kind), client(kind)]));
  return {
    failed,
    answered: () => answered,
    async stop() {
      isOver = true;
      await working;
      agent.destroy();
    },
  };
}

/** Until so many more requests have been answered. */
const more = (under: Load, count: number) => {
  const from = under.answered();
  return until(() => under.answered() >= from + count, 60_000);
};

describe('the compose file', () => {
  const nodes = Object.keys(services).filter((name) => name.startsWith('node-'));
  const addressOf = (name: string): string => `${services[name].networks.front.ipv4_address}:${image.CMS_PORT}`;
  const containers = new Map<string, Container>();
  let balancer: Nginx;

  /** The environment of a service, with the addresses of this machine. */
  const environmentOf = (name: string): Record<string, string> => ({
    ...services[name].environment,
    CMS_ENGINE: services[name].environment.CMS_ENGINE.replace(/\$\{\w+:-\}/, 'word').replace(
      '@database/',
      `@127.0.0.1:${database.port}/`,
    ),
    CMS_TRUSTED_PROXIES: services[name].environment.CMS_TRUSTED_PROXIES.replace(
      services.balancer.networks.front.ipv4_address,
      '127.0.0.1',
    ),
  });

  /** With the address and the volume that it had, where it had one. */
  async function startNode(name: string): Promise<void> {
    const node = await start(services[name].command, environmentOf(name), containers.get(name));
    containers.set(name, node);
    const { test: check, start_period } = services[name].healthcheck;
    await healthy(
      check.map((word: string) => word.replace(`127.0.0.1:${image.CMS_PORT}`, `127.0.0.1:${node.port}`)),
      start_period,
    );
  }

  async function healthy([, ...words]: readonly string[], period: string): Promise<void> {
    const [command = '', ...rest] = words;
    await until(() => spawnSync(command, rest).status === 0, seconds(period));
  }

  async function startBalancer(): Promise<void> {
    const [, , script] = services.balancer.command as [string, string, string];
    const [, edit] = /^(sed .*?) \/etc\/cms\/nginx\.conf >/.exec(script) ?? [];
    let own = execFileSync('sh', ['-c', `${edit} deploy/nginx.conf`], { cwd: root, encoding: 'utf8' });
    for (const name of nodes) own = own.replace(addressOf(name), `127.0.0.1:${portOf(name)}`);
    balancer = await startNginx(own);
    const { test: check } = services.balancer.healthcheck;
    await healthy(
      check.map((word: string) => word.replace('http://127.0.0.1/', `${balancer.url}/`)),
      services['node-1'].healthcheck.start_period,
    );
  }

  const portOf = (name: string): number => (containers.get(name) as Container).port;
  /** The one that has the clients of this machine: those of one network stay together. */
  const busiest = (): string => nodes.find((name) => containers.get(name)?.said().includes('saved ')) as string;

  afterAll(async () => {
    balancer?.stop();
    await Promise.all([...containers.values()].map((one) => stop(one, 10_000)));
  });

  test('starts every service after those it waits for, and is healthy', async () => {
    const done = new Set<string>();
    const starts: Record<string, () => Promise<void>> = {
      database: () =>
        healthy([...services.database.healthcheck.test, '-p', String(database.port)], services.database.healthcheck.start_period),
      async migrate() {
        const moved = await start(services.migrate.command, environmentOf('migrate'));
        expect([await moved.ended, moved.said()]).toEqual([0, expect.stringContaining('is ready')]);
        const pushed = await start(['engine', 'push', site], environmentOf('migrate'));
        expect([await pushed.ended, pushed.said()]).toEqual([0, expect.stringContaining('files written')]);
      },
      ...Object.fromEntries(nodes.map((name) => [name, () => startNode(name)])),
      balancer: startBalancer,
    };
    while (done.size < Object.keys(starts).length) {
      const ready = Object.keys(starts).filter(
        (name) => !done.has(name) && Object.keys(services[name].depends_on ?? {}).every((needed) => done.has(needed)),
      );
      expect(ready).not.toEqual([]);
      for (const name of ready) await starts[name]?.();
      for (const name of ready) done.add(name);
    }
  }, 120_000);

  test('shows on every node what is written through nginx', async () => {
    const made = await fetch(`${balancer.url}/cms-json/cms/v2/posts`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(as)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Seen by all', status: 'publish' }),
    });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: number };
    for (const name of nodes)
      await until(async () => (await fetch(`http://127.0.0.1:${portOf(name)}/cms-json/cms/v2/posts/${id}`)).ok);
  });

  test('loses no more than the writes under way when the busiest node is killed', async () => {
    const under = load(balancer.url);
    await more(under, 100);
    const name = busiest();
    const killed = containers.get(name) as Container;
    killed.child.kill('SIGKILL');
    await killed.ended;
    await more(under, 200);
    // nginx asks another node, but not for a write that may have been carried out.
    expect(under.failed.filter((one) => one !== 'write 502')).toEqual([]);
    expect(under.failed.length).toBeLessThanOrEqual(3);
    under.failed.length = 0;
    await more(under, 200);
    await under.stop();
    expect(under.failed).toEqual([]);
    await startNode(name);
  });

  test('answers every request while one node after the other is replaced', async () => {
    const under = load(balancer.url);
    await more(under, 100);
    for (const name of nodes) {
      const status = await stop(containers.get(name) as Container, seconds(services[name].stop_grace_period));
      expect([name, status]).toEqual([name, 0]);
      await startNode(name);
      await more(under, 100);
      expect(await readdir((containers.get(name) as Container).state)).toEqual(expect.arrayContaining(['engine', 'key']));
    }
    await under.stop();
    expect(under.failed).toEqual([]);
  }, 120_000);
});

describe('the Kubernetes manifest', () => {
  const [container] = pod.containers;
  const graceMs = pod.terminationGracePeriodSeconds * 1000;
  const value = (name: string): string => container.env.find((one: any) => one.name === name).value;
  const pods: (Container & { readonly ops: number })[] = [];
  let ingress: Nginx;

  /** Pods that get requests, as an ingress has them. */
  const routed = (to: readonly Container[]): string =>
    conf.replace('server 127.0.0.1:4180;', to.map(({ port }) => `server 127.0.0.1:${port};`).join(' '));

  async function startPod(): Promise<Container & { readonly ops: number }> {
    const ops = await freePort();
    const env = Object.fromEntries(container.env.map(({ name, value: given }: any) => [name, given ?? database.address('pods')]));
    const isolated = { ...env, CMS_OPS_HOST: '127.0.0.1', CMS_OPS_PORT: `${ops}`, CMS_TRUSTED_PROXIES: '127.0.0.1' };
    const started = { ...(await start(container.args, isolated)), ops };
    const { httpGet, periodSeconds, failureThreshold } = container.startupProbe;
    await until(() => isFine(started, httpGet.path), periodSeconds * failureThreshold * 1000);
    await until(() => isFine(started, container.readinessProbe.httpGet.path));
    return started;
  }

  const isFine = ({ ops }: { readonly ops: number }, path: string): Promise<boolean> =>
    fetch(`http://127.0.0.1:${ops}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );

  /** As the kubelet does; meanwhile the ingress is told, some time later than the pod. */
  async function endPod(gone: Container & { readonly ops: number }): Promise<number | string> {
    const began = performance.now();
    const left = pods.filter((one) => one !== gone);
    const [command, ...words] = container.lifecycle.preStop.exec.command as [string, ...string[]];
    const waiting = new Promise((done) => spawn(command, words).once('exit', done));
    await pause(1000);
    expect(await isFine(gone, container.livenessProbe.httpGet.path)).toBe(true);
    await ingress.change(routed(left));
    await waiting;
    pods.splice(0, pods.length, ...left);
    return stop(gone, graceMs - (performance.now() - began));
  }

  afterAll(async () => {
    ingress?.stop();
    await Promise.all(pods.map((one) => stop(one, 10_000)));
  });

  test('replaces all pods without a failed request', async () => {
    expect([value('CMS_OPS_HOST'), value('CMS_OPS_PORT')]).toEqual([
      '0.0.0.0',
      `${container.ports.find(({ name }: any) => name === container.readinessProbe.httpGet.port).containerPort}`,
    ]);
    const engine = { CMS_ENGINE: database.address('pods') };
    for (const args of [
      ['engine', 'migrate'],
      ['engine', 'push', site],
    ])
      expect(await (await start(args, engine)).ended).toBe(0);
    while (pods.length < deployment.spec.replicas) pods.push(await startPod());
    ingress = await startNginx(routed(pods));
    const under = load(ingress.url, false);
    await more(under, 100);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    for (const old of [...pods]) {
      pods.push(await startPod());
      await ingress.change(routed(pods));
      await more(under, 100);
      expect(await endPod(old)).toBe(0);
    }
    await under.stop();
    expect(under.failed).toEqual([]);
  }, 180_000);
});
