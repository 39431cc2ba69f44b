/** Several nodes as `deploy/compose.yaml` and `deploy/kubernetes.yaml` start them, run as far as it can be here. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram, main } from '../src/cli/main.ts';
import { createMemoryEngine } from './support/memory-engine.ts';
import { pretend, run, temporary } from './cli/run.ts';
import { faultsOf } from './support/kubernetes.ts';
import { type Nginx, startNginx } from './support/nginx.ts';
import { createContent, type Node, startNode } from './support/nodes.ts';
import { freePort, missingPostgres, type Postgres, startPostgres } from './support/postgres.ts';
import { until } from './support/site.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
/** Ports and folders that the image sets. */
const image = Object.fromEntries(
  [...(await read('Dockerfile')).matchAll(/\b(CMS_\w+)=(\S+)/g)].map(([, name, value]) => [name as string, value as string]),
);
const user = 10001;

const program = await createProgram(null, pretend().io);

/** @returns what is not a command, an option of it or a number of arguments that it takes */
function unknownIn(words: readonly string[]): string | null {
  let command = program;
  const given: string[] = [];
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word);
    if (below !== undefined) command = below;
    else if (!word.startsWith('-')) given.push(word);
    else if (!command.options.some(({ long, short }) => word.split('=', 1)[0] === long || word === short)) return word;
  }
  if (command.commands.length > 0) return `${words.join(' ')} is no command`;
  return given.length > command.registeredArguments.length ? `too many arguments: ${given.join(' ')}` : null;
}

const variables = new Set([...(await read('docs/configuration.md')).matchAll(/`(CMS_\w+)`/g)].map(([, name]) => name as string));

describe('the compose file', async () => {
  const text = await read('deploy/compose.yaml');
  const { services, networks, volumes } = parse(text, { merge: true }) as {
    services: Record<string, any>;
    networks: Record<string, any>;
    volumes: object;
  };
  const inProfile = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('nodes'));
  const own = inProfile.filter(([, one]) => one.image === 'markdown-rest-cms');
  const nodes = own.filter(([name]) => name.startsWith('node-'));
  const addressOf = (name: string): string => services[name].networks.front.ipv4_address;

  it('has a database, a migration, three nodes and a balancer, which `up` alone does not start', () => {
    expect(inProfile.map(([name]) => name)).toEqual(['database', 'migrate', 'node-1', 'node-2', 'node-3', 'balancer']);
    expect(Object.keys(services).filter((name) => !services[name].profiles)).toEqual(['cms', 'nginx']);
    // Otherwise all others need the password, too.
    expect(text).not.toMatch(/\$\{\w+:?\?/);
  });

  it('starts each service after those it depends on, with no more rights than it needs', () => {
    for (const [name, { depends_on = {}, restart, security_opt, healthcheck }] of inProfile) {
      for (const [needed, { condition }] of Object.entries<{ condition: string }>(depends_on)) {
        const has = services[needed];
        expect([name, needed, condition]).toEqual([
          name,
          needed,
          has.healthcheck.disable ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
      expect([name, restart]).toEqual([name, name === 'migrate' ? 'no' : 'unless-stopped']);
      expect([name, healthcheck.disable ?? healthcheck.test[0]]).toEqual([name, name === 'migrate' ? true : 'CMD']);
      if (name !== 'balancer') expect(security_opt).toEqual(['no-new-privileges:true']);
    }
    for (const [, one] of own) expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], build: '..' });
    for (const [, { tmpfs }] of own) expect(tmpfs).toEqual(['/tmp']);
    expect(Object.keys(volumes)).toEqual(['state', 'database', ...nodes.map(([name]) => name)]);
  });

  it('gives each node a volume for its key and for what it has read', () => {
    for (const [name, { volumes: mounted, environment }] of nodes) {
      expect(mounted).toEqual([`${name}:${image.CMS_STATE_DIR}`]);
      expect(dirname(environment.CMS_ENGINE_CACHE)).toBe(image.CMS_STATE_DIR);
    }
  });

  it('keeps the database in a network of its own and opens one port', () => {
    expect(networks.database).toEqual({ internal: true });
    expect(services.database.networks).toEqual(['database']);
    expect(inProfile.flatMap(([, { ports = [] }]) => ports)).toEqual(['80:80']);
    const { subnet } = networks.front.ipam.config[0];
    const fixed = ['balancer', ...nodes.map(([name]) => name)].map(addressOf);
    expect(new Set(fixed).size).toBe(4);
    for (const address of fixed) expect(subnet).toBe(`${address.replace(/\.\d+$/, '')}.0/24`);
    for (const [, { environment }] of nodes) expect(environment.CMS_TRUSTED_PROXIES).toBe(addressOf('balancer'));
  });

  it('names commands and variables that exist', () => {
    const comments = [...text.matchAll(/run --rm (?:cms|migrate) ([^`"\n]+)/g)].map(([, words]) =>
      (words as string).trim().split(' '),
    );
    expect(comments.length).toBeGreaterThanOrEqual(3);
    for (const words of [...own.map(([, { command }]) => command as string[]), ...comments])
      expect([words, unknownIn(words)]).toEqual([words, null]);
    for (const [, { environment }] of own)
      for (const name of Object.keys(environment)) expect([name, variables.has(name)]).toEqual([name, true]);
    expect(unknownIn(['engine', 'move'])).not.toBeNull();
    expect(unknownIn(['serve', '--nodes'])).toBe('--nodes');
  });

  describe('and its balancer', () => {
    let nginx: Nginx;
    const running: Node[] = [];
    beforeAll(async () => {
      const engine = createMemoryEngine();
      await createContent(engine);
      for (const _ of nodes) running.push(await startNode(engine));
      const [, , script] = services.balancer.command as [string, string, string];
      const [, edit] = /^(sed .*?) \/etc\/cms\/nginx\.conf >/.exec(script) ?? [];
      let conf = execFileSync('sh', ['-c', `${edit} deploy/nginx.conf`], { cwd: root, encoding: 'utf8' });
      for (const [at, [name]] of nodes.entries())
        conf = conf.replace(`${addressOf(name)}:${image.CMS_PORT}`, new URL((running[at] as Node).url).host);
      nginx = await startNginx(conf);
    });
    afterAll(async () => {
      nginx.stop();
      await Promise.all(running.map((node) => node.close()));
    });

    it('keeps running with the last node when the others end', async () => {
      let asked = 0;
      const ask = () => fetch(`${nginx.url}/cms-json/cms/v2/posts?page=1&_=${++asked}`).then(({ status }) => status);
      expect(await ask()).toBe(200);
      for (const node of running.splice(0, 2)) {
        await node.close();
        expect(await ask()).toBe(200);
      }
    });
  });
});

describe('the Kubernetes manifest', async () => {
  const documents = parseAllDocuments(await read('deploy/kubernetes.yaml')).map((one) => one.toJS());
  const [job, deployment, budget, service] = documents;
  const pods = [job, deployment].map(({ spec }) => spec.template);
  const [migrate, node] = pods.map(({ spec }) => spec.containers[0]);
  const labels = deployment.spec.template.metadata.labels;

  it('has the fields that its kinds need, and none that is misspelt', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Job', 'Deployment', 'PodDisruptionBudget', 'Service']);
    for (const document of documents) expect([document.kind, faultsOf(document)]).toEqual([document.kind, []]);
    expect(faultsOf({ ...budget, spec: { ...budget.spec, maxUnavaliable: 1 } })).not.toEqual([]);
    expect(faultsOf({ ...service, metadata: undefined })).not.toEqual([]);
  });

  it('keeps all nodes while it replaces them, and all but one when machines are emptied', () => {
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
    const selectors = [deployment.spec.selector.matchLabels, budget.spec.selector.matchLabels, service.spec.selector];
    for (const selected of selectors) expect(selected).toEqual(labels);
    // Requests do not go to the migration.
    expect(job.spec.template.metadata.labels).not.toMatchObject(labels);
  });

  it('gives the user of the image the folders that it writes, and nothing else', () => {
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsUser: user, runAsGroup: user, fsGroup: user });
      const [{ volumeMounts }] = spec.containers;
      expect(volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([image.CMS_STATE_DIR, '/tmp']);
      expect(volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
        spec.volumes.map(({ name }: { name: string }) => name),
      );
    }
    expect(migrate.image).toBe(node.image);
    const { value } = node.env.find(({ name }: { name: string }) => name === 'CMS_ENGINE_CACHE');
    expect(dirname(value)).toBe(image.CMS_STATE_DIR);
  });

  it('names commands, variables and ports that exist', () => {
    for (const { args, env } of [migrate, node]) {
      expect([args, unknownIn(args)]).toEqual([args, null]);
      for (const { name } of env) expect([name, variables.has(name)]).toEqual([name, true]);
    }
    const ports = Object.fromEntries(node.ports.map(({ name, containerPort }: any) => [name, String(containerPort)]));
    const values = Object.fromEntries(node.env.map(({ name, value }: any) => [name, value]));
    expect(ports).toEqual({ http: image.CMS_PORT, ops: values.CMS_OPS_PORT });
    expect(service.spec.ports.map(({ targetPort }: any) => targetPort)).toEqual(['http']);
  });

  describe('on a database', () => {
    let database: Postgres | null = null;
    beforeAll(async () => {
      if (missingPostgres === null) database = await startPostgres();
      else process.stderr.write(`left out: ${missingPostgres}\n`);
    });
    afterAll(() => database?.stop());
    const test = missingPostgres === null ? it : it.skip;

    test('has a node that starts after the migration, and answers its probes without the database, too', async () => {
      const held = database as Postgres;
      const values = Object.fromEntries(node.env.map(({ name, value }: any) => [name, value ?? held.address()]));
      const [port, ops] = [await freePort(), await freePort()];
      const addresses = { CMS_HOST: '127.0.0.1', CMS_OPS_HOST: '127.0.0.1', CMS_PORT: `${port}`, CMS_OPS_PORT: `${ops}` };
      const env = { ...values, ...addresses, CMS_ENGINE_CACHE: join(await temporary(), 'engine') };
      expect(await run(node.args, { env })).toMatchObject({ status: 1, err: expect.stringContaining('run cms engine migrate') });
      expect((await run(migrate.args, { env })).status).toBe(0);
      let stop = (): void => undefined;
      const stopped = new Promise<void>((done) => (stop = done));
      const { io, said } = pretend({ env, stopped: () => stopped });
      const serving = main(node.args, io);
      try {
        await until(() => said.err.some((line) => line.includes('serving')));
        const statuses = async () =>
          Promise.all(
            [node.startupProbe, node.readinessProbe, node.livenessProbe].map(
              async ({ httpGet }) => (await fetch(`http://127.0.0.1:${ops}${httpGet.path}`)).status,
            ),
          );
        expect(await statuses()).toEqual([200, 200, 200]);
        await held.kill();
        await until(() => said.err.some((line) => line.includes('refused until this is over')));
        expect(await statuses()).toEqual([200, 200, 200]);
        expect((await fetch(`http://127.0.0.1:${port}/cms-json/cms/v2/posts`)).status).toBe(200);
      } finally {
        stop();
        expect(await serving).toBe(0);
      }
    });
  });
});
