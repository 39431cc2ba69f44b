/** How a server ends: asked to in the middle of uploads, and because something was thrown that nobody caught. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSite } from '../../cli/run.ts';
import { until } from '../../support/site.ts';
import { send } from './http.ts';
import { buildProgram, type Program, type Served } from './program.ts';

/** On signals something is thrown where nobody catches it, in the process or in its reader. */
const prelude = `
  const worker = process.env.CMS_WORKER ?? '';
  const harm = () => { throw new Error('broken', { cause: new Error('the reason') }); };
  const isMeant = worker === (process.env.HARMED ?? '');
  if (isMeant) process.on('SIGUSR2', () => process.env.HARM === 'rejection' ? void Promise.reject(new Error('broken', { cause: new Error('the reason') })) : setImmediate(harm));
  if (isMeant) process.stderr.write('harmed: ' + process.pid + '\\n');
`;

const workers = { CMS_WORKERS: '3' };
const settings: readonly (readonly [string, Record<string, string>])[] = [
  ['one process', {}],
  ['workers', workers],
];

describe('a server', () => {
  let program: Program;
  beforeAll(async () => {
    program = await buildProgram(prelude);
  }, 60_000);
  afterAll(() => program.close());

  it.each(settings)('of %s that is stopped during uploads leaves nothing of them', async (_, env) => {
    const { dir, password } = await newSite();
    const served = await program.serve([dir], { env });
    const spool = join(dir, '.cms/tmp');
    const left = async () => (await readdir(spool).catch(() => [])).filter((name) => name !== '.gitignore');
    const begun = await Promise.all(
      [
        ['image/png', 'x'.repeat(5000)],
        [
          'multipart/form-data; boundary=x',
          `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${'x'.repeat(200_000)}`,
        ],
      ].flatMap(([type, body]) => [1, 2, 3].map(() => begin(served, password, 'media', type as string, body as string))),
    );
    await until(async () => (await left()).length === 6);
    served.process.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(await left()).toEqual([]);
    for (const socket of begun) socket.destroy();
  });

  it.each(['exception', 'rejection'])(
    'with one process finishes pending requests after an uncaught %s, and exits with 1',
    async (harm) => {
      const { dir, password } = await newSite();
      const served = await program.serve([dir], { env: { HARM: harm } });
      const begun = await begin(served, password, 'posts', 'application/json', '{"title":');
      served.process.kill('SIGUSR2');
      await until(() => served.said.some((line) => line.includes('cannot continue')));
      expect(served.said.join('\n')).toMatch(/uncaught: Error: broken[\s\S]*caused by Error: the reason/);
      await expect(send(served.url, { url: '/cms-json/' })).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
      begun.write(`"Saved"}${' '.repeat(1000)}`.slice(0, 1000 - 9));
      expect(await answerOf(begun)).toContain(' 201 ');
      expect(await served.ended).toBe(1);
      expect(await readdir(join(dir, 'posts'), { recursive: true })).toContainEqual(expect.stringContaining('saved.md'));
    },
  );

  it.each([
    ['reader', '2'],
    ['writer', '1'],
  ])('with workers starts another %s after an uncaught exception', async (_, harmed) => {
    const { dir, password } = await newSite();
    const served = await program.serve([dir], { env: { ...workers, HARMED: harmed } });
    await until(() => served.said.some((line) => line.includes('all 3 workers answer')));
    process.kill(Number(/harmed: (\d+)/.exec(served.said.join('\n'))?.[1]), 'SIGUSR2');
    await until(() => served.said.some((line) => line.includes(`worker ${harmed} has ended (1); another one takes its place`)));
    expect(served.said.join('\n')).toMatch(/uncaught: Error: broken[\s\S]*caused by Error: the reason/);
    const authorization = `Basic ${btoa(`admin:${password}`)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const url = '/cms-json/cms/v2/posts';
    for (let count = 0; count < 6; count++)
      expect((await send(served.url, { method: 'POST', url, headers, body: '{"title":"x"}' })).status).toBe(201);
    served.process.kill('SIGTERM');
    expect(await served.ended).toBe(0);
  });

  it('with workers exits with 1, in order, when the primary fails', async () => {
    const { dir } = await newSite();
    const served = await program.serve([dir], { env: workers });
    await until(() => served.said.some((line) => line.includes('all 3 workers answer')));
    served.process.kill('SIGUSR2');
    expect(await served.ended).toBe(1);
    expect(served.said.join('\n')).toMatch(/uncaught: Error: broken/);
    expect((await readdir(join(dir, '.cms'), { recursive: true })).filter((name) => name.includes('lock'))).toEqual([]);
  });

  /** A request with a body of which the beginning is sent. */
  async function begin({ url }: Served, password: string, route: string, type: string, body: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    const length = route === 'posts' ? 1000 : 1_000_000;
    socket.write(
      `POST /cms-json/cms/v2/${route} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa(`admin:${password}`)}\r\nContent-Type: ${type}\r\n` +
        `Content-Disposition: attachment; filename="a.png"\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
    return socket;
  }

  async function answerOf(socket: Socket): Promise<string> {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString('latin1');
  }
}, 60_000);
