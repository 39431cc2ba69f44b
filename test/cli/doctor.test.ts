/**
 * `cms doctor auth`: each way in which credentials do not work is told as what it is.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';
import { run } from './run.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ operator: { sign_in_attempts: 4 } });
});
afterAll(() => site.close());

const doctor = (url: string, password?: string, user = 'admin') =>
  run(['doctor', 'auth', '--url', url, ...(password === undefined ? [] : ['--user', user, '--password-stdin'])], {
    input: password ?? '',
  });

/** Something between: answers itself, or changes what it passes on. */
async function between<T>(listener: RequestListener, look: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await look(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

const pass =
  (change: (headers: Record<string, string>) => Record<string, string>): RequestListener =>
  async ({ url = '', headers }, response) => {
    const sent = typeof headers.authorization === 'string' ? { authorization: headers.authorization } : {};
    const answer = await fetch(site.url + url, { headers: change(sent as Record<string, string>) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  };

describe('cms doctor auth', () => {
  it('reports nothing for a healthy site', async () => {
    const { status, out } = await doctor(site.url, site.password);
    expect(out).toContain('admin signs in, as administrator');
    expect(status).toBe(0);
  });

  it.each([
    ['a login password', 'Sturdy-pass-91', 'admin', 'this is not as long as an application password'],
    ['a wrong password', 'abcd efgh ijkl mnop qrst uvwx', 'admin', 'the name or the password is wrong'],
    ['a wrong name', 'abcd efgh ijkl mnop qrst uvwx', 'nobody', 'the name or the password is wrong'],
  ])('reports %s', async (_, password, user, text) => {
    const { status, out } = await doctor(site.url, password, user);
    expect(out).toContain(text);
    expect(out).not.toContain(password);
    expect(status).toBe(1);
  });

  it('reports a proxy that removes the header', () =>
    between(
      pass(() => ({})),
      async (url) => {
        const { status, out } = await doctor(url, site.password);
        expect(out).toContain('takes the Authorization header out');
        expect(status).toBe(1);
      },
    ));

  it('reports a URL that points elsewhere', () =>
    between(
      (_, response) => void response.writeHead(301, { location: 'https://example.com/' }).end(),
      async (url) => expect((await doctor(url)).out).toContain('leads to https://example.com/'),
    ));

  it('reports a wrong clock', () =>
    between(
      async ({ url = '' }, response) => {
        response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
        response.end(await (await fetch(site.url + url)).text());
      },
      async (url) => expect((await doctor(url)).out).toMatch(/the clock of the service is \d+ s behind this one/),
    ));

  it('reports that nothing, or another program, responds', async () => {
    expect((await doctor('http://127.0.0.1:1')).out).toContain('does not answer');
    await between(
      (_, response) => void response.end('<h1>Welcome</h1>'),
      async (url) => expect((await doctor(url)).out).toContain('is not the interface'),
    );
  });
});
