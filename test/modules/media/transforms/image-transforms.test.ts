/** Pictures in other sizes on demand: who may ask for which, what comes, and what hostile addresses and files come to. */
import { createHmac } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signed } from '../../../../src/modules/media/transforms/index.ts';
import { run } from '../../../cli/run.ts';
import { askPlainly } from '../../../support/plain-http.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const at = '/uploads/2026/03';
let site: TestSite;
let key: string;

const ask = (path: string, headers: Record<string, string> = {}) => askPlainly(site.url + path, headers);
const sign = (path: string) => signed(site.url + path, key).slice(site.url.length);
const shape = async (bytes: Uint8Array) => {
  const { format, width, height, orientation, exif, compression } = await sharp(bytes).metadata();
  return { format: compression === 'av1' ? 'avif' : format, width, height, turned: orientation ?? 1, exif: exif !== undefined };
};

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;

/** A picture left red and right blue, so that it tells which side is up. */
async function halves(width: number, height: number, orientation?: number): Promise<Buffer> {
  const half = await sharp({ create: { width: width / 2, height, channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  const whole = sharp({ create: { width, height, channels: 3, background: '#00f' } }).composite([
    { input: half, left: 0, top: 0 },
  ]);
  return (orientation ? whole.withMetadata({ orientation }) : whole).jpeg().toBuffer();
}

/** A PNG that says it is 30,000 pixels wide and high, in a few kilobytes. */
function bomb(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(8 + data.length + 4);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), 8 + data.length);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(30_000, 0);
  head.writeUInt32BE(30_000, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(2_000_000));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

beforeAll(async () => {
  site = await startSite({
    files: {
      'site.yaml': 'name: Example\ntimezone: UTC\nimages: {signed: true, allow: [320, 400x300], cache: 1}\n',
      'media/2026/03/notes.txt': 'Notes',
      'media/2026/03/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>',
    },
  });
  const lengths = new Map<string, number>();
  const put = (name: string, bytes: Uint8Array) => {
    lengths.set(name, bytes.length);
    return writeFile(join(site.dir, 'media/2026/03', name), bytes);
  };
  const moving = await sharp(Buffer.alloc(40 * 40 * 2 * 3, 90), {
    raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } as never,
  })
    .gif({ loop: 0 })
    .toBuffer();
  await put('wide.jpg', await halves(800, 400));
  await put('turned.jpg', await halves(800, 400, 6));
  await put(
    'clear.png',
    await sharp({ create: { width: 500, height: 500, channels: 4, background: '#0f08' } })
      .png()
      .toBuffer(),
  );
  await put('moving.gif', moving);
  const sound = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#123', noise } })
    .png()
    .toBuffer();
  await put('broken.png', Buffer.concat([sound.subarray(0, sound.length / 2), Buffer.alloc(2000, 0x55)]));
  await put('bomb.png', bomb());
  key = (await run(['images', 'key', site.dir])).out.trim();
  for (const [name, length] of lengths) await until(async () => (await ask(`${at}/${name}`)).bytes.length === length);
});
afterAll(() => site.close());

describe('a listed image size', () => {
  it.each([
    ['w=320', { format: 'jpeg', width: 320, height: 160 }],
    ['w=320&format=webp', { format: 'webp', width: 320, height: 160 }],
    ['w=320&format=avif', { format: 'avif', width: 320, height: 160 }],
    ['w=320&format=png', { format: 'png', width: 320, height: 160 }],
    ['w=400&h=300&fit=cover', { format: 'jpeg', width: 400, height: 300 }],
    ['w=400&h=300', { format: 'jpeg', width: 400, height: 200 }],
    ['w=400&h=300&fit=contain', { format: 'jpeg', width: 400, height: 300 }],
  ])('needs no signature: %s', async (query, wanted) => {
    const answer = await ask(`${at}/wide.jpg?${query}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, `image/${wanted.format}`]);
    expect(await shape(answer.bytes)).toEqual({ ...wanted, turned: 1, exif: false });
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect((await ask(`${at}/wide.jpg?${query}`, { 'if-none-match': String(answer.headers.etag) })).status).toBe(304);
    expect((await ask(`${at}/wide.jpg?${query}`, { range: 'bytes=0-9' })).bytes.length).toBe(10);
  });

  it.each(['w=321', 'w=320&h=300', 'h=320', 'w=320&q=70', 'format=webp', 'w=300&h=400'])(
    'is the only kind without a signature: %s',
    async (query) => {
      const answer = await ask(`${at}/wide.jpg?${query}`);
      expect([answer.status, answer.headers['cache-control']]).toEqual([403, 'no-store']);
      expect(answer.text).toContain('signature');
    },
  );
});

describe('a signed image URL', () => {
  it.each([
    ['w=200&h=100&fit=cover&q=30', { format: 'jpeg', width: 200, height: 100 }],
    ['h=100', { format: 'jpeg', width: 200, height: 100 }],
    ['format=webp', { format: 'webp', width: 800, height: 400 }],
    // Nothing is enlarged.
    ['w=4096', { format: 'jpeg', width: 800, height: 400 }],
  ])('can have any size: %s', async (query, wanted) => {
    const answer = await ask(sign(`${at}/wide.jpg?${query}`));
    expect(answer.status).toBe(200);
    expect(await shape(answer.bytes)).toMatchObject(wanted);
  });

  it('is valid only for that URL, whatever the order of parameters', async () => {
    const address = sign(`${at}/wide.jpg?w=210&q=40`);
    const signature = new URL(site.url + address).searchParams.get('s');
    expect((await ask(`${at}/wide.jpg?s=${signature}&q=40&w=210`)).status).toBe(200);
    for (const other of [
      address.replace('w=210', 'w=211'),
      address.replace('wide.jpg', 'turned.jpg'),
      address.replace(/s=[^&]*/, 's='),
      address.replace(/s=[^&]*/, 's=AAAA'),
      address.replace(/s=([^&]*)/, 's=$1A'),
      `${at}/wide.jpg?w=210&q=40`,
      signed(`${site.url}${at}/wide.jpg?w=210&q=40`, 'another key').slice(site.url.length),
    ])
      expect([other, (await ask(other)).status]).toEqual([other, 403]);
  });

  it('can be created by `cms images sign` and by the documented recipe', async () => {
    const address = `${site.url}${at}/wide.jpg?w=222&format=webp`;
    expect((await run(['images', 'sign', '--dir', site.dir, address])).out.trim()).toBe(signed(address, key));
    const set = (await run(['images', 'sign', '--dir', site.dir, '--widths', '100,200', `${site.url}${at}/wide.jpg`])).out.trim();
    expect(set).toBe([100, 200].map((width) => `${signed(`${site.url}${at}/wide.jpg?w=${width}`, key)} ${width}w`).join(', '));
    expect((await run(['images', 'sign', '--dir', site.dir, 'cat.jpg'])).status).toBe(2);
    expect((await run(['images', 'sign', '--dir', site.dir, '--widths', 'all', address])).status).toBe(2);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect((await run(['images', 'key', site.dir])).out.trim()).toBe(key);
    // The page's own lines.
    const page = await readFile(join(import.meta.dirname, '../../../../docs/front-ends.md'), 'utf8');
    const [, recipe = ''] = /```js\n(import \{ createHmac \}[\s\S]*?)```/.exec(page) ?? [];
    const body = recipe.replace(/^import .*$/gm, '').replace('export function', 'return function');
    const own = new Function('createHmac', body)(createHmac) as (address: string, key: string) => string;
    expect(own(address, key)).toBe(signed(address, key));
  });
});

describe('a transformed image', () => {
  it('is upright, without metadata', async () => {
    const answer = await ask(`${at}/turned.jpg?w=320`);
    expect(await shape(answer.bytes)).toEqual({ format: 'jpeg', width: 320, height: 640, turned: 1, exif: false });
    const { data } = await sharp(answer.bytes).raw().toBuffer({ resolveWithObject: true });
    // Red was left: turned to the right, it is above.
    expect((data[0] as number) > (data[2] as number)).toBe(true);
  });

  it('has the format that the client accepts, with Vary', async () => {
    const format = async (accept?: string) => {
      const answer = await ask(`${at}/clear.png?w=320&format=auto`, accept === undefined ? {} : { accept });
      return [answer.headers['content-type'], answer.headers.vary];
    };
    expect(await format('image/avif,image/webp,*/*')).toEqual(['image/avif', 'Accept']);
    expect(await format('image/webp,*/*')).toEqual(['image/webp', 'Accept']);
    expect(await format('image/avif;q=0, image/webp;q=0.1')).toEqual(['image/webp', 'Accept']);
    expect(await format('*/*')).toEqual(['image/png', 'Accept']);
    expect(await format()).toEqual(['image/png', 'Accept']);
    const { channels } = await sharp((await ask(`${at}/clear.png?w=320&format=webp`)).bytes).metadata();
    expect(channels).toBe(4);
  });

  it.each(['moving.gif', 'drawing.svg', 'notes.txt'])('that is not an image, or animated, is unchanged: %s', async (name) => {
    const whole = await ask(`${at}/${name}`);
    const answer = await ask(`${at}/${name}?w=320`);
    expect([answer.status, answer.bytes.equals(whole.bytes), answer.headers.etag]).toEqual([200, true, whole.headers.etag]);
  });

  it('of a derived size is created from that size', async () => {
    const answer = await ask(`${at}/wide-300x150.jpg?w=320`);
    expect([answer.status, await shape(answer.bytes)]).toMatchObject([200, { width: 300, height: 150 }]);
  });
});

describe('an image URL', () => {
  it.each([
    'w=0',
    'w=-320',
    'w=3.2',
    'w=1e2',
    'w=0x10',
    'w=',
    'w=%20320',
    'w=5000',
    'w=99999999999999999999',
    'w=320&h=NaN',
    'w=320&w=320',
    'w=320&x=1',
    'w=320&fit=stretch',
    'w=320&fit=cover',
    'w=320&format=gif',
    'w=320&format=svg',
    'w=320&format=../../etc',
    'w=320&q=0',
    'w=320&q=101',
    'w=320&q=high',
  ])('that is invalid is refused: %s', async (query) => {
    const answer = await ask(`${at}/wide.jpg?${query}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'text/plain; charset=UTF-8']);
  });

  it('that is too long is refused', async () => {
    for (const query of [`w=320&format=${'a'.repeat(500)}`, `w=320${'&w=320'.repeat(2000)}`])
      expect((await ask(`${at}/wide.jpg?${query}`)).status).toBe(400);
  });

  it.each(['', '?', '?v=2', '?ver=6.9&x[]=1', '?w[]=320', '#w=320', '?s=abc'])(
    'without a size returns the file: %j',
    async (query) => {
      const answer = await ask(`${at}/wide.jpg${query}`);
      expect([answer.status, answer.headers['content-type'], (await shape(answer.bytes)).width]).toEqual([
        200,
        'image/jpeg',
        800,
      ]);
    },
  );

  it.each([
    '/uploads/../site.yaml?w=320',
    '/uploads/%2e%2e/site.yaml?w=320',
    '/uploads/..%2fsite.yaml?w=320',
    '/uploads/2026/03/%00wide.jpg?w=320',
    '/uploads/2026/03/wide.jpg%00?w=320',
    '/uploads/2026/03/.cms/private/images/key?w=320',
    '/uploads/2026/03/wide.jpg.yaml?w=320',
    '/uploads//etc/passwd?w=320',
    '/uploads/2026%5C03%5Cwide.jpg?w=320',
    '/uploads/nowhere.jpg?w=320',
  ])('outside the media is a 404: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe('a hostile image', () => {
  it.each(['bomb.png', 'broken.png'])('costs almost nothing, also when requested often: %s', async (name) => {
    const { user, system } = process.cpuUsage();
    const before = process.memoryUsage().rss;
    for (let asked = 0; asked < 30; asked++) expect((await ask(`${at}/${name}?w=320`)).status).toBe(422);
    const used = process.cpuUsage();
    expect((used.user + used.system - user - system) / 1000).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});

describe('many image requests', () => {
  it('create each image once, and are refused when there are too many', async () => {
    const same = await Promise.all(Array.from({ length: 20 }, () => ask(sign(`${at}/wide.jpg?w=230`))));
    expect(new Set(same.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at2) => ask(sign(`${at}/wide.jpg?w=${240 + at2}&format=avif`))),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
    const late = answers.find(({ status }) => status === 503);
    expect([late?.headers['retry-after'], late?.headers['cache-control']]).toEqual(['2', 'no-store']);
    // And are served when the others are done.
    expect((await ask(sign(`${at}/wide.jpg?w=299&format=avif`))).status).toBe(200);
  });

  it('with different spellings share one image', async () => {
    const names = async () => (await readdir(join(site.dir, '.cms/cache/transformed'))).sort();
    await ask(`${at}/wide.jpg?w=320`);
    const before = await names();
    for (const path of [
      '%77ide.jpg?w=320',
      'w%69de.jpg?w=320',
      'wide.jpg?fit=inside&w=320',
      'wide.jpg?w=320&s=x',
      'wide.jpg?w=320&format=jpeg',
    ])
      expect((await ask(`${at}/${path}`)).status).toBe(200);
    expect(await names()).toEqual(before);
  });

  it('use no more disk than the site allows', async () => {
    const folder = join(site.dir, '.cms/cache/transformed');
    const sizes = async () => (await readdir(folder)).map((name) => Number(name.replace(/^.*-/, '')));
    const noisy = await sharp({
      create: { width: 800, height: 800, channels: 3, background: '#888', noise },
    })
      .png()
      .toBuffer();
    await writeFile(join(site.dir, 'media/2026/03/noise.png'), noisy);
    await until(async () => (await ask(`${at}/noise.png`)).bytes.length === noisy.length);
    for (let width = 300; width < 306; width++) expect((await ask(sign(`${at}/noise.png?w=${width}`))).status).toBe(200);
    const kept = await sizes();
    expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1024 * 1024);
    expect(kept.length).toBeGreaterThan(1);
    // The last one is there still, the first one is made again.
    const again = await ask(sign(`${at}/noise.png?w=305`));
    expect([again.status, (await sizes()).length]).toEqual([200, kept.length]);
    expect((await ask(sign(`${at}/noise.png?w=300`))).status).toBe(200);
  });
});

it('image transforms are disabled by default', async () => {
  const plain = await startSite();
  try {
    await plain.write('media/2026/03/notes.txt', 'Notes');
    await writeFile(join(plain.dir, 'media/2026/03/cat.jpg'), await halves(800, 400));
    const answer = await until(async () => {
      const answer = await askPlainly(`${plain.url}${at}/cat.jpg?w=320`);
      return answer.status === 200 && answer.bytes.length > 0 ? answer : null;
    });
    expect((await shape(answer.bytes)).width).toBe(800);
    expect((await askPlainly(`${plain.url}${at}/cat.jpg?w=-1`)).status).toBe(200);
  } finally {
    await plain.close();
  }
});
