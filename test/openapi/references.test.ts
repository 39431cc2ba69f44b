/** The pages that are written from declarations say what those say now. `npm run docs` writes them anew. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workerVariable } from '../../src/workers/primary.ts';
import { agentSession } from '../support/references/agent-session.ts';
import { commandReference } from '../support/references/commands.ts';
import { configurationReference, knownVariables } from '../support/references/configuration.ts';
import { docsList } from '../support/references/llms.ts';
import { restReference } from '../support/references/rest.ts';

const root = resolve(import.meta.dirname, '../..');
const page = (name: string): string => join(root, 'docs', name);

describe('generated pages', () => {
  it('list every route', async () => {
    await expect(await restReference()).toMatchFileSnapshot(page('reference.md'));
  });

  it('list every setting', async () => {
    await expect(await configurationReference()).toMatchFileSnapshot(page('configuration.md'));
  });

  it('list every command', async () => {
    await expect(await commandReference()).toMatchFileSnapshot(page('command-reference.md'));
  });

  it('show an agent at work, which leaves nothing but mended links', async () => {
    const { page: text, problems, numstat } = await agentSession();
    await expect(text).toMatchFileSnapshot(page('agent-session.md'));
    expect([problems, numstat.trim().split('\n')]).toEqual([0, expect.objectContaining({ length: 2 })]);
  });

  it('list every page', async () => {
    await expect(await docsList(join(root, 'docs'))).toMatchFileSnapshot(page('llms.txt'));
  });

  it('list every environment variable that the source reads', async () => {
    const files = (await readdir(join(root, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(files.map((name) => readFile(join(root, 'src', name), 'utf8')));
    const read = new Set(sources.flatMap((source) => source.match(/\bCMS_[A-Z_]+\b/g) ?? []));
    read.delete(workerVariable);
    const known = await knownVariables();
    expect([...read].filter((name) => !known.has(name))).toEqual([]);
  });
});
