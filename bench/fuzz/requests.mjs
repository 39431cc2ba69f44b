/**
 * Random requests made from the routes of a site: methods, parameters in the path, and arguments by their schemas, right, nearly
 * right and wrong. The same seed makes the same requests.
 */

/** A small generator of numbers (mulberry32): `next()` is in [0, 1). */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)], chance: (share) => next() < share };
}

const words = 'harbour river amber fjord lantern “quoted” Ünïcödé 日本 a<b AT&T 100% it’s 0 x--y'.split(' ');
const texts = [
  '',
  ' ',
  '0',
  'Plain words here.',
  '<p>A <strong>strong</strong> word</p>',
  'One\n\nTwo -- three... "four"',
  '<!-- wp:paragraph -->\n<p>A block</p>\n<!-- /wp:paragraph -->',
  '[gallery] [unknown a="b"]text[/unknown]',
  '<script>alert(1)</script><b>unclosed',
  'http://example.org/page',
  '<!--more-->after',
];
const dates = [
  '2021-03-05T10:00:00',
  '2021-03-28T02:30:00',
  '2021-10-31T02:30:00Z',
  '2015-02-30T01:02:03+05:00',
  '9999-12-31T23:59:59',
  '0000-00-00T00:00:00',
  '2021-03-05',
  '',
  null,
];
const strange = [
  '', ' ', '0', '-1', 'x', 'true', 'null', 'a,b', '1,2,x', '%', '日本', '__proto__', '../..', 'x'.repeat(300), 1e21, -0.5, 0, 1, null, true,
  false, [], {}, [[]], [null], ['x'], { raw: {} }, { raw: 'x' }, { x: 'y' }, { terms: [1] },
]; // biome-ignore format: a list

/** What most requests are about. */
const collections =
  /^\/cms\/v2\/(?:posts|pages|categories|tags|users|comments|menus|menu-items|blocks|navigation|media|search|settings)$/;

/** Members of answers that `_fields` may name. */
const members = [
  'id',
  'slug',
  'title',
  'title.rendered',
  'meta.footnotes',
  'content.raw',
  'name',
  'nothing',
  '_links',
  '_embedded',
  'x.y',
  'id.x',
];

/** Names that are addressed by path parameters of routes, beside ids that are learned. */
const names = {
  type: ['post', 'page', 'attachment', 'cms_block', 'nothing'],
  status: ['publish', 'draft', 'trash', 'nothing'],
  taxonomy: ['category', 'post_tag', 'cms_pattern_category', 'nothing'],
  user_id: ['me', '1', '2'],
  location: ['primary', 'nothing'],
  namespace: ['core', 'nothing'],
  name: ['core/paragraph', 'core/search', 'nothing'],
  slug: ['nothing'],
};

/**
 * @param routes  of a registry, in the neutral spelling
 * @param isLeftOut  path → whether its routes are not asked
 * @returns  `next()`: `{method, path, query, body, who}`; `learn(request, answer)` takes note of what has been made
 */
export function createRequests(routes, random, { isLeftOut = () => false } = {}) {
  const calls = routes
    .filter(({ path }) => !isLeftOut(path))
    .flatMap((route) => route.endpoints.flatMap((endpoint) => endpoint.methods.map((method) => ({ route, endpoint, method }))));
  const creates = calls.filter(({ method, route }) => method === 'POST' && collections.test(route.path));
  const main = calls.filter(({ route }) => collections.test(route.path.replace(/\/\(.*/, '')));
  const reads = calls.filter(({ method }) => method === 'GET');
  const known = new Map();
  return {
    next: ({ kind = 'any' } = {}) => request(random.pick({ any: random.chance(0.6) ? main : calls, reads, creates }[kind])),
    learn({ path, method }, { status, body }) {
      if (method !== 'POST' || status !== 201 || !Number.isInteger(body?.id)) return;
      const base = path.replace(/\?.*/, '');
      known.set(base, [...(known.get(base) ?? []).slice(-30), body.id]);
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
    const query = {};
    if (random.chance(0.15))
      query._fields = random.pick([
        members.slice(0, 1 + random.below(4)),
        random.pick(members),
        `${random.pick(members)}, id`,
        ',',
      ]);
    if (random.chance(0.1)) query._embed = random.pick(['', '1', 'author', 'false', 'up']);
    if (random.chance(0.06)) query._envelope = random.pick(['', '1', '0']);
    if (random.chance(0.15)) query.context = random.pick(['view', 'edit', 'embed', 'help']);
    const isQuery = method === 'GET' || method === 'DELETE';
    if (method === 'DELETE' && random.chance(0.5)) params.force = true;
    return {
      method: method === 'GET' && random.chance(0.03) ? 'HEAD' : method,
      path,
      query: isQuery ? { ...query, ...params } : query,
      body: isQuery ? undefined : params,
      who: random.pick(['admin', 'admin', 'admin', 'editor', 'author', 'contributor', 'subscriber', 'visitor']),
    };
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
      return random.pick(['1', '2', '3', '4', '5', '99999999']);
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
    if (format === 'uri') return random.pick(['http://example.org/a', '/rel', '#x', 'javascript:x']);
    if (name === 'username') return `user${random.below(80)}`;
    if (name === 'password') return random.pick(['', 'secret', '0']);
    if (['slug', 'name', 'search', 'title'].includes(name) || random.chance(0.4))
      return Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(random.pick([' ', '-']));
    return random.pick(texts);
  }
}

/** A query as clients write it: lists with brackets. */
export function printQuery(query) {
  const pairs = [];
  const walk = (name, value) => {
    if (Array.isArray(value)) for (const one of value) walk(`${name}[]`, one);
    else if (value !== null && typeof value === 'object')
      for (const [key, one] of Object.entries(value)) walk(`${name}[${key}]`, one);
    else pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value === null ? '' : String(value))}`);
  };
  for (const [name, value] of Object.entries(query)) walk(name, value);
  return pairs.join('&');
}
