/** Links below the folders of a static export, there before it or coming meanwhile: nothing is read, written or removed through them. */
import { failDisk, real } from '../../support/disk-faults.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type Folder, temporaryFolder } from '../../kernel/store/folder.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { isStill } from '../../../src/modules/media/files/facts.ts';
import { openFolder } from '../../../src/transfer/export/static/folder.ts';
import { SourceError } from '../../../src/transfer/import/items.ts';

let end = (): void => undefined;
afterEach(() => end());

const served = (content: string | Uint8Array) => ({ mime: '', size: 6, mtimeMs: 0, etag: '"1"', derived: false, content });
const held = ({ dir, read }: Folder) => Object.fromEntries(real.readdirSync(dir).map((name) => [name, read(name)]));
const secret = { 'a.json': 'secret', 'b.json': 'same' };

it('a media folder replaced by a link is not exported', async () => {
  const [site, outside, out] = [
    temporaryFolder({ 'media/a.txt': 'public' }),
    temporaryFolder({ 'a.txt': 'secret' }),
    temporaryFolder(),
  ];
  const store = await createStore({ dir: site.dir });
  const content = store.locate('media/a.txt') as string;
  end = failDisk((call, path) => {
    if ((call !== 'open' && call !== 'copyFile') || path !== content) return undefined;
    end();
    real.renameSync(site.at('media'), site.at('before'));
    real.symlinkSync(outside.dir, site.at('media'));
    return undefined;
  });
  const folder = openFolder(out.dir);
  folder.copy('uploads/a.txt', { ...served(content), isStill: (open) => isStill(store, { path: 'media/a.txt' }, content, open) });
  expect(folder.finish().written).toEqual([]);
  expect(real.existsSync(out.at('uploads'))).toBe(false);
  await store.close();
});

describe('a link in place of an export folder', () => {
  const ways: readonly (readonly [string, (folder: ReturnType<typeof openFolder>) => void])[] = [
    ['a text', (folder) => folder.put('data/a.json', 'ours')],
    ['a file', (folder) => folder.copy('data/a.json', served(Buffer.from('ours')))],
    ['pieces', (folder) => folder.open('data/a.json').close()],
  ];
  it.each(ways)('redirects no write: %s', (_, write) => {
    const [outside, out] = [temporaryFolder(secret), temporaryFolder()];
    real.symlinkSync(outside.dir, out.at('data'));
    expect(() => write(openFolder(out.dir, { force: true }))).toThrow(SourceError);
    expect(held(outside)).toEqual(secret);
  });

  it('redirects no write when it appears midway', () => {
    const [outside, out] = [temporaryFolder(secret), temporaryFolder()];
    const folder = openFolder(out.dir, { force: true });
    folder.put('data/c.json', 'ours');
    real.renameSync(out.at('data'), out.at('before'));
    real.symlinkSync(outside.dir, out.at('data'));
    expect(() => folder.put('data/a.json', 'ours')).toThrow(SourceError);
    expect(held(outside)).toEqual(secret);
  });

  it('causes no deletion in its target', () => {
    const [outside, out] = [temporaryFolder(secret), temporaryFolder()];
    const first = openFolder(out.dir);
    first.put('data/b.json', 'same');
    first.finish();
    real.rmSync(out.at('data'), { recursive: true });
    real.symlinkSync(outside.dir, out.at('data'));
    expect(() => openFolder(out.dir).finish()).toThrow(SourceError);
    expect(held(outside)).toEqual(secret);
  });
});

describe("a link in place of an export's own files", () => {
  it.each(['.cms-export', '.cms-export/new', '.cms-export/state.jsonl'])('redirects no write: %s', (path) => {
    const outside = temporaryFolder({ 'state.jsonl': 'secret' });
    const out = temporaryFolder({ 'other/x': '' });
    if (path !== '.cms-export') real.mkdirSync(out.at('.cms-export'));
    real.symlinkSync(path.endsWith('jsonl') ? outside.at('state.jsonl') : outside.dir, out.at(path));
    try {
      const folder = openFolder(out.dir);
      folder.put('a.json', 'ours');
      folder.finish();
    } catch (error) {
      expect(error).toBeInstanceOf(SourceError);
    }
    expect(held(outside)).toEqual({ 'state.jsonl': 'secret' });
  });
});
