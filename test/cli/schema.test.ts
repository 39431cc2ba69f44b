/** JSON Schemas of files: those of the sample site fit, wrong ones do not, and editors are told where they are. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { basic } from '../../src/deployments.ts';
import { declare } from '../../src/validate/declarations.ts';
import { type FileSchema, fileSchemas } from '../../src/validate/file-schemas.ts';
import { commentFields } from '../../src/modules/comments/fields.ts';
import { userFields } from '../../src/modules/people/users/fields.ts';
import { filesIn, run, temporary } from './run.ts';
import { sample } from '../support/sample-site.ts';

type Json = any;

/** The part of draft 7 that the schemas use. @returns what does not fit, by path */
function faults(schema: Json, value: Json, root: Json = schema, at = ''): string[] {
  if (schema.$ref !== undefined) return faults(root.definitions[schema.$ref.replace('#/definitions/', '')], value, root, at);
  const known = new Set(
    '$schema title description default definitions type enum pattern minimum maximum minLength maxLength minItems maxItems uniqueItems items properties additionalProperties anyOf'.split(
      ' ',
    ),
  );
  const unknown = Object.keys(schema).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new Error(`the checker does not know ${unknown.join(', ')}`);
  const found: string[] = [];
  const is = (type: string): boolean =>
    ({
      null: value === null,
      array: Array.isArray(value),
      object: typeof value === 'object' && value !== null && !Array.isArray(value),
      integer: Number.isInteger(value),
    })[type] ?? typeof value === type;
  if (schema.type !== undefined && ![schema.type].flat().some(is)) found.push(`${at}: no ${[schema.type].flat().join(' or ')}`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) found.push(`${at}: none of the values`);
  if (schema.anyOf !== undefined && !schema.anyOf.some((one: Json) => faults(one, value, root, at).length === 0))
    found.push(`${at}: none of the forms`);
  if (typeof value === 'string' && schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    found.push(`${at}: not of the pattern`);
  if (typeof value === 'number' && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)))
    found.push(`${at}: out of bounds`);
  if (Array.isArray(value) && schema.items)
    for (const [index, item] of value.entries()) found.push(...faults(schema.items, item, root, `${at}/${index}`));
  if (is('object')) {
    for (const [key, one] of Object.entries(value as object)) {
      const inner = schema.properties?.[key] ?? schema.additionalProperties;
      if (inner === false) found.push(`${at}/${key}: not allowed`);
      else if (typeof inner === 'object') found.push(...faults(inner, one, root, `${at}/${key}`));
    }
  }
  return found;
}

function schemaFor(schemas: readonly FileSchema[], path: string): FileSchema | undefined {
  const toRegExp = (glob: string): RegExp =>
    new RegExp(
      `^${glob
        .replace(/[.]/g, '\\.')
        .replace(/\*\*\//g, '§')
        .replace(/\*/g, '[^/]*')
        .replace(/§/g, '(?:[^/]+/)*')}$`,
    );
  return schemas.find(({ files }) => files.some((glob) => toRegExp(glob).test(path)));
}

/** As editors read it: YAML 1.2. */
function dataOf(path: string, text: string): unknown {
  if (path.endsWith('.yaml')) return parse(text);
  const matter = /^---\n([\s\S]*?)^---$/m.exec(text);
  return matter ? parse(matter[1] as string) : null;
}

async function schemasIn(
  dir: string,
  ...flags: string[]
): Promise<{ readonly out: string; readonly schemas: Record<string, Json> }> {
  const folder = join(await temporary(), 'schemas');
  const { out, err, status } = await run(['schema', dir, '--out', folder, ...flags], { cwd: join(folder, '..') });
  expect({ err, status }).toEqual({ err: '', status: 0 });
  const files = await filesIn(folder);
  return {
    out,
    schemas: Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name.replace('.schema.json', ''), JSON.parse(text)]),
    ),
  };
}

describe('schema', () => {
  it.each([[], ['--values']])('accepts every file of the sample site %s', async (...flags: string[]) => {
    const { schemas } = await schemasIn(sample, ...flags);
    const kinds = fileSchemas(declare({ modules: basic }));
    let checked = 0;
    for (const [path, text] of Object.entries(await filesIn(sample))) {
      if (!/\.(md|html|yaml)$/.test(path)) continue;
      const kind = schemaFor(kinds, path);
      expect(kind?.name, path).toBeDefined();
      expect(faults(schemas[kind?.name as string], dataOf(path, text)), path).toEqual([]);
      checked++;
    }
    expect(checked).toBeGreaterThan(40);
  });

  const wrong: readonly (readonly [kind: string, yaml: string, fault: string])[] = [
    ['post', 'id: 0', '/id: out of bounds'],
    ['post', 'status: published', '/status: none of the values'],
    ['post', 'date: next week', '/date: not of the pattern'],
    ['post', 'categories:\n  - [a]', '/categories/0: no string or integer'],
    ['post', 'sticky: yes', '/sticky: no boolean'],
    ['post', 'title: [a]', '/title: no string or number or boolean or null'],
    ['page', 'order: first', '/order: no integer'],
    ['media', 'alt: {a: b}', '/alt: no string or number or boolean or null'],
    ['category', 'parent: [a]', '/parent: no string or integer or null'],
    ['user', 'aliases: {a: 1}', '/aliases: no array or string or number or boolean or null'],
    ['menu', 'items:\n  - page: about\n    items: x', '/items/0/items: no array or null'],
    ['menu', 'items:\n  - page: about\n    target: _top', '/items/0/target: none of the values'],
    ['comment', 'status: ok', '/status: none of the values'],
    ['site', 'writing: markdwon', '/writing: none of the values'],
    ['site', 'posts_per_page: many', '/posts_per_page: no integer or null'],
    ['site', 'types:\n  book:\n    fields: {isbn: text}', '/types/book/fields/isbn: none of the forms'],
    ['book', 'meta: {pages: many}', '/meta/pages: no integer'],
    ['book', 'genres: {a: 1}', '/genres: no array or string or integer or null'],
    ['sidebar', 'widgets: x', '/widgets: no array'],
  ];

  it('rejects wrong values, also of custom types', async () => {
    const dir = await temporary();
    await writeFile(
      join(dir, 'site.yaml'),
      'types:\n  book:\n    plural: Books\n    singular: Book\n    taxonomies: [genre]\n    fields: {pages: integer}\ntaxonomies:\n  genre: {plural: Genres, singular: Genre, rest_base: genres}\n',
    );
    const { schemas } = await schemasIn(dir);
    for (const [kind, yaml, fault] of wrong) expect(faults(schemas[kind], parse(yaml)), yaml).toEqual([fault]);
    expect(faults(schemas.site, parse(await readFile(join(dir, 'site.yaml'), 'utf8')))).toEqual([]);
    expect(faults(schemas.genre, parse('id: 1\nname: Crime\n'))).toEqual([]);
  });

  it('describes every key of every field table', () => {
    const model = declare({ modules: basic });
    const tables = [...model.postFields.values(), ...model.termFields.values(), userFields, commentFields];
    for (const table of tables) {
      for (const { file } of Object.values(table) as { file?: { key: string; form?: unknown } }[]) {
        if (file !== undefined && file.key !== 'items') expect(file.form, file.key).toBeDefined();
      }
    }
    const names = fileSchemas(model).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('lists existing values with --values', async () => {
    const { out } = await run(['schema', sample, '--type', 'post', '--values']);
    const { properties } = JSON.parse(out) as Json;
    expect(properties.categories.anyOf[0].items.anyOf[0].enum).toContain('notes');
    expect(properties.author.anyOf[0].enum).toContain('anna');
    expect(properties.featured_media.anyOf[0].enum).toContain('2026/03/harbour.png');
  });

  it('describes each schema for editors', async () => {
    const { out } = await schemasIn(sample);
    const settings = JSON.parse(/^\{\n[\s\S]*?^\}$/m.exec(out)?.[0] as string) as Json;
    expect(Object.keys(settings['yaml.schemas'])).toContain('./schemas/user.schema.json');
    expect(out).toMatch(/^# yaml-language-server: \$schema=.*schemas\/user\.schema\.json$/m);
  });

  it('lists the kinds of files, prints one schema, and rejects unknown kinds', async () => {
    expect((await run(['schema', sample])).out).toMatch(/^page +Page +pages\/\*\*\/\*\.md/m);
    expect(JSON.parse((await run(['schema', sample, '--type', 'menu'])).out)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
    });
    expect(await run(['schema', sample, '--type', 'pgae'])).toMatchObject({ status: 2, err: expect.stringContaining('page') });
  });
});
