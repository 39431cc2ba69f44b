/** A link that comes on the way to a media file while it is being read: nothing of what it leads to is given out or kept. */
import { failDisk, real } from '../support/disk-faults.ts';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { askPlainly } from '../support/plain-http.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

const at = '/uploads/2026/03';
const secretText = 'secret';
let site: TestSite;
let outside: string;
let end = (): void => undefined;

const plain = (background: string) =>
  sharp({ create: { width: 800, height: 400, channels: 3, background } })
    .png()
    .toBuffer();

beforeEach(async () => {
  site = await startSite({
    files: {
      'site.yaml': 'name: Example\ntimezone: UTC\nimages: {allow: [320]}\n',
      'media/2026/03/notes.txt': 'public',
      'media/2026/03/long.txt': 'public '.repeat(5000),
      // There at the start: nothing is made of it before it is asked for.
      'media/2026/03/green.png': await plain('#0f0'),
    },
  });
  outside = temporaryFolder({ 'notes.txt': secretText, 'long.txt': secretText.repeat(5000) }).dir;
  real.writeFileSync(join(outside, 'red.png'), await plain('#f00'));
});
afterEach(async () => {
  end();
  await site.close();
});

/** In the moment in which a file of that name is first opened. */
function swapAtOpening(name: string): () => boolean {
  let isSwapped = false;
  end = failDisk((call, path) => {
    if (call !== 'open' || isSwapped || !path.endsWith(`2026/03/${name}`)) return undefined;
    swap();
    isSwapped = true;
    return undefined;
  });
  return () => isSwapped;
}

function swap(): void {
  const folder = join(site.dir, 'media/2026/03');
  real.copyFileSync(join(outside, 'red.png'), join(outside, 'green.png'));
  real.renameSync(folder, join(site.dir, 'media/2026/before'));
  real.symlinkSync(outside, folder);
}

describe('a directory replaced by a link while a media file is opened', () => {
  it.each([
    ['the whole', 'notes.txt', {}],
    ['the whole of a long one', 'long.txt', {}],
    ['a range', 'long.txt', { range: 'bytes=1-3' }],
  ])('is not read through: %s', async (_what, name, headers) => {
    const isSwapped = swapAtOpening(name);
    const answer = await askPlainly(`${site.url}${at}/${name}`, headers);
    expect(isSwapped()).toBe(true);
    expect([answer.status, answer.text]).toEqual([404, 'Not found\n']);
  });
});

describe('a directory replaced by a link while an image is processed', () => {
  const { toBuffer } = sharp.prototype;
  afterEach(() => {
    sharp.prototype.toBuffer = toBuffer;
  });
  /** In the moment in which the picture is first decoded. */
  function swapAtDecoding(): () => boolean {
    let isSwapped = false;
    sharp.prototype.toBuffer = function (this: Sharp, ...args: never[]) {
      if (!isSwapped) swap();
      isSwapped = true;
      return toBuffer.apply(this, args);
    } as typeof toBuffer;
    return () => isSwapped;
  }

  it.each([
    ['a size of it', 'green-300x150.png'],
    ['a size on demand', 'green.png?w=320'],
  ])('is not read through, and no result is stored: %s', async (_what, name) => {
    const isSwapped = swapAtDecoding();
    expect((await askPlainly(`${site.url}${at}/${name}`)).status).toBe(404);
    expect(isSwapped()).toBe(true);
    real.unlinkSync(join(site.dir, 'media/2026/03'));
    real.renameSync(join(site.dir, 'media/2026/before'), join(site.dir, 'media/2026/03'));
    const { bytes } = await until(async () => {
      const answer = await askPlainly(`${site.url}${at}/${name}`);
      return answer.status === 200 ? answer : null;
    });
    const { dominant } = await sharp(bytes).stats();
    expect(dominant.g).toBeGreaterThan(dominant.r);
  });

  it('is not edited through', async () => {
    const { body: media } = await site.ask('GET', '/cms/v2/media?search=green');
    const [{ id, source_url: src }] = media;
    const isSwapped = swapAtDecoding();
    const modifiers = [{ type: 'crop', args: { left: 0, top: 0, width: 50, height: 50 } }];
    const answer = await site.ask('POST', `/cms/v2/media/${id}/edit`, { as: 'admin', body: { src, modifiers } });
    expect(isSwapped()).toBe(true);
    expect(answer.status).toBe(404);
    expect(real.readdirSync(outside).sort()).toEqual(['green.png', 'long.txt', 'notes.txt', 'red.png']);
  });
});
