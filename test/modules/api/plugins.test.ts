/**
 * Plugins: run where the operator says so, and never else; and docs/modules.md, whose two modules are plugins that do what the page says.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { composeSite, openSite } from '../../../src/open-site.ts';
import { moduleKeys } from '../../../src/kernel/module.ts';
import { run } from '../../cli/run.ts';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const page = await readFile(join(import.meta.dirname, '../../../docs/modules.md'), 'utf8');

/** A part of the page: its files, and its requests with their answers. */
function partOf(heading: string) {
  const text = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] as string;
  const blocks = [...text.matchAll(/`([^`\n]+)`:?\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, title = '', body = '']) => [title, body] as const,
  );
  const isRequest = ([title]: readonly [string, string]): boolean => title.startsWith('GET ');
  return {
    files: Object.fromEntries(blocks.filter((block) => !isRequest(block) && /\.\w+$/.test(block[0]))),
    requests: blocks.filter(isRequest).map(([title, body]) => [title.slice(4), JSON.parse(body)] as const),
  };
}

let site: TestSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

describe('docs/modules.md', () => {
  it.each([
    ['A module in thirty lines', 1],
    ['A whole module', 4],
  ])('%s does what the page says', async (heading, count) => {
    const { files, requests } = partOf(heading);
    expect(requests).toHaveLength(count);
    site = await startSite({ files, operator: { plugins: true } });
    for (const [path, answer] of requests)
      expect([path, (await site.ask('GET', path, { raw: true })).body]).toEqual([path, answer]);
  });

  it('has a working module of thirty lines', () => {
    const { files } = partOf('A module in thirty lines');
    expect((files['plugins/mood.mjs'] as string).trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });

  it('names every key of a module', () => {
    const named = new Set([...page.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, keys = '']) => keys.match(/\w+/g) ?? []));
    expect([...named].sort()).toEqual(Object.keys(moduleKeys).sort());
  });

  it.each([
    ['rest/types.ts', ['Endpoint', 'Route'], 'Routes and endpoints'],
    ['site/hooks.ts', ['Service'], 'Hooks'],
  ])('names every member that %s has of %s', async (file, types, heading) => {
    const source = await readFile(join(import.meta.dirname, '../../../src/kernel', file), 'utf8');
    const members = types.flatMap((type) => {
      const body = source.split(`export interface ${type} {\n`)[1]?.split('\n}\n')[0] ?? '';
      return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name]) => name as string);
    });
    const text = page.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
    const named = [...text.matchAll(/^- (.*?): /gm)].flatMap(([, keys = '']) => keys.match(/\w+/g) ?? []);
    // Every route is of a namespace, which says its name for all of them.
    expect([...new Set(named)].sort()).toEqual(members.filter((name) => name !== 'namespace').sort());
  });

  it('shows the output of cms validate and cms schema', async () => {
    const { files } = partOf('A whole module');
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\n', ...files });
    const env = { CMS_PLUGINS: '1' };
    const { out } = await run(['validate', folder.dir], { env });
    const [, shown = 'nothing'] = /```text\n([\s\S]*?)```/.exec(page) ?? [];
    expect(out).toContain(shown);
    expect(out).not.toContain('moods.mjs');
    const { out: schema } = await run(['schema', folder.dir, '--type', 'post'], { env });
    expect(JSON.parse(schema).properties.mood.description).toBe('How its author felt.');
    expect(JSON.parse((await run(['schema', folder.dir, '--type', 'moods'], { env })).out).title).toBe('Mood');
  });

  it('shows the routes of a module that the operator allows', async () => {
    const { files } = partOf('A whole module');
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\n', ...files });
    const { out, status } = await run(['routes', folder.dir], { env: { CMS_PLUGINS: '1' } });
    expect(status).toBe(0);
    expect(out).toMatch(/GET POST +\/moods\/v1\/moods +moods\/v1 +GET\n/);
    expect((await run(['routes', folder.dir])).out).not.toContain('moods/v1');
    expect((await run(['routes'], { env: { CMS_PLUGINS: '1' } })).out).not.toContain('moods/v1');
  });

  it('has a complete module that writes', async () => {
    site = await startSite({ files: partOf('A whole module').files, operator: { plugins: true } });
    const body = { slug: 'sober', label: 'Sober' };
    expect((await site.ask('POST', '/moods/v1/moods', { as: 'admin', body })).status).toBe(201);
    expect((await site.ask('POST', '/moods/v1/moods', { as: 'admin', body })).body.code).toBe('moods_exists');
    expect((await site.ask('POST', '/moods/v1/moods', { body })).status).toBe(401);
    expect(await site.read('moods/sober.yaml')).toBe('id: 2\nlabel: Sober\n');
  });
});

describe('a plugin', () => {
  const trap = (mark: string) =>
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, '');\nexport default { name: 'trap' };\n`;

  it("never runs without the operator's permission, whatever the command; validate reports it", async () => {
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\nplugins: true\n' });
    const mark = folder.at('ran');
    folder.write('plugins/trap.mjs', trap(mark));
    const opened = await openSite(folder.dir);
    composeSite(opened);
    await opened.close();
    for (const [command = '', ...more] of [
      ['validate'],
      ['schema'],
      ['export', '--format', 'json', '--out', folder.at('out.json')],
    ])
      await run([command, folder.dir, ...more]);
    const { out } = await run(['validate', folder.dir]);
    expect(out).toContain('plugins/trap.mjs');
    expect(out).toContain('is not run: the operator does not allow plugins');
    expect(existsSync(mark)).toBe(false);
    const allowed = await openSite(folder.dir, { operator: { plugins: true } });
    await allowed.close();
    expect(existsSync(mark)).toBe(true);
    expect(allowed.modules.list.at(-1)?.name).toBe('trap');
  });

  it('is loaded in alphabetical order, and reloaded when its file changes', async () => {
    const folder = temporaryFolder({
      'site.yaml': 'name: Site\n',
      'plugins/b.mjs': "export default { name: 'second' };\n",
      'plugins/a.mjs': "export default () => ({ name: 'first' });\n",
      'plugins/readme.md': 'No plugin.\n',
      'plugins/below/c.mjs': "export default { name: 'third' };\n",
    });
    const names = async () => {
      const opened = await openSite(folder.dir, { operator: { plugins: true }, readOnly: true });
      await opened.close();
      return opened.modules.list.map(({ name }) => name).slice(-2);
    };
    expect(await names()).toEqual(['first', 'second']);
    folder.write('plugins/b.mjs', "export default { name: 'changed' };\n");
    expect(await names()).toEqual(['first', 'changed']);
  });

  it.each([
    ['export default {', 'plugins/a.mjs: '],
    ["throw new Error('no such thing');", 'plugins/a.mjs: no such thing'],
    ['export const x = 1;', 'plugins/a.mjs: its default export is no module'],
    ['export default {};', 'plugins/a.mjs: its default export has no name'],
    ["export default { name: 'a', feilds: {} };", 'plugins/a.mjs: a module has no "feilds"; it has name, '],
    ["export default { name: 'posts' };", 'the module "posts" comes from two modules: posts and posts'],
  ])('that cannot be loaded stops the start with its file and the reason: %s', async (text, message) => {
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\n', 'plugins/a.mjs': text });
    await expect(openSite(folder.dir, { operator: { plugins: true } })).rejects.toThrow(message);
    const { status, err } = await run(['validate', folder.dir], { env: { CMS_PLUGINS: '1' } });
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  });
});
