/**
 * Random requests made from the routes of a site: methods, parameters in the path, and arguments by their schemas, right, nearly
 * right and wrong; as JSON, forms, files and batches. The same seed makes the same requests.
 */
import { commonQuery, dates, strange, texts, words } from './values.mjs';

/** What most requests are about. */
const collections =
  /^\/cms\/v2\/(?:posts|pages|categories|tags|users|comments|menus|menu-items|blocks|navigation|media|search|settings)$/;

/** Names that are addressed by path parameters of routes, beside ids that are learned. */
const names = {
  type: ['post', 'page', 'attachment', 'cms_block', 'cms_navigation', 'nothing'],
  status: ['publish', 'draft', 'trash', 'nothing'],
  taxonomy: ['category', 'post_tag', 'nav_menu', 'cms_pattern_category', 'nothing'],
  user_id: ['me', '1', '2'],
  location: ['primary', 'nothing'],
  namespace: ['core', 'nothing'],
  name: ['core/paragraph', 'core/search', 'core/latest-posts', 'core/archives', 'core/calendar', 'core/nothing', 'nothing'],
  slug: ['nothing'],
};

const roles = ['admin', 'admin', 'admin', 'editor', 'author', 'contributor', 'subscriber', 'visitor'];

/** Files as clients send them. */
const files = {
  'dot.png': ['image/png', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
  'dot.gif': ['image/gif', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
  'note.txt': ['text/plain', 'QSBub3RlLg=='],
  'paper.pdf': ['application/pdf', 'JVBERi0xLjQKJSVFT0YK'],
  'song.mp3': ['audio/mpeg', 'SUQzBAAAAAAAAA=='],
  'empty.jpg': ['image/jpeg', ''],
  'code.php': ['text/plain', 'PD9waHA='],
};

/** `Content-Disposition` of a file. */
const dispositions = [
  (name) => `attachment; filename="${name}"`,
  (name) => `attachment; filename=${name}`,
  (name) => `form-data; name="x"; filename="Ü ${name}"`,
  (name) => `attachment;filename="../${name}"`,
  (name) => `attachment; filename*=UTF-8''n%C3%A4me-${name}`,
  () => 'attachment; filename=""',
  () => 'attachment',
  () => '',
];

/**
 * @param routes  of a registry, in the neutral spelling
 * @param isLeftOut  path → whether its routes are not asked
 * @returns  `next()`: `{method, path, target, query, body, form, raw, upload, headers, who}`, one body at most; `learn(request, answer)`
 *   takes note of what has been made
 */
export function createRequests(routes, random, { isLeftOut = () => false } = {}) {
  const calls = routes
    .filter(({ path }) => !isLeftOut(path))
    .flatMap((route) => route.endpoints.flatMap((endpoint) => endpoint.methods.map((method) => ({ route, endpoint, method }))));
  const creates = calls.filter(({ method, route }) => method === 'POST' && collections.test(route.path));
  const main = calls.filter(({ route }) => collections.test(route.path.replace(/\/\(.*/, '')));
  const writes = main.filter(({ method }) => method !== 'GET');
  const reads = calls.filter(({ method }) => method === 'GET');
  const known = new Map();
  return {
    next: ({ kind = 'any' } = {}) => {
      if (kind === 'any' && random.chance(0.03)) return batch();
      const made = request(random.pick({ any: random.chance(0.6) ? main : calls, reads, creates }[kind]));
      return kind === 'any' ? disguised(made) : made;
    },
    learn({ path, method }, { status, body }) {
      if (method !== 'POST' || status !== 201 || !Number.isInteger(body?.id)) return;
      known.set(path, [...(known.get(path) ?? []).slice(-30), body.id]);
    },
  };

  function request({ route, endpoint, method }) {
    // Half of the requests are what a well-meaning client sends.
    const isKind = random.chance(0.5);
    const path = pathOf(route.path);
    const params = {};
    for (const [name, arg] of Object.entries(endpoint.args)) {
      if (route.path.includes(`(?P<${name}>`)) continue;
      const share = arg.required ? 0.95 : method === 'GET' ? 0.15 : 0.3;
      if (random.chance(share)) params[name] = isKind || random.chance(0.6) ? fitting(arg, name) : random.pick(strange);
    }
    const query = commonQuery(random);
    const isQuery = method === 'GET' || method === 'DELETE';
    if (method === 'DELETE' && random.chance(0.5)) params.force = true;
    const base = { method, path, query: isQuery ? { ...query, ...params } : query, headers: {}, who: random.pick(roles) };
    if (isQuery) return base;
    if (path === '/cms/v2/media' && method === 'POST') return uploading(base, params);
    if (random.chance(0.05)) return { ...base, form: params };
    // Some clients put everything into the address.
    return random.chance(0.05) ? { ...base, query: { ...query, ...params } } : { ...base, body: params };
  }

  /** A file as the whole body, or as a part of a form. */
  function uploading(base, params) {
    const [name, [type, bytes]] = random.pick(Object.entries(files));
    const upload = { name, type: random.chance(0.9) ? type : random.pick(['', 'image/png', 'x']), bytes };
    if (random.chance(0.3)) return { ...base, form: params, upload: random.chance(0.9) ? upload : undefined, isMultipart: true };
    return {
      ...base,
      query: { ...base.query, ...params },
      upload,
      headers: { 'content-disposition': random.pick(dispositions)(name) },
    };
  }

  /** The same in another way: another method that means it, another way to write the address, a body that cannot be read. */
  function disguised(made) {
    const way = random.next();
    const isWrite = made.method !== 'GET';
    if (!isWrite && way < 0.03) return { ...made, method: 'HEAD' };
    if (way < 0.05) return { ...made, method: 'OPTIONS' };
    if (isWrite && way < 0.08)
      return { ...made, method: 'POST', headers: { ...made.headers, 'x-http-method-override': made.method } };
    if (isWrite && way < 0.1) return { ...made, method: 'POST', query: { ...made.query, _method: made.method } };
    if (way < 0.11) return { ...made, method: random.pick(['PUT', 'PATCH', 'DELETE', 'POST', 'FOO']) };
    if (way < 0.14)
      return {
        ...made,
        target: random.pick([(path) => `${path}/`, shouted, (path) => `/${path}`, escaped])(made.path),
      };
    // Without a root of its own, only a namespace says which spelling is meant.
    if (way < 0.15 && made.path.startsWith('/cms')) return { ...made, target: made.path, isPlain: true };
    if (way < 0.16 && !made.upload)
      return {
        ...made,
        body: undefined,
        form: undefined,
        raw: random.pick(['{', '[1]', '"x"', 'null', '{"a":1', '\ufeff{}', '']),
      };
    return made;
  }

  /** Several writes at once. */
  function batch() {
    const count = random.chance(0.1) ? 26 : 1 + random.below(4);
    const requests = Array.from({ length: count }, () => {
      const { method, path, query, body, form } = request(random.pick(writes));
      const text = printQuery(query);
      return {
        method,
        path: random.chance(0.03) ? random.pick(['', 'x', '//', 'http://other.example/x', 3]) : `${path}${text && `?${text}`}`,
        body: body ?? form ?? {},
      };
    });
    const body = {
      validation: random.pick(['normal', 'require-all-validate', 'x']),
      requests: random.chance(0.95) ? requests : random.pick(strange),
    };
    if (random.chance(0.6)) delete body.validation;
    return { method: 'POST', path: '/batch/v1', query: commonQuery(random), headers: {}, who: random.pick(roles), body };
  }

  /** A route's path with its parameters filled in. */
  function pathOf(pattern) {
    return pattern.replace(/\(\?P<(\w+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (_, name, at) => {
      if (names[name]) return random.pick(names[name]);
      const learned =
        known.get(
          pattern
            .slice(0, at)
            .replace(/\/$/, '')
            .replace(/\/\(.*/, ''),
        ) ?? [];
      if (learned.length > 0 && random.chance(0.85)) return String(random.pick(learned));
      return random.pick(['1', '2', '3', '4', '5', '0', '007', '99999999', '99999999999999999999']);
    });
  }

  function fitting(schema, name) {
    if (schema.enum) return random.pick(Object.values(schema.enum));
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return fitting({ ...(schema.type === undefined ? {} : { type: schema.type }), ...random.pick(choices) }, name);
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    if (type === 'integer' || type === 'number') return number(schema, name);
    if (type === 'boolean') return random.pick([true, false, 'true', '0']);
    if (type === 'null') return null;
    if (type === 'array') {
      const list = Array.from({ length: random.below(4) }, () => fitting(schema.items ?? {}, name));
      return random.chance(0.3) && list.every((one) => typeof one !== 'object') ? list.join(',') : list;
    }
    if (type === 'object') {
      const properties = Array.isArray(schema.properties) ? {} : (schema.properties ?? {});
      if ('raw' in properties && random.chance(0.5)) return random.pick(texts);
      const some = Object.entries(properties).filter(([, one]) => one.required === true || random.chance(0.4));
      return Object.fromEntries(some.map(([key, one]) => [key, fitting(one, key)]));
    }
    return text(schema, name);
  }

  function number({ minimum, maximum }, name) {
    if (minimum === undefined && maximum === undefined && random.chance(0.6)) {
      const ids = [...known.values()].flat();
      if (ids.length > 0) return random.pick(ids);
    }
    if (name === 'author' || name === 'reassign') return random.pick([1, 2, 3, 99999999]);
    const [low, high] = [minimum ?? -2, maximum ?? 30];
    return low + random.below(high - low + 1);
  }

  function text({ format }, name) {
    if (format === 'date-time') return random.pick(dates);
    if (format === 'email') return `m${random.below(50)}@example.org`;
    if (format === 'uri')
      return random.pick(['http://example.org/a', 'http://127.0.0.1:8080/?p=3', '/rel', '#x', 'javascript:x']);
    if (name === 'username') return `user${random.below(80)}`;
    if (name === 'password') return random.pick(['', 'secret', '0']);
    if (['slug', 'name', 'search', 'title'].includes(name) || random.chance(0.4))
      return Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(random.pick([' ', '-']));
    return random.pick(texts);
  }
}

/** A path in capitals, but for its namespace: links to other pages repeat that as it was asked for. */
function shouted(path) {
  return path.replace(/(?<=^\/[^/]+\/[^/]+\/).*/, (rest) => rest.toUpperCase());
}

/** A path with its last letter as an escape. */
function escaped(path) {
  return path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

/** A query as clients write it: lists with brackets. */
export function printQuery(query) {
  const pairs = [];
  const encode = (text) => encodeURIComponent(text.toWellFormed());
  const walk = (name, value) => {
    if (Array.isArray(value)) for (const one of value) walk(`${name}[]`, one);
    else if (value !== null && typeof value === 'object')
      for (const [key, one] of Object.entries(value)) walk(`${name}[${key}]`, one);
    else pairs.push(`${encode(name)}=${encode(value === null ? '' : String(value))}`);
  };
  for (const [name, value] of Object.entries(query)) walk(name, value);
  return pairs.join('&');
}
