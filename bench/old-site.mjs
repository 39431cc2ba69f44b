/**
 * A site as the original would have it before somebody leaves: below a path, in the spelling of the original alone, with the original's
 * addresses of files and categories. It stands in front of a server of ours, which has to be told the address as its own.
 */
import { createServer, request as sendRequest } from 'node:http';

const spellings = [
  ['/uploads/', '/wp-content/uploads/'],
  ['/category/', '/topics/'],
];

export async function startOldSite() {
  let inner = '';
  const old = { url: '', asked: [], before: () => false, aim, close };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  old.url = `http://127.0.0.1:${server.address().port}/blog`;
  return old;

  function aim(url) {
    inner = url;
  }

  async function pass(request, response) {
    const target = request.url ?? '/';
    old.asked.push(target);
    if (await old.before(target, response)) return;
    const path = /^\/blog(?=\/|$|\?)/.test(target) ? target.slice('/blog'.length) : '/nothing-here/';
    const url = new URL(path || '/', inner);
    if (url.pathname.startsWith('/cms-json') || path === '/nothing-here/') return void response.writeHead(404).end();
    for (const [own, original] of spellings) url.pathname = url.pathname.replace(original, own);
    const { 'accept-encoding': _, ...headers } = request.headers;
    const inside = sendRequest(url, { method: request.method, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const whole = Buffer.concat(parts);
        const isText = String(answer.headers['content-type']).includes('json');
        const body = isText ? Buffer.from(spelled(whole.toString('utf8'), old.url)) : whole;
        const { 'transfer-encoding': __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, { ...kept, 'content-length': body.length }).end(body);
      });
    });
    inside.on('error', () => response.destroy());
    request.pipe(inside);
  }

  async function close() {
    await new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  }
}

/** Texts with the original's addresses; slashes of JSON may be escaped. */
export function spelled(text, url) {
  let out = text;
  for (const [own, original] of spellings)
    for (const inJson of [(part) => part, (part) => part.replaceAll('/', '\\/')])
      out = out.replaceAll(inJson(url + own), inJson(url + original));
  return out;
}
