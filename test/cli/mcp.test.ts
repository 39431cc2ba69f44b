/**
 * The tools for agents as a program of its own: over standard input and output for a folder on this machine, beside a server that
 * serves it, and over HTTP with several workers.
 */
import { spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type Program } from '../kernel/http/program.ts';
import { connectTo, type McpClient, overHttp } from '../support/mcp.ts';
import { picture } from '../support/media.ts';
import { overHttp as ask, until } from '../support/site.ts';
import { newSite, run, temporary } from './run.ts';

let program: Program;
let dir: string;
let password: string;
let pictures: string;
const open: McpClient[] = [];

beforeAll(async () => {
  program = await buildProgram();
  ({ dir, password } = await newSite());
  pictures = await temporary();
  await writeFile(join(pictures, 'boat.jpg'), await picture());
  await symlink(join(dir, 'site.yaml'), join(pictures, 'settings.jpg'));
});
afterAll(async () => {
  for (const client of open) await client.close();
  await program.close();
});

async function overStdio(...line: readonly string[]): Promise<McpClient> {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const args = [program.path, 'mcp', dir, ...line];
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  const client = await connectTo(transport);
  open.push(client);
  return client;
}

it('runs over stdio, as the first administrator, next to a server and hand edits', async () => {
  const { url } = await program.serve([dir]);
  const client = await overStdio('--uploads', pictures);
  const names = (await client.client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('cms-change');
  const made = await client.call('cms-create', { fields: { title: 'By an agent', status: 'publish' }, body: 'Hello.' });
  expect(made.error).toBeUndefined();
  const { id, path } = made.data;
  // The server has it, and what changes there is here.
  const shown = await until(async () => {
    const { status, body } = await ask(`${url}/cms-json/cms/v2/posts/${id}`);
    return status === 200 ? body : null;
  });
  expect(JSON.parse(shown).title.rendered).toBe('By an agent');
  await writeFile(join(dir, path), (await client.call('cms-read', { path })).data.text.replace('Hello.', 'Hello, by hand.'));
  const read = await until(async () => {
    const { data } = await client.call('cms-read', { path });
    const { etag } = data;
    const changed = await client.call('cms-change', { path, etag, edits: [{ old: 'by hand', new: 'by hand and agent' }] });
    return changed.error === undefined ? changed.data : null;
  });
  expect(read.diff).toContain('+Hello, by hand and agent.');
});

it('responds to everything that was sent before the input ended', async () => {
  const init = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'sh', version: '1' } };
  const messages = [
    { id: 1, method: 'initialize', params: init },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'cms-create', arguments: { fields: { title: 'Piped' } } } },
    { id: 3, method: 'tools/call', params: { name: 'core-get-user-info', arguments: {} } },
  ];
  const input = messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
  const { stdout, status } = spawnSync(process.execPath, [program.path, 'mcp', dir], { input, encoding: 'utf8' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([status, answers.map(({ id }) => id).sort()]).toEqual([0, [1, 2, 3]]);
  const { path } = answers.find(({ id }) => id === 2).result.structuredContent;
  expect(await readFile(join(dir, path), 'utf8')).toContain('title: Piped');
});

it('accepts only files in the named folders', async () => {
  const client = await overStdio('--uploads', pictures);
  const { error, data } = await client.call('cms-upload', { file: join(pictures, 'boat.jpg'), alt_text: 'A boat' });
  expect([error, data?.mime_type]).toEqual([undefined, 'image/jpeg']);
  for (const file of [
    join(dir, 'site.yaml'),
    join(pictures, 'settings.jpg'),
    join(pictures, '../x.jpg'),
    pictures,
    '/etc/passwd',
  ])
    expect((await client.call('cms-upload', { file })).error).toBe('ability_invalid_input');
});

it('runs with a scope, as another user', async () => {
  const { status } = await run(['user', 'create', 'wen', '--dir', dir, '--email', 'wen@example.com', '--role', 'author']);
  expect(status).toBe(0);
  const client = await overStdio('--as', 'wen', '--scope', 'drafts');
  expect((await client.call('core-get-user-info')).data.user_login).toBe('wen');
  expect((await client.call('cms-create', { fields: { title: 'x', status: 'publish' } })).error).toBe('rest_insufficient_scope');
  expect((await client.call('cms-create', { fields: { title: 'x' } })).error).toBeUndefined();
});

it('reports an unknown user, and an unknown folder', async () => {
  expect(await run(['mcp', dir, '--as', 'nobody'])).toMatchObject({ status: 1, err: expect.stringContaining('nobody') });
  expect(await run(['mcp', dir, '--uploads', 'nowhere'])).toMatchObject({ status: 2, err: expect.stringContaining('nowhere') });
});

it('runs over HTTP, on any worker', async () => {
  const { url } = await program.serve([dir, '--workers', '3'], { env: { CMS_MCP: '1' } });
  const titles = Array.from({ length: 9 }, (_, at) => `Note ${at}`);
  const clients = await Promise.all(titles.map(() => overHttp(url, `Bearer admin:${password.replaceAll(' ', '')}`)));
  const made = await Promise.all(clients.map((client, at) => client.call('cms-create', { fields: { title: titles[at] } })));
  expect(made.map(({ error }) => error)).toEqual(titles.map(() => undefined));
  for (const client of clients) {
    const { items } = (await client.call('cms-find', { status: 'draft', search: 'Note', limit: 50 })).data;
    expect(items.map(({ title }: { title: string }) => title).sort()).toEqual(titles);
    await client.close();
  }
});
