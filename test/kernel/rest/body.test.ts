import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { RestError } from '../../../src/kernel/errors.ts';
import { BodyError } from '../../../src/kernel/rest/body-error.ts';
import { dropFiles, isFile, largeBytes, readBody } from '../../../src/kernel/rest/body.ts';
import { defaultLimits } from '../../../src/kernel/rest/body-limits.ts';
import type { Upload } from '../../../src/kernel/rest/request.ts';

const folder = mkdtempSync(join(tmpdir(), 'cms-spool-'));
let files = 0;
const spool = () => join(folder, String(files++));
afterAll(() => rmSync(folder, { recursive: true }));

const part = (head: string, body: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const multipart = 'multipart/form-data; boundary=x';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (text: string) => readBody(bytes(text), 'application/json; charset=utf-8');

describe('JSON', () => {
  it.each([
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['[1,2]', undefined],
    ['"text"', undefined],
    ['null', undefined],
    [' {} ', {}],
  ])('accepts %s', async (text, expected) => {
    expect((await json(text)).json).toEqual(expected);
  });

  it('may be an empty body', async () => {
    expect(await readBody(new Uint8Array(), 'application/json')).toEqual({ raw: new Uint8Array() });
    expect(await readBody(null, null)).toEqual({ raw: new Uint8Array() });
  });

  it.each<[string, string | Uint8Array, number]>([
    ['cut off', '{"title": ', 4],
    ['no quotes', '{x}', 4],
    ['an open brace', '{', 4],
    ['a BOM', '\uFEFF{}', 4],
    ['an open text', '{"a":"b', 3],
    ['a line break in a text', '{"a":"b\n"}', 3],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 5],
    ['half a surrogate pair', '{"a":"\\ud800"}', 10],
    ['half a surrogate pair in a name', '{"\\udc00":1}', 10],
    ['too deep', `{"a":${'['.repeat(128)}${']'.repeat(128)}}`, 1],
    ['far too deep', '['.repeat(100_000) + ']'.repeat(100_000), 1],
  ])('rejects %s', async (_, text, code) => {
    const error = await readBody(typeof text === 'string' ? bytes(text) : text, 'application/json').catch((caught) => caught);
    expect(error).toBeInstanceOf(RestError);
    expect(error.code).toBe('rest_invalid_json');
    expect(error.data).toEqual({ status: 400, json_error_code: code, json_error_message: expect.stringMatching(/./) });
  });

  it('drops unsafe names at any depth', async () => {
    const read = (await json('{"__proto__":{"x":1},"a":[{"__proto__":{"x":1},"constructor":1,"b":"\\u0041"}]}')).json as {
      a: [{ b: string }];
    };
    expect(Object.keys(read)).toEqual(['a']);
    expect(Object.keys(read.a[0])).toEqual(['b']);
    expect(read.a[0].b).toBe('A');
  });

  it.each([
    ['application/json', true],
    ['Application/JSON;charset=utf-8', true],
    ['application/merge-patch+json', true],
    ['text/json', false],
    ['application/jsonp', false],
    [null, false],
  ])('%s is JSON: %s', async (type, expected) => {
    expect('json' in (await readBody(bytes('{}'), type))).toBe(expected);
  });
});

describe('forms', () => {
  it('accept url-encoded fields', async () => {
    expect((await readBody(bytes('title=A+b&tags[]=1&tags[]=2'), 'application/x-www-form-urlencoded')).form).toEqual({
      title: 'A b',
      tags: ['1', '2'],
    });
  });

  it('accept fields and files', async () => {
    const text = `${part('name="title"', 'Grün')}${part('name="meta[a]"', '1')}${part('name="file"; filename="ä b.jpg"\r\nContent-Type: image/jpeg', 'JPEG')}${part('name="none"; filename=""\r\nContent-Type: application/octet-stream', '')}--x--\r\n`;
    const body = await readBody(
      Readable.from([bytes(text.slice(0, 40)), bytes(text.slice(40))]),
      multipart,
      defaultLimits,
      spool,
    );
    expect(body.form).toEqual({ title: 'Grün', meta: { a: '1' } });
    expect(body.files).toEqual([{ name: 'file', filename: 'ä b.jpg', type: 'image/jpeg', file: expect.any(String), size: 4 }]);
    expect(readFileSync(body.files?.[0]?.file as string, 'utf8')).toBe('JPEG');
    expect(body.raw.length).toBe(0);
    await dropFiles(body);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['cut off', part('name="file"; filename="a.jpg"', 'JPEG').slice(0, -2), multipart],
    ['without a boundary', 'x', 'multipart/form-data'],
  ])('reject a form %s', async (_, text, type) => {
    const error = await readBody(bytes(text), type, defaultLimits, spool).catch((caught) => caught);
    expect(error).toBeInstanceOf(BodyError);
    expect(error.status).toBe(400);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it.each([
  ['in a file', part('name="file"; filename="a.jpg"', 'JPEG').slice(0, -4)],
  ['in a field', part('name="a"', 'x').slice(0, -4)],
  ['between parts', part('name="file"; filename="a.jpg"', 'JPEG')],
])('a client that disconnects %s leaves nothing behind', async (_, text) => {
  async function* leaving() {
    yield bytes(text);
    throw new Error('aborted');
  }
  await expect(readBody(leaving(), multipart, defaultLimits, spool)).rejects.toThrow('aborted');
  expect(readdirSync(folder)).toEqual([]);
});

it('only bodies that are neither JSON nor forms are files', () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'image/png', null];
  expect(types.map(isFile)).toEqual([false, false, false, true, true]);
});

describe('other bodies', () => {
  it('are written to disk', async () => {
    const { upload } = await readBody(bytes('JPEG'), 'image/jpeg', defaultLimits, spool);
    expect(upload).toMatchObject({ type: 'image/jpeg', size: 4 });
    expect(readFileSync(upload?.file as string, 'utf8')).toBe('JPEG');
    await dropFiles({ upload: upload as Upload });
  });

  it('are discarded where uploads are not allowed', async () => {
    expect(await readBody(bytes('JPEG'), 'image/jpeg')).toEqual({ raw: new Uint8Array() });
  });

  it.each([
    ['a file', 'image/png', '12345'],
    ['a part of a form', multipart, `${part('name="file"; filename="a.jpg"', '12345')}--x--\r\n`],
  ])('leave nothing behind when %s is too large', async (_, type, text) => {
    const error = await readBody(
      Readable.from([bytes(text.slice(0, 3)), bytes(text.slice(3))]),
      type,
      { ...defaultLimits, maxUploadBytes: 4 },
      spool,
    ).catch((caught) => caught);
    expect(error).toBeInstanceOf(BodyError);
    expect(error.status).toBe(413);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it.each([
  ['at once', bytes('12345')],
  ['in pieces', Readable.from([bytes('123'), bytes('45')])],
])('rejects too many bytes %s', async (_, input) => {
  const error = await readBody(input, 'application/json', { ...defaultLimits, maxBytes: 4 }).catch((caught) => caught);
  expect(error).toBeInstanceOf(BodyError);
  expect(error.status).toBe(413);
});

it.each([
  ['more values than are allowed', 'application/json', '[1,2,[],{"a":1}]'],
  ['more fields than are allowed', 'application/x-www-form-urlencoded', 'a=1&b=2&c=3&d'],
  ['a name that is too long', 'application/x-www-form-urlencoded', `a=1&${'b'.repeat(5000)}=2`],
  ['more parts than are allowed', multipart, `${part('name="a"', '1').repeat(4)}--x--\r\n`],
])('rejects %s', async (_, type, text) => {
  const limits = { ...defaultLimits, maxValues: 5, maxFields: 3 };
  await expect(readBody(bytes(text), type, limits)).rejects.toMatchObject({ status: 413 });
});

it.each([
  ['as many values as are allowed', 'application/json', '{"a":[1,"x,[{\\",\\\\"],"b":2}', { a: [1, 'x,[{",\\'], b: 2 }],
  ['as many fields as are allowed', 'application/x-www-form-urlencoded', 'a=1&b=2&c=x=y', { a: '1', b: '2', c: 'x=y' }],
])('accepts %s', async (_, type, text, expected) => {
  const { json, form } = await readBody(bytes(text), type, { ...defaultLimits, maxValues: 6, maxFields: 3 });
  expect(json ?? form).toEqual(expected);
});

it.each([
  ['JSON', 'application/json', '{"a":{"b":[{"c":1}]}}'],
  ['a form', 'application/x-www-form-urlencoded', 'a[b][][c]=1&a[b][][d]=1'],
])('creates objects without a prototype from %s', async (_, type, text) => {
  const { json, form } = await readBody(bytes(text), type);
  const a = (json ?? form)?.a as { b: object[] };
  for (const one of [json ?? form, a, a.b[0]]) expect(Object.getPrototypeOf(one)).toBeNull();
});

it('reserves memory for a body, and waits its turn for a large one', async () => {
  const said: (number | 'turn')[] = [];
  const claim = { take: (size: number) => void said.push(size), turn: async () => void said.push('turn') };
  await readBody(bytes('{"a":1}'), 'application/json', defaultLimits, null, claim);
  await readBody(bytes(' '.repeat(largeBytes)), 'application/json', defaultLimits, null, claim).catch(() => undefined);
  await readBody(bytes(`"${'a'.repeat(largeBytes)}"`), 'application/json', defaultLimits, null, claim);
  await readBody(bytes(`${part('name="a"', '12345')}--x--\r\n`), multipart, defaultLimits, null, claim);
  expect(said).toEqual([7, largeBytes, largeBytes + 2, 'turn', 6]);
});
