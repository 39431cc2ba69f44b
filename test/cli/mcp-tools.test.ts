/**
 * Every tool for agents, over HTTP and over standard input and output, with every scope. The abilities of the site say which tools there are: a new
 * one needs a call and a row here.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { neutral } from '../../src/kernel/rest/dialect.ts';
import { allAbilities } from '../../src/modules/api/abilities/index.ts';
import { addApplicationPassword } from '../../src/modules/people/accounts/application-passwords.ts';
import { buildProgram, type Program } from '../kernel/http/program.ts';
import { type GitSite, startGitSite } from '../support/git-site.ts';
import { connectTo, injection, type McpClient, overHttp, toolCalls } from '../support/mcp.ts';
import { picture } from '../support/media.ts';

const scopes = [
  '',
  'read',
  'drafts',
  'type:post',
  'type:page',
  'type:attachment',
  'folder:posts',
  'folder:media',
  'folder:posts,drafts',
];
const transports = ['http', 'stdio'] as const;

/** Tool → the scopes with which it is allowed. Reading is for all. */
const writers = ['', 'drafts', 'type:post', 'folder:posts', 'folder:posts,drafts'];
const table: Readonly<Record<string, readonly string[]>> = {
  'core-get-site-info': scopes,
  'core-get-user-info': scopes,
  'core-get-environment-info': scopes,
  'cms-validate': scopes,
  'cms-reindex': [''],
  'cms-find': scopes,
  'cms-read': scopes,
  'cms-check': scopes,
  'cms-create': writers,
  'cms-change': writers,
  'cms-trash': writers,
  'cms-describe': scopes,
  'cms-terms': scopes,
  'cms-menus': scopes,
  'cms-upload': ['', 'type:attachment', 'folder:media'],
  'cms-changes': scopes,
  'cms-commit': [''],
  'cms-translations': scopes,
};

interface Caller extends McpClient {
  /** Of its own files: what others change, it may not know yet. */
  readonly own: number;
}

let program: Program;
let site: GitSite;
let images: Server;
let image: string;
const open: McpClient[] = [];

beforeAll(async () => {
  program = await buildProgram();
  const bytes = await picture();
  images = createServer((_, response) => void response.setHeader('content-type', 'image/jpeg').end(bytes));
  await new Promise<void>((done) => images.listen(0, '127.0.0.1', done));
  image = `http://127.0.0.1:${(images.address() as AddressInfo).port}/boat.jpg`;
  const drafts = Array.from({ length: scopes.length * transports.length }, (_, at) =>
    ['draft', 'gone'].map((name) => [`posts/${name}-${at}.md`, `---\ntitle: ${name} ${at}\nstatus: draft\n---\nText\n`]),
  );
  const files = {
    ...Object.fromEntries(drafts.flat()),
    'posts/harbour.md': `---\nid: 100\ntitle: "Harbour. ${injection}"\ndate: 2026-03-01T10:00:00\ntags: [fog]\n---\nThe *old* harbour. ${injection}\n`,
    'comments/harbour.yaml': `- { id: 1, author: Mallory, date: 2026-03-02T10:00:00, text: "${injection}" }\n`,
    'terms/category/quay.yaml': `name: Quay\ndescription: "${injection}"\n`,
    'menus/main.yaml': 'name: Main\nitems:\n  - { title: Harbour, post: harbour }\n',
  };
  const settings = 'git: commit\ndeployment: extended\nlang: { default: en, languages: { en: {}, de: {} } }\n';
  // Nothing is committed by itself here, so that there is something to commit.
  site = await startGitSite({ ...files, 'site.yaml': `name: A\n${settings}` }, '', {
    mcp: true,
    fetch_allow: [new URL(image).host],
  });
});
afterAll(async () => {
  for (const client of open) await client.close();
  await site.close();
  await program.close();
  images.close();
});

async function connect(transport: (typeof transports)[number], scope: string): Promise<Caller> {
  const own = scopes.indexOf(scope) * transports.length + transports.indexOf(transport);
  const client = await (transport === 'http' ? withPassword(scope) : asProcess(scope));
  open.push(client);
  return { ...client, own };
}

async function withPassword(scope: string): Promise<McpClient> {
  const { password } = await addApplicationPassword(site.site, 1, `for ${scope}`, '', scope);
  return overHttp(site.url, `Bearer admin:${password.replaceAll(' ', '')}`);
}

function asProcess(scope: string): Promise<McpClient> {
  const args = [program.path, 'mcp', site.dir, ...(scope === '' ? [] : ['--scope', scope])];
  const env = { ...(process.env as Record<string, string>), CMS_FETCH_ALLOW: new URL(image).host };
  return connectTo(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
}

const toolsOfSite = (): readonly string[] => allAbilities(site.site, neutral).map(({ name }) => name.replaceAll('/', '-'));

it('every ability has a call and a row in the table of scopes', () => {
  expect(Object.keys(table).sort()).toEqual([...toolsOfSite()].sort());
  expect(Object.keys(toolCalls).sort()).toEqual(Object.keys(table).sort());
});

describe.each(transports)('over %s', (transport) => {
  it.each(scopes)('with the scope %j, each tool is listed, and does or refuses what the table says', async (scope) => {
    const client = await connect(transport, scope);
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolsOfSite());
    const files = {
      read: 'posts/harbour.md',
      change: `posts/draft-${client.own}.md`,
      trash: `posts/gone-${client.own}.md`,
      image,
    };
    const found: Record<string, string | undefined> = {};
    for (const name of toolsOfSite()) {
      const { error, data, texts } = await client.call(name, await toolCalls[name]?.(files, client));
      found[name] = error;
      if (error !== undefined) continue;
      expect(texts[0]).toContain('It is data');
      expect(JSON.parse(texts[1] as string)).toEqual(data);
    }
    const stated = toolsOfSite().map((name) => [name, table[name]?.includes(scope) ? undefined : 'rest_insufficient_scope']);
    expect(found).toEqual(Object.fromEntries(stated));
  });
});

it('both transports have the same tools', async () => {
  const [over, beside] = await Promise.all(transports.map((transport) => connect(transport, 'read')));
  expect(await over?.client.listTools()).toEqual(await beside?.client.listTools());
  expect(over?.client.getInstructions()).toBe(beside?.client.getInstructions());
});
