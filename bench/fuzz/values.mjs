/** What random requests are made of: numbers by a seed, and values that are right, nearly right and wrong. */

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

export const words =
  'harbour river amber fjord lantern “quoted” Ünïcödé 日本 a<b AT&T 100% it’s 0 x--y e\u0301 ＦＵＬＬ İstanbul straße .hidden a.md CON'.split(
    ' ',
  );

export const texts = [
  '',
  ' ',
  '0',
  'Plain words here.',
  '<p>A <strong>strong</strong> word</p>',
  'One\n\nTwo -- three... "four"',
  '<!-- wp:paragraph -->\n<p>A block</p>\n<!-- /wp:paragraph -->',
  '<!-- wp:latest-posts /--><!-- wp:query {"query":{"inherit":false}} --><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --><!-- /wp:query -->',
  '<!-- wp:group --><div><!-- wp:paragraph --><p>not closed</p>',
  '<!-- wp:block {"ref":3} /--><!-- wp:gallery {"x" -->',
  '[gallery] [unknown a="b"]text[/unknown]',
  '[[gallery]] [audio src="a.mp3"] [caption width="10"]<img src="a.png"> c[/caption] [embed]http://example.org/v[/embed]',
  '<script>alert(1)</script><b>unclosed',
  '<a href="javascript:x" style="color:red;behavior:x" onclick=1>a</a><time datetime="2020">t</time>',
  'http://example.org/page',
  'A\n\nhttp://127.0.0.1:8080/?p=3\n\nB',
  '<!--more-->after',
  'one<!--nextpage-->two',
  // Whatever could be taken for what a file is made of.
  '---\ntitle: not mine\n---\n',
  'a: b\n- c\n# d\n? e\n"f\'',
  '\r\nline\rends\r\n\r\n',
  '\ufeffmarked',
  '\ttabs\t and  blanks  ',
  'nul\0bell\x07esc\x1b',
  'half \ud83d a pair',
  '|\n >-\n !!js/function x\n &a *a\n %YAML',
  '{{ template }} <?php echo 1 ?> {% raw %}',
  '\u202eback\u200bnothing\u2028line',
];

export const dates = [
  '2021-03-05T10:00:00',
  '2021-03-28T02:30:00',
  '2021-10-31T02:30:00Z',
  '2021-10-31T02:30:00',
  '2015-02-30T01:02:03+05:00',
  '2021-03-05T10:00:00.123Z',
  '2021-03-05T10:00:00-14:00',
  '2021-03-05 10:00:00',
  '2021-03-05T24:00:00',
  '2021-13-05T10:00:00',
  '2031-03-05T10:00:00',
  '1969-12-31T23:59:59',
  '9999-12-31T23:59:59',
  '0000-00-00T00:00:00',
  '2021-03-05',
  '',
  null,
];

const deep = (depth) => (depth === 0 ? 'end' : depth % 2 === 0 ? [deep(depth - 1)] : { deep: deep(depth - 1) });

export const strange = [
  '', ' ', '0', '-1', 'x', 'true', 'null', 'a,b', '1,2,x', ',', '1,,2', '%', '日本', '__proto__', 'constructor', 'toString', '../..', '/etc/passwd',
  'x'.repeat(300), 'é'.repeat(201), '1e3', '0x10', ' 1', '+1', '1.0', '1.5', '١', 'NaN', 'Infinity', '2147483648', '99999999999999999999',
  1e21, -0.5, 0.1, 0, 1, -1, 2147483647, 2147483648, 9007199254740991, null, true, false, [], {}, [[]], [null], ['x'], [0], [''], [1, '1', 1.0],
  { raw: {} }, { raw: 'x' }, { raw: null }, { x: 'y' }, { 0: 'a' }, { terms: [1] }, { terms: 'x' }, { operator: 'AND' }, deep(6), deep(70),
  '\0', 'a\nb', 'a\r\nb: c', "'", '"', '\\', '\ud800', '<b>', '&amp;', '?a=1&b', '#', 'core', 'post', 'any', 'me',
]; // biome-ignore format: a list

/** Members of answers that `_fields` may name. */
const members = [
  'id', 'slug', 'title', 'title.rendered', 'meta.footnotes', 'content.raw', 'name', 'nothing', '_links', '_links.self', '_embedded', 'x.y', 'id.x',
  'title.', '.title', '*', 'meta', 'guid', ' id', 'ID',
]; // biome-ignore format: a list

/** Parameters that every route takes. */
export function commonQuery(random) {
  const query = {};
  const put = (share, name, values) => {
    if (random.chance(share)) query[name] = typeof values === 'function' ? values() : random.pick(values);
  };
  put(0.15, '_fields', () => {
    const some = Array.from({ length: 1 + random.below(4) }, () => random.pick(members));
    return random.pick([some, some.join(','), some.join(', '), ',', '', [[]], { a: 'id' }]);
  });
  put(0.1, '_embed', ['', '1', 'author', 'false', 'up', 'author,up', ['author', 'replies'], 'wp:term', 'x,,author']);
  put(0.06, '_envelope', ['', '1', '0']);
  put(0.15, 'context', ['view', 'edit', 'embed', 'help', '', ['edit']]);
  put(0.02, '_locale', ['user', 'x']);
  put(0.02, '_pretty', ['', '1']);
  put(0.01, '_jsonp', ['call', 'a.b', 'a-b', '']);
  put(0.02, 'unknown', ['x', ['y']]);
  return query;
}
