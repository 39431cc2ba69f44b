/** What people are told of values that are wrong, in files and in requests: what they did, where and what to do, in no parser's words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';
import { findings, sound } from './findings.ts';

/** What nobody who writes has to know: words of parsers, of the program and of its language. */
const internal =
  /\[object|undefined|\bNaN\b|\b(?:Type|Syntax|Range|Yaml|Toml|Rest)(?:Error|Fault)\b|YAML(?:Map|Seq|Parse)|\b(?:scalar|token|node|flow|implicit|mappings?|anchor|indicator|directive|prototype|unresolved)\b|-(?:seq|map)-|at \S+:\d+:\d+|\.[jt]s\b|Cannot read|is not a function|not iterable/i;

/** Front matter that cannot be read → what is said of it. */
const unreadable: readonly (readonly [front: string, message: RegExp])[] = [
  ['title: !e!x b', /[Tt]he tag `!e!x` is unknown here/],
  ['title: !x !y b', /two tags/],
  ['title: &x &y b', /two names/],
  ['title: *x', /No `&x` stands before/],
  ['title: &x [*x]', /stands inside/],
  ['title: [b', /bracket is not closed/],
  ['title: {b: 1', /bracket is not closed/],
  ['title: ]', /bracket is closed that was not opened/],
  ['title: "b', /quotation mark is not closed/],
  ["title: 'it's'", /More text stands behind/],
  ['title: "He said "hi""', /More text stands behind/],
  ['title: A: B', /second `key: value`/],
  ['title: @b', /begins with @/],
  ['title: %b', /begins with %/],
  ['title: `b`', /begins with `/],
  ['title: - b', /list begins on the line of its key/],
  ['title: "\\q"', /\\q means nothing/],
  ['title: |x\n b', /behind `\|`/],
  ['title: [a,, b]', /comma stands/],
  ['title: [a: b: c]', /inside brackets/],
  ['title: {{ name }}', /key must be plain text/],
  ['\ttitle: b', /indented with a tab/],
  ['tags:\n - b\n  - c\n- d', /another column/],
  ['title\ndate: b', /no colon behind its key/],
  ['title', /`key: value` lines/],
  ['%FOO\ntitle: b', /begins with %|`key: value`|no colon/],
  ['__proto__: 1', /cannot be a key/],
  [`${'k'.repeat(1100)}: v`, /more than 1024/],
];
const unreadableToml: readonly (readonly [front: string, message: RegExp])[] = [
  ['title = b', /not one of TOML/],
  ['title = "b', /quotation mark is not closed/],
  ['title: b', /not `key = value`/],
  ['title = [1', /bracket is not closed/],
  ['title = 1\ntitle = 2', /a second time/],
  ['date = 1979-13-01', /date is not one/],
  ['title = 1 2', /More text stands behind/],
  ['id = 99999999999999999999', /too large/],
  ['title = "\\q"', /backslash/],
];
const unreadableJson: readonly (readonly [front: string, message: RegExp])[] = [
  ['{"title":', /ends too early/],
  ['{"title": 1,}', /"}" is not expected/],
  ["{'title': 1}", /"'" is not expected/],
];
const fences = { yaml: ['---', '---'], toml: ['+++', '+++'], json: ['---json', '---'] } as const;
const texts = (
  [
    ['yaml', unreadable],
    ['toml', unreadableToml],
    ['json', unreadableJson],
  ] as const
).flatMap(([language, rows]) =>
  rows.map(
    ([front, message]) => [language, front, message, `${fences[language][0]}\n${front}\n${fences[language][1]}\nText\n`] as const,
  ),
);

/** Shapes that a key may have in a file, or a parameter in a request. */
const shapes: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, 1e300, '', ' ', 'x', '\u0000', 'a'.repeat(300), '2026-13-99', '__proto__'],
  ...[
    [],
    [[]],
    [null],
    ['a', { b: 'c' }],
    [[['a']]],
    {},
    { a: 'b' },
    { raw: { a: 1 } },
    { rendered: [1] },
    { a: { b: { c: [] } } },
  ],
];
const keys =
  'id title slug status date modified author categories tags parent order template format sticky comments pings password excerpt featured_media aliases meta fields seo lang translations redirect name description locations items alt caption url roles email timezone permalink taxonomies types menu_locations posts_per_page language draft';

describe('a file that cannot be read', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({});
  });
  afterAll(() => site.close());

  it.each(texts)('in %s: %s', async (language, _, message, text) => {
    const path = 'posts/wrong.md';
    await site.write(path, text);
    await site.site.ingest(await site.site.store.sweep());
    const found = await site.site.checkFile(site.site, path);
    expect(found).toMatchObject([{ severity: 'error' }]);
    for (const { message: said, hint } of found) {
      expect(said).toMatch(message);
      expect(`${said} ${hint ?? ''}`).not.toMatch(internal);
      if (!said.includes('__proto__')) expect([said, hint]).toEqual([said, expect.stringMatching(/\w/)]);
    }
    // An agent that sends the same is told the same.
    const body = { input: { type: 'post', file: text } };
    const run = await site.ask('POST', '/cms-abilities/v1/abilities/cms/create/run', { as: 'admin', body });
    expect([run.status, run.body.message]).toEqual([400, expect.stringMatching(message)]);
    expect(run.body.message).not.toMatch(internal);
    void language;
  });
});

it.each(Object.keys(sound).filter((path) => /\.(?:md|html|yaml)$/.test(path)))('a value of any shape in %s', async (path) => {
  const text = sound[path] as string;
  const isWhole = path.endsWith('.yaml');
  for (const key of keys.split(' '))
    for (const shape of shapes) {
      const line = `${key}: ${JSON.stringify(shape)}`;
      const others = text.replace(new RegExp(`^${key}:.*\\n(?: .*\\n|- .*\\n)*`, 'm'), '');
      const wrong = isWhole ? `${others}${line}\n` : others.replace('---\n', `---\n${line}\n`);
      const found = await findings({ ...sound, [path]: wrong });
      for (const { message, hint } of found)
        expect([path, line, `${message} ${hint ?? ''}`.replaceAll(JSON.stringify(shape), '')]).toEqual([
          path,
          line,
          expect.not.stringMatching(internal),
        ]);
    }
});

describe('a request with a value of any shape', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      files: {
        'site.yaml': 'name: Quay\ndeployment: extended\n',
        'posts/one.md': '---\nid: 50\ntitle: One\n---\nText\n',
        'terms/category/low.yaml': 'id: 51\nname: Low\n',
        'menus/main.yaml': 'id: 52\nname: Main\nitems:\n  - { id: 53, title: One, post: one }\n',
        'comments/50/1.html': '---\nid: 1\nname: Ben\n---\nYes\n',
      },
    });
    await signUp(site, 'ida', 'author');
  });
  afterAll(() => site.close());

  it.each([
    ...[
      'posts/50',
      'posts',
      'posts/50/autosaves',
      'categories/51',
      'tags',
      'menus/52',
      'menu-items/53',
      'comments/1',
      'comments',
    ],
    ...['users/2', 'settings'],
  ])('to %s is told what is wrong', async (route) => {
    const { body: options } = await site.ask('OPTIONS', `/cms/v2/${route}`, { as: 'admin' });
    const args: Record<string, unknown> = Object.assign(
      {},
      ...options.endpoints
        .filter(({ methods }: { methods: string[] }) => methods.includes('POST'))
        .map(({ args }: { args: object }) => args),
    );
    expect(Object.keys(args).length).toBeGreaterThan(2);
    for (const name of Object.keys(args))
      for (const shape of shapes) {
        const { status, body } = await site.ask('POST', `/cms/v2/${route}`, { as: 'admin', body: { [name]: shape } });
        // What WordPress has no status for is a 500 with its own code.
        expect([route, name, shape, body?.code]).not.toEqual([route, name, shape, 'internal_server_error']);
        if (status < 400) continue;
        const said = JSON.stringify([body.message, body.data?.params ?? '']);
        expect([name, JSON.stringify(shape), said]).toEqual([name, JSON.stringify(shape), expect.not.stringMatching(internal)]);
      }
  });
});
