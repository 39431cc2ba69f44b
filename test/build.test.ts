/** What `npm run build` decides by itself: whether there is anything to do, and whose licences go along. */
import { mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStale } from '../build/bundle.mjs';
import { thirdParties } from '../build/third-parties.mjs';

describe('a build', () => {
  it('is repeated if the output is missing, incomplete or older than the sources', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cms-built-'));
    expect([isStale(join(dir, 'none')), isStale(dir)]).toEqual([true, true]);
    await writeFile(join(dir, 'built'), '');
    const in2100 = Date.UTC(2100, 0) / 1000;
    await utimes(join(dir, 'built'), in2100, in2100);
    expect(isStale(dir)).toBe(false);
    await utimes(join(dir, 'built'), 0, 0);
    expect(isStale(dir)).toBe(true);
  });
});

describe('licenses', () => {
  async function packageWith(about: object, files: Readonly<Record<string, string>> = {}): Promise<string> {
    const folder = join(await mkdtemp(join(tmpdir(), 'cms-packages-')), 'node_modules/one');
    await mkdir(join(folder, 'lib/inner'), { recursive: true });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'one', version: '1.2.3', ...about }));
    // As packages have them that come in two forms.
    await writeFile(join(folder, 'lib/package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'lib/inner/package.json'), '{"name": "part", "license": "MIT"}');
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return join(folder, 'lib/inner/index.js');
  }
  const said = (id: string): string => thirdParties([id, id, '/src/own.ts', '\0node_modules/virtual'], '/');

  it('list each bundled package once, with its text', async () => {
    const page = said(await packageWith({ license: 'MIT' }, { 'LICENSE.md': '# The text\nof it' }));
    expect(page.split('\n## ')).toEqual([expect.any(String), 'one 1.2.3 (MIT)\n\n\\# The text\nof it\n']);
  });

  it('can be a list or a single word', async () => {
    expect(said(await packageWith({ licenses: [{ type: 'MIT' }, { type: 'ISC' }] }))).toContain('one 1.2.3 (MIT or ISC)');
  });

  it('are required', async () => {
    const id = await packageWith({});
    expect(() => said(id)).toThrow(/one says no licence/);
  });
});
