/** Front matter in TOML and JSON: read as YAML is, and written back in the form that was found. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain } from '../../../src/kernel/model/plain.ts';
import { locate } from '../../../src/kernel/store/locate.ts';
import { parseEntry, printEntry } from '../../../src/kernel/yaml/codec.ts';

const path = 'posts/a.md';
const read = (text: string) => parseEntry(path, Buffer.from(text), { size: text.length, mtimeMs: 1 });
const entryOf = (text: string) => {
  const parsed = read(text);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return parsed.entry;
};
const print = (text: string, data: Record<string, unknown>, body?: string): string =>
  Buffer.from(
    printEntry(Buffer.from(text), {
      path,
      data,
      order: ['id', 'title', 'date', 'tags'],
      ...(body === undefined ? {} : { body }),
    }),
  ).toString();

const toml = `+++
# By hand.
title = 'Fog'   # the short one
date = 2026-03-05T10:00:00+01:00
tags = [
  "fog", # and mist
  "harbour",
]
weight = 3
ratio = 0.50
about.place = "pier"

[extra]
depth = 3
note = """
+ not a fence
"""
[[links]]
to = "a"
+++

Text.
`;
const json = `{
  "title": "Fog",
  "tags": ["fog", "harbour"],
  "extra": { "depth": 3 }
}

Text.
`;

describe('front matter in other languages', () => {
  it.each([
    ['TOML', toml, { weight: 3, ratio: '0.5', about: { place: 'pier' }, links: [{ to: 'a' }] }],
    ['JSON', json, { extra: { depth: 3 } }],
    ['TOML between dashes', '---toml\ntitle = "Fog"\ntags = ["fog", "harbour"]\n---\nText.\n', {}],
    ['JSON between dashes', '---json\n{"title": "Fog", "tags": ["fog", "harbour"]}\n---\nText.\n', {}],
    ['JSON between semicolons', ';;;\n{"title": "Fog", "tags": ["fog", "harbour"]}\n;;;\nText.\n', {}],
    ['CRLF', '\ufeff+++\r\ntitle = "Fog"\r\ntags = ["fog", "harbour"]\r\n+++\r\nText.\r\n', {}],
  ])('%s is supported', (_, text, more) => {
    const { data, body } = entryOf(text);
    expect({ data, body }).toMatchObject({ data: { title: 'Fog', tags: ['fog', 'harbour'], ...more }, body: 'Text.' });
  });

  it('dates stay strings as written', () => {
    expect(entryOf(toml).data.date).toBe('2026-03-05T10:00:00+01:00');
    expect(entryOf('+++\ndate = 2026-03-05\n+++\n').data.date).toBe('2026-03-05');
    expect(entryOf('+++\ndate = 2026-03-05 10:00:00\n+++\n').data.date).toBe('2026-03-05T10:00:00');
  });

  it.each<readonly [string, string, Record<string, unknown>, readonly (readonly [string, string])[]]>([
    ['a text in its quotes', toml, { title: 'Mist' }, [["title = 'Fog'", "title = 'Mist'"]]],
    ['a text that needs other quotes', toml, { title: "It's \n" }, [["title = 'Fog'", 'title = "It\'s \\n"']]],
    ['a date', toml, { date: plain('2026-03-06T10:00:00') }, [['2026-03-05T10:00:00+01:00', '2026-03-06T10:00:00']]],
    ['an item of a list', toml, { tags: ['fog', 'pier'] }, [['"fog", # and mist\n  "harbour"', '"fog",\n  "pier"']]],
    ['a new key, in its place', toml, { id: 7 }, [["title = 'Fog'", "id = 7\ntitle = 'Fog'"]]],
    ['a new key without a place', toml, { mood: 'calm' }, [['ratio = 0.50\n', 'ratio = 0.50\nmood = "calm"\n']]],
    ['a key that goes', toml, { weight: undefined }, [['weight = 3\n', '']]],
    ['a value in a table', toml, { extra: { depth: 4, note: '+ not a fence\n' } }, [['depth = 3', 'depth = 4']]],
    ['a table that goes', toml, { links: undefined }, [['[[links]]\nto = "a"\n', '']]],
    ['a member', json, { title: 'Mist' }, [['"Fog"', '"Mist"']]],
    ['a new member, in its place', json, { id: 7 }, [['"title"', '"id": 7,\n  "title"']]],
    ['a new member without a place', json, { mood: 'calm' }, [['{ "depth": 3 }', '{ "depth": 3 },\n  "mood": "calm"']]],
    ['the last member, which goes', json, { extra: undefined }, [[',\n  "extra": { "depth": 3 }', '']]],
    ['the first member, which goes', json, { title: undefined }, [['"title": "Fog",\n  ', '']]],
  ])('a change of %s changes nothing else', (_, text, data, replaced) => {
    const wanted = replaced.reduce((out, [from, to]) => out.replace(from, () => to), text);
    expect(wanted).not.toBe(text);
    expect(print(text, data)).toBe(wanted);
    expect(print(wanted, data)).toBe(wanted);
  });

  it('a body is replaced below it, whatever the language', () => {
    for (const text of [toml, json]) {
      const printed = print(text, {}, '\n+++\nNew');
      expect(printed.startsWith(text.replace(/\nText\.\n$/, ''))).toBe(true);
      expect(entryOf(printed)).toMatchObject({ body: '\n+++\nNew', data: entryOf(text).data });
    }
  });

  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z ."']{1,6}$/), fc.oneof(fc.string(), fc.integer()), { maxKeys: 3 }),
  );
  it.each([
    ['TOML', toml],
    ['JSON', json],
    ['JSON on one line', '{"title": "Fog"}\n'],
    ['an object in which nothing is left', '{"title": "Fog"}\nText\n'],
  ])('what is written into %s reads back, and other keys stay', (_, text) => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-zA-Z_é. -]{1,8}$/), value, { maxKeys: 4 }), (data) => {
        const { title: _title, ...rest } = entryOf(text).data;
        const after = entryOf(print(text, { title: undefined, ...data }));
        expect(after.data).toEqual({ ...rest, ...data });
        expect(after.body).toBe(entryOf(text).body);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['+++\ntitle = "x\n+++\n', 'toml-syntax', 2],
    ['+++\na = 1\na = 2\n+++\n', 'toml-syntax', 3],
    ['+++\ntitle = "x"\n', 'front-matter-unclosed', 1],
    ['{\n  "title": "x",\n}\n', 'json-syntax', 3],
    ['{"title": "x"\n', 'front-matter-unclosed', 1],
    ['---json\n[1, 2\n---\n', 'json-syntax', 3],
    ['{"__proto__": {"a": 1}}\n', 'yaml-key', 1],
    ['+++\n"__proto__" = 1\n+++\n', 'yaml-key', 2],
  ])('%j is an error with a line', (text, rule, line) => {
    expect(read(text)).toMatchObject({ problem: { rule, line } });
  });

  it('positions of values are found', async () => {
    const at = (text: string, ...keys: (string | number)[]) =>
      locate([{ path, keys, severity: 'error', rule: 'rule', message: 'M.' }], async () => Buffer.from(text));
    expect(await at(toml, 'date')).toMatchObject([{ line: 4, column: 8 }]);
    expect(await at(json, 'tags', 1)).toMatchObject([{ line: 3, column: 19 }]);
  });

  it('a megabyte of braces, quotes or lines is fast', () => {
    const { user, system } = process.cpuUsage();
    for (const part of ['{"a":', '[[a]]\n', 'a."b".c=1\n', '"""', '[', '\\']) {
      read(`+++\n${part.repeat(1_000_000 / part.length)}\n+++\n`);
      read(`{"a": ${part.repeat(1_000_000 / part.length)}`);
    }
    const spent = process.cpuUsage({ user, system });
    expect((spent.user + spent.system) / 1000).toBeLessThan(10_000);
  });
});
