/**
 * Whatever parser meets bytes from outside, none of them ends it: it reads them or refuses them in its own words, leaves what objects
 * inherit as it was, and makes no object that inherits anything.
 *
 * Inputs are right ones with random damage. A failure prints its seed and the damage that is left when it is made smaller; `FC_SEED=…`
 * draws others, and `FUZZ_INPUTS=1000000` draws so many in all, in place of some thousands. Then it says how far it is, and in the end what
 * was drawn, with the seed. Parts of a long run are shorter ones with seeds of their own.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestError } from '../../src/kernel/errors.ts';
import { readBody } from '../../src/kernel/rest/body.ts';
import { BodyError } from '../../src/kernel/rest/body-error.ts';
import { parseQuery } from '../../src/kernel/rest/params.ts';
import { parseEntry } from '../../src/kernel/yaml/codec.ts';
import { readAudioVideo } from '../../src/modules/media/files/audio-video.ts';
import { readImageMeta } from '../../src/modules/media/files/exif.ts';
import { PictureError, readPicture } from '../../src/modules/media/files/image.ts';
import { locationRanges } from '../../src/modules/media/files/location.ts';
import { sniff } from '../../src/modules/media/files/types.ts';
import { printManifest } from '../../src/transfer/archive/members.ts';
import { readMembers } from '../../src/transfer/archive/reading.ts';
import { SourceError } from '../../src/transfer/import/items.ts';
import { readMetaValue } from '../../src/transfer/sources/wxr/php-values.ts';
import { createReader } from '../../src/transfer/sources/wxr/reader.ts';
import { wxrFoot, wxrHead, wxrItem } from '../support/wxr.ts';

const inputs = Number(process.env.FUZZ_INPUTS ?? 4000);
const isLong = inputs > 20_000;
const seed = Number(process.env.FC_SEED ?? 20261121);
/** Shares of all inputs: what costs a file, or a decoder, gets fewer. */
const shares = { cheap: 1, dear: 0.1, file: 0.02 };
const allShares = 5 * shares.cheap + 5 * shares.dear + shares.file;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-bytes-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  if (isLong)
    say(
      `${drawn.total} inputs with seed ${seed} in ${Math.round(performance.now() / 1000)} s: ${drawn.refused} refused, none ended a parser`,
    );
});

/** Of all parsers together. */
const drawn = { total: 0, refused: 0 };
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const tokens = [
  ...[
    '---\n',
    '---js\n',
    '+++\n',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '&a;',
    '<',
    '>',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '&',
    '*a',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    '\0',
    '\r\n',
    '\n',
    '%00',
    '%',
    '[]=',
    '[__proto__][x]=1',
    '--x\r\n',
    '--x--',
    ';',
    '=',
    'filename*=',
  ],
  ...[
    '!!js/function x',
    '&a [*a]',
    '<<: *a',
    '1e999',
    '-0',
    '\ufeff',
    '\ud800',
    '日',
    'O:8:"stdClass":1:{',
    'a:1:{i:0;',
    '../',
    '/etc/passwd',
  ],
].map((text) => Buffer.from(text));

/** Damage: at a place, so many bytes give way to others. */
const damage = fc.array(
  fc.record({
    at: fc.nat({ max: 1_000_000 }),
    cut: fc.oneof(fc.constant(0), fc.nat({ max: 8 }), fc.nat({ max: 400 })),
    put: fc.oneof(fc.constantFrom(...tokens), fc.uint8Array({ maxLength: 6 })),
    times: fc.oneof(fc.constant(1), fc.nat({ max: 40 })),
  }),
  { minLength: 1, maxLength: 6 },
);

function damaged(whole: Buffer, harm: readonly { at: number; cut: number; put: Uint8Array; times: number }[]): Buffer {
  let bytes = whole;
  for (const { at, cut, put, times } of harm) {
    const place = at % (bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, place), ...Array.from({ length: times }, () => put), bytes.subarray(place + cut)]);
  }
  return bytes;
}

type Read = (bytes: Buffer) => unknown;
type Refusal = new (...args: never[]) => Error;

/** @param refusals  in which words it may refuse */
function survives(read: Read, samples: readonly (string | Buffer)[], refusals: readonly Refusal[], share: number): Promise<void> {
  const inherited = Object.getOwnPropertyNames(Object.prototype).join();
  const property = fc.asyncProperty(fc.constantFrom(...samples.map((one) => Buffer.from(one))), damage, async (whole, harm) => {
    if (++drawn.total % 10_000 === 0 && isLong) say(`${drawn.total} inputs, seed ${seed}: ${expect.getState().currentTestName}`);
    try {
      plain(await read(damaged(whole, harm)));
    } catch (error) {
      if (!refusals.some((refusal) => error instanceof refusal)) throw error;
      drawn.refused++;
    }
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(inherited);
  });
  return fc.assert(property, { seed, numRuns: Math.max(20, Math.ceil((inputs * share) / allShares)), endOnFailure: isLong });
}

/** Of what was read, nothing may inherit what the input said. */
function plain(value: unknown): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== null && prototype !== Object.prototype && prototype.constructor === Object)
    throw new Error('an object inherits what the input says');
  for (const one of Object.values(value)) plain(one);
}

const minutes = 60_000 * (isLong ? 240 : 5);

describe('damaged input', () => {
  it(
    'does not crash the front matter parser',
    () =>
      survives(
        (bytes) =>
          ['posts/a.md', 'posts/a.html', 'menus/a.yaml'].map((path) =>
            parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 }),
          ),
        [
          '---\ntitle: Hello\ndate: 2026-03-05T10:00:00\ntags: [a, b]\nmeta:\n  a: {b: "c"}\n  text: |\n    x\n---\nBody\n',
          'title: "x"\nitems:\n  - page: about\n    children:\n      - {url: /x, title: X}\n',
          '+++\ntitle = "x"\n[a]\nb = [1, 2]\n+++\nBody',
          '{"title": "x", "tags": ["a"]}\n\nBody',
        ],
        [],
        shares.cheap,
      ),
    minutes,
  );

  it(
    'does not crash the query and form parsers',
    () =>
      survives(
        async (bytes) => [parseQuery(bytes.toString('latin1')), await readBody(bytes, 'application/x-www-form-urlencoded')],
        [
          'per_page=10&categories[]=1&categories[]=2&_fields=id,title.rendered&meta[a][b]=1&search=%E6%97%A5',
          'a[b][c][d]=1&a[b][]=2&a=3',
        ],
        [BodyError, RestError],
        shares.cheap,
      ),
    minutes,
  );

  it(
    'does not crash the JSON parser',
    () =>
      survives(
        (bytes) => readBody(bytes, 'application/json'),
        [
          '{"title":{"raw":"x"},"tags":[1,2,{"a":null}],"n":-1.5e3,"s":"\\u65e5\\ud83d\\ude00"}',
          '{"a":[[[[[[]]]]]],"__proto__":{"x":1}}',
        ],
        [BodyError, RestError],
        shares.cheap,
      ),
    minutes,
  );

  it(
    'does not crash the multipart parser',
    () =>
      survives(
        (bytes) => readBody(bytes, 'multipart/form-data; boundary=x'),
        [
          '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nHello\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n' +
            'Content-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n\r\n--x--\r\n',
        ],
        [BodyError, RestError],
        shares.dear,
      ),
    minutes,
  );

  it.each([true, false])(
    'does not crash the WordPress export parser (resuming after a fault: %s)',
    (keepGoing) =>
      survives(
        (bytes) => {
          const reader = createReader({ source: 'x.xml', keepGoing, without: new Set() });
          const text = bytes.toString('utf8');
          const half = text.length >> 1;
          return [reader.write(text.slice(0, half)), reader.write(text.slice(half)), reader.end()].flat().length;
        },
        [[wxrHead(), wxrItem({ id: 7, title: 'One & <two>', content: 'a\r\nb ]]> <!-- wp:x -->' }), wxrFoot].join('')],
        [SourceError],
        shares.dear,
      ),
    minutes,
  );

  it(
    'does not crash the parser of serialized PHP values',
    () =>
      survives(
        (bytes) => readMetaValue(bytes.toString('latin1')),
        ['a:2:{i:0;s:1:"x";s:1:"k";a:1:{i:0;d:1.5;}}', 'O:8:"stdClass":1:{s:1:"a";b:1;}'],
        [],
        shares.cheap,
      ),
    minutes,
  );

  it(
    'does not crash the image and EXIF parsers',
    async () => {
      const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
      const jpeg = await picture
        .clone()
        .jpeg()
        .withExif({ IFD0: { Copyright: 'x' }, IFD3: { GPSLatitude: '1/1' } })
        .toBuffer();
      const files = [
        jpeg,
        await picture.clone().png().toBuffer(),
        await picture.clone().webp().toBuffer(),
        await picture.clone().gif().toBuffer(),
      ];
      const exif = (await sharp(jpeg).metadata()).exif as Buffer;
      await survives((bytes) => [sniff(bytes), readImageMeta(bytes, bytes), locationRanges(bytes)], [exif], [], shares.cheap);
      await survives(async (bytes) => [sniff(bytes), await readPicture(bytes)], files, [PictureError], shares.dear);
    },
    minutes,
  );

  it(
    'does not crash the audio and video parsers',
    () =>
      survives(
        async (bytes) => [
          await readAudioVideo(bytes, 'video/mp4'),
          await readAudioVideo(bytes, 'audio/wav'),
          await readAudioVideo(bytes, 'audio/mpeg'),
        ],
        [
          Buffer.concat([
            Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
            Buffer.from('\0\0\0\x10moov\0\0\0\x08mvhd', 'latin1'),
          ]),
          Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data\0\0\0\0', 'latin1'),
          Buffer.from('ID3\x03\0\0\0\0\0\x0fTIT2\0\0\0\x05\0\0\0Song\xff\xfb\x90\x64', 'latin1'),
        ],
        [],
        shares.dear,
      ),
    minutes,
  );

  it(
    'does not crash the archive readers',
    async () => {
      const tar = pack();
      const manifest = printManifest({ name: 'x', private: false, files: 1, folders: 0, bytes: 5 });
      tar.entry({ name: 'manifest.json' }, manifest);
      tar.entry({ name: 'content/posts/a.md' }, 'Hello');
      tar.finalize();
      const parts: Buffer[] = [];
      for await (const part of tar as AsyncIterable<Buffer>) parts.push(part);
      let number = 0;
      const read: Read = async (bytes) => {
        const file = join(folder, `${number++}.tar.gz`);
        await writeFile(file, gzipSync(bytes, { level: 1 }));
        await readMembers(file, {
          begin: () => undefined,
          async take({ path }, body) {
            if (/(?:^|\/)\.\.(?:\/|$)|^\/|\0/.test(path)) throw new Error(`a member leads out of the folder: ${path}`);
            for await (const _ of body);
          },
        });
      };
      await survives(read, [Buffer.concat(parts)], [SourceError], shares.file);
    },
    minutes,
  );
});
