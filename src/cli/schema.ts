/**
 * `cms schema`: JSON Schemas of the files of a site, for editors that complete and underline YAML.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { declaredBy } from '../modules/types/declarations.ts';
import { namesIn } from '../validate/validate.ts';
import { declare, type Declarations } from '../validate/declarations.ts';
import { type FileSchema, fileSchemas } from '../validate/file-schemas.ts';
import { standardTaxonomies } from '../modules/types/taxonomies.ts';
import { standardTypes } from '../modules/types/types.ts';
import { makeFolder } from '../kernel/store/folders.ts';
import { createStore } from '../kernel/store/store.ts';
import { misuse } from './failure.ts';
import { modulesOf } from '../deployments.ts';
import { contentFolder, examples } from './flags.ts';
import { type Io, printTable } from './io.ts';
import { pluginsOf } from './plugins.ts';

interface Options {
  readonly out?: string;
  readonly type?: string;
  readonly values?: true;
}

export function defineSchema(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .option('--out <folder>', 'write all schemas into this folder, and print the editor settings for them')
    .option('--type <name>', 'print the schema of one kind of file')
    .option('--values', 'suggest the slugs and paths that exist now')
    .action(async (dir: string | undefined, options: Options) => run(contentFolder(dir, io), options, io));
  examples(command, 'cms schema my-site --out .schemas', 'cms schema my-site --type post --values');
}

async function run(dir: string, { out, type, values }: Options, io: Io): Promise<void> {
  if (out !== undefined && type !== undefined) misuse('--out cannot be combined with --type');
  if (values && out === undefined && type === undefined) misuse('--values requires --out or --type');
  const schemas = await schemasOf(dir, values === true, io);
  if (type !== undefined) {
    const found = schemas.find(({ name }) => name === type);
    if (!found) misuse(`--type: unknown kind of file "${type}"`, `use one of ${schemas.map(({ name }) => name).join(', ')}`);
    io.out(print(found));
    return;
  }
  if (out === undefined) {
    const rows = schemas.map(({ name, title, files }) => [name, title, files.join(' ')]);
    for (const line of printTable(['NAME', 'KIND', 'FILES'], rows)) io.out(line);
    io.err('  --out FOLDER writes them for editors; --type NAME prints one');
    return;
  }
  const folder = resolve(io.cwd, out);
  writeAll(schemas, folder);
  const from = (path: string): string => relative(io.cwd, path).split(sep).join('/') || '.';
  for (const line of printUse(schemas, from(folder), from(dir))) io.out(line);
}

/** Writes the schemas of a site into a folder. @returns those that editors find by the names of files */
export async function writeSchemas(dir: string, folder: string, io: Io): Promise<readonly FileSchema[]> {
  const schemas = await schemasOf(dir, false, io);
  writeAll(schemas, folder);
  return schemas.filter(({ isFrontMatter }) => !isFrontMatter);
}

function writeAll(schemas: readonly FileSchema[], folder: string): void {
  makeFolder(folder);
  for (const schema of schemas) writeChanged(join(folder, `${schema.name}.schema.json`), `${print(schema)}\n`);
}

async function schemasOf(dir: string, values: boolean, io: Io): Promise<FileSchema[]> {
  const store = await createStore({ dir, readOnly: true });
  try {
    const batch = await store.load();
    const file = batch.entries.find(({ path }) => path === 'site.yaml');
    const model: Declarations = declare({
      ...declaredBy(file, standardTypes, standardTaxonomies),
      entry: file,
      modules: [...modulesOf(file?.data.deployment), ...(await pluginsOf(dir, io))],
    });
    return values ? fileSchemas(model, namesIn(batch, model)) : fileSchemas(model);
  } finally {
    await store.close();
  }
}

function print({ schema }: FileSchema): string {
  return JSON.stringify(schema, null, 2);
}

/** Settings of VS Code, and the line for a single file of any editor with the YAML language server. */
function printUse(schemas: readonly FileSchema[], folder: string, content: string): string[] {
  const base = content === '.' ? '' : `${content}/`;
  const here = (name: string): string => `${folder.startsWith('..') ? '' : './'}${folder}/${name}.schema.json`;
  const settings = schemas
    .filter(({ isFrontMatter }) => !isFrontMatter)
    .map(({ name, files }) => [here(name), files.length === 1 ? base + files[0] : files.map((file) => base + file)] as const);
  const user = schemas.find(({ name }) => name === 'user') as FileSchema;
  return [
    `// ${schemas.length} schemas in ${folder}/. For .vscode/settings.json, with the extension redhat.vscode-yaml:`,
    JSON.stringify({ 'yaml.schemas': Object.fromEntries(settings) }, null, 2),
    '// Or as the first line of a single file, in every editor with the YAML language server:',
    `# yaml-language-server: $schema=${relative(join(content, 'users'), join(folder, `${user.name}.schema.json`))
      .split(sep)
      .join('/')}`,
    '// Front matter of .md and .html files: see docs/validate.md, "In editors".',
  ];
}

function writeChanged(path: string, text: string): void {
  let before: string | null = null;
  try {
    before = readFileSync(path, 'utf8');
  } catch {
    // It is not there yet.
  }
  if (before !== text) writeFileSync(path, text);
}
