/**
 * A site of its own in a folder, asked in one spelling: by requests as they come from a connection, without the connection. Who asks is
 * said by a header, so that no request takes away the rights of those that follow.
 */
import { Readable } from 'node:stream';
import { printQuery } from './requests.mjs';
import { neutralised, settled, spellingOf } from './spelling.mjs';

const url = 'http://127.0.0.1:8080';
const compared = ['x-cms-total', 'x-cms-totalpages', 'allow', 'location', 'link', 'content-type'];
export const roles = ['editor', 'author', 'contributor', 'subscriber'];
const actors = {
  visitor: null,
  admin: { id: 1, roles: ['administrator'] },
  ...Object.fromEntries(roles.map((role, at) => [role, { id: at + 2, roles: [role] }])),
};

/** @param note  takes a line about what is wrong beside an answer */
export async function createSide(program, dir, dialect, clock, note) {
  await program.scaffoldSite({
    dir,
    title: 'Fuzz',
    timezone: 'Europe/Berlin',
    admin: 'admin',
    email: 'admin@example.com',
    writing: 'markup',
  });
  const spelled = spellingOf(dialect);
  let site;
  let dispatcher;
  let answerOf;
  await open();

  return {
    dialect,
    foreign: spelled.foreign,
    routes: () => dispatcher.registry.routes,
    ask,
    schemaProblems,
    restart: async () => {
      await site.close();
      await open();
      for (const { severity, path, message } of site.problems())
        if (severity === 'error') note(`${path} cannot be read after a restart: ${message}`);
    },
    close: () => site.close(),
  };

  async function open() {
    site = await program.openSite(dir, { clock, log: () => {} });
    site.setAddress(url);
    dispatcher = program.createDispatcher(site, program.composeSite(site), (error, { method, route }) =>
      note(
        `${method} ${route} logged ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)}`,
      ),
    );
    const clientOf = () => ({ ip: '127.0.0.1', isHttps: false, isPrivate: true });
    const authenticator = { authenticate: async ({ authorization }) => ({ user: actors[authorization] ?? null }) };
    const requests = program.createRequestReader({ site, authenticator, dispatcher, nonceHeaders: [], clientOf });
    const front = program.createFrontCache({
      generation: () => site.records.generation,
      clock,
      personal: [],
      own: (bytes) => Uint8Array.from(bytes),
    });
    const keyOf = (incoming) => front.keyOf(incoming, incoming.headers.authorization ?? '');
    answerOf = program.createAnswers({ site, dispatcher, requests, front, keyOf, replicated: undefined, isForwarded: false });
  }

  async function ask(request) {
    const incoming = incomingOf(request, dialect, spelled.write);
    const address = program.readAddress(incoming.url, site);
    const written = await answerOf(incoming, address).catch((error) => ({ status: 0, headers: [], body: String(error.stack) }));
    const sent = written.body === null ? '' : Buffer.from(written.body).toString();
    const kept = {};
    for (let at = 0; at < written.headers.length; at += 2) {
      const name = spelled.read(written.headers[at].toLowerCase());
      if (compared.includes(name)) kept[name] = settled(spelled.read(written.headers[at + 1]));
    }
    return {
      status: written.status,
      body: parsed(sent),
      text: sent,
      get comparable() {
        return { status: written.status, headers: kept, body: neutralised(parsed(settled(spelled.read(sent)))) };
      },
    };
  }

  /** What of an answer does not fit the schema of its route. */
  function schemaProblems({ method, path, target, query }, { status, body }) {
    if (method !== 'GET' || status !== 200 || target || body === null || typeof body !== 'object') return [];
    if (query._envelope !== undefined || query._method !== undefined) return [];
    const context = ['view', 'edit', 'embed'].includes(query.context) ? query.context : 'view';
    const found = dispatcher.describe({ method, route: path, query: {}, headers: {}, dialect, user: actors.admin });
    const schema = found?.route.schema?.(found.call);
    if (!schema || Array.isArray(schema.properties)) return [];
    // Some collections are maps by name.
    const isMap = !path.includes('/settings') && Object.keys(body).every((name) => body[name]?.slug === name);
    const items = Array.isArray(body) || isMap ? Object.values(body) : [body];
    return items.flatMap((item) => program.schemaProblems(item, schema, context));
  }
}

/** What a connection would hand over. */
function incomingOf({ method, path, target, isPlain, query, headers, who, ...sent }, dialect, spell) {
  const text = printQuery(isPlain ? { rest_route: path, ...query } : query);
  const at = isPlain ? '/index.php' : `${dialect.root}${target ?? path}`;
  const { bytes, type } = bodyOf(sent, spell);
  const incoming = bytes ? Readable.from([bytes], { objectMode: false }) : Readable.from([]);
  const own = { 'user-agent': 'fuzz', ...(who === 'visitor' ? {} : { authorization: who }), ...headers };
  if (bytes) Object.assign(own, { 'content-length': String(bytes.length) }, type ? { 'content-type': type } : {});
  return Object.assign(incoming, { method, url: spell(`${at}${text === '' ? '' : `?${text}`}`), headers: own, complete: true });
}

const boundary = '----fuzz';

function bodyOf({ body, form, raw, upload, isMultipart }, spell) {
  if (raw !== undefined) return { bytes: Buffer.from(raw), type: 'application/json' };
  if (isMultipart) return { bytes: multipart(form, upload, spell), type: `multipart/form-data; boundary=${boundary}` };
  if (upload) return { bytes: Buffer.from(upload.bytes, 'base64'), type: upload.type };
  if (form) return { bytes: Buffer.from(spell(printQuery(form))), type: 'application/x-www-form-urlencoded' };
  return body === undefined ? {} : { bytes: Buffer.from(spell(JSON.stringify(body))), type: 'application/json' };
}

function multipart(form, upload, spell) {
  const fields = printQuery(form)
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.split('=').map(decodeURIComponent));
  const head = (text) => `--${boundary}\r\nContent-Disposition: form-data; ${text}\r\n\r\n`;
  const parts = fields.map(([name, value]) => Buffer.from(spell(`${head(`name="${name}"`)}${value}\r\n`)));
  const type = upload?.type ? `\r\nContent-Type: ${upload.type}` : '';
  const file = upload
    ? [
        Buffer.from(head(`name="file"; filename="${upload.name}"${type}`)),
        Buffer.from(upload.bytes, 'base64'),
        Buffer.from('\r\n'),
      ]
    : [];
  return Buffer.concat([...parts, ...file, Buffer.from(`--${boundary}--\r\n`)]);
}

/** An answer as a value, that of a callback as what it is called with. */
function parsed(text) {
  try {
    return JSON.parse(text.replace(/^\/\*\*\/[\w.]+\((.*)\)$/s, '$1'));
  } catch {
    return text;
  }
}
