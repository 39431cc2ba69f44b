import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { exportDesign } from '../../../../src/modules/design/themes/export.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const long = 'x'.repeat(5000);
let site: TestSite;

beforeAll(async () => {
  site = await startSite({
    files: {
      'templates/single.html': `---\ntitle: Single\n---\n${long}\n`,
      'template-parts/empty.html': '---\ntitle: Empty\n---\n',
    },
  });
});

afterAll(() => site.close());

it('an exported theme has each file in its directory', () => {
  const { bytes: zip } = exportDesign(site.site);
  const files: Record<string, string> = {};
  const end = zip.length - 22;
  let at = zip.readUInt32LE(end + 16);
  while (at < end) {
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26);
    const name = zip.subarray(local + 30, start).toString();
    files[name] = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))).toString();
    at += 46 + zip.readUInt16LE(at + 28);
  }
  expect(Object.keys(files)).toEqual(['theme.json', 'templates/single.html', 'parts/empty.html']);
  expect(JSON.parse(files['theme.json'] as string)).toMatchObject({ version: 3 });
  expect(files['templates/single.html']).toContain(long);
});

it('an exported theme is reproducible byte for byte', () => {
  onTestFinished(() => void vi.useRealTimers());
  const { bytes } = exportDesign(site.site);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  expect(exportDesign(site.site).bytes.equals(bytes)).toBe(true);
});
