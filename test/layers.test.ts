import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** Layers from the bottom up; a layer imports from itself and from those before it. */
const layers = [
  'model',
  'store',
  'records',
  'domain',
  'rest',
  'namespaces',
  'server',
  'transfer',
  'importers',
  'exporters',
  'cli',
];

/** Packages that have one home. `model` and `records` use none, nor Node's own modules. */
const homes: Readonly<Record<string, string>> = {
  h3: 'server',
  srvx: 'server',
  unstorage: 'store',
  chokidar: 'store',
  'gray-matter': 'store',
  yaml: 'store',
  commander: 'cli',
  sharp: 'domain',
  saxes: 'importers',
  'smol-toml': 'importers',
  'tar-stream': 'transfer',
  turndown: 'transfer',
  'turndown-plugin-gfm': 'transfer',
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

const imports = files.flatMap((file) => {
  const text = readFileSync(join(src, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => ({ file, target: target as string }));
});

const layerOf = (file: string): string => file.split('/')[0] as string;
/** Where a relative import leads, below src. */
const resolved = ({ file, target }: { file: string; target: string }): string =>
  relative(src, resolve(src, dirname(file), target));

describe('layers', () => {
  it('finds the source', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(200);
  });

  it('import only from themselves and from below', () => {
    const breaches = imports
      .filter(({ target }) => target.startsWith('.'))
      .map((one) => ({ ...one, from: layerOf(one.file), to: layerOf(resolved(one)) }))
      .filter(({ from, to }) => layers.includes(from) && layers.includes(to) && layers.indexOf(to) > layers.indexOf(from))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(breaches).toEqual([]);
  });

  it('know nothing of what puts them together', () => {
    const breaches = imports
      .filter((one) => one.target.startsWith('.') && ['deployments.ts', 'index.ts'].includes(resolved(one)))
      .filter(({ file }) => !['cli', 'index.ts', 'deployments.ts'].includes(layerOf(file)))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(breaches).toEqual([]);
  });

  it('keep packages in their one layer', () => {
    const breaches = imports
      .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
      .filter(({ file, target }) => {
        const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : (target.split('/')[0] as string);
        return ['model', 'records'].includes(layerOf(file)) || (homes[name] !== undefined && homes[name] !== layerOf(file));
      })
      .map(({ file, target }) => `${file} → ${target}`);
    expect(breaches).toEqual([]);
  });

  it('leave the model and the records without I/O', () => {
    const breaches = imports.filter(
      ({ file, target }) => ['model', 'records'].includes(layerOf(file)) && target.startsWith('node:'),
    );
    expect(breaches).toEqual([]);
  });

  it('import modules themselves: with the extension, and no namespace another one', () => {
    const relativeImports = imports.filter(({ target }) => target.startsWith('.'));
    expect(relativeImports.filter(({ target }) => !target.endsWith('.ts'))).toEqual([]);
    const namespaceOf = (file: string): string =>
      file.startsWith('namespaces/') && file.split('/').length > 2 ? (file.split('/')[1] as string) : '';
    const breaches = relativeImports
      .map((one) => ({ ...one, from: namespaceOf(one.file), to: namespaceOf(resolved(one)) }))
      .filter(({ from, to }) => from !== '' && to !== '' && from !== to);
    expect(breaches).toEqual([]);
  });
});
