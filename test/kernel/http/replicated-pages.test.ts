/** Among workers, what somebody wrote is told to them once all of them know it, and what nobody wrote at once. */
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServer } from '../../../src/kernel/http/server.ts';
import type { Module } from '../../../src/kernel/module.ts';
import type { FormTaker } from '../../../src/kernel/site/serving.ts';
import { composeSite } from '../../../src/open-site.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const page = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'here\n' };
const writing: FormTaker = Object.assign(async () => page, { writes: true } as const);
const module: Module = {
  name: 'pages',
  setup: () => ({ form: (url) => (url === '/writes' ? writing : url === '/asks' ? async () => page : null) }),
};

let site: TestSite;
let url: string;
let waits = 0;
const http = createHttp();
beforeAll(async () => {
  site = await startSite({ modules: [module] });
  const replicated = async () => void waits++;
  const { handle } = createServer({ site: site.site, registry: composeSite(site.site), replicated });
  await new Promise<void>((resolve) => http.on('request', handle).listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http.close();
  await site.close();
});

it.each([
  ['GET', '/', 0],
  ['GET', '/nothing/here/', 0],
  ['POST', '/asks', 0],
  ['POST', '/writes', 1],
])('%s %s waits %i times', async (method, path, times) => {
  waits = 0;
  const { status } = await fetch(url + path, { method });
  expect([status, waits]).toEqual([path.includes('nothing') ? 404 : 200, times]);
});
