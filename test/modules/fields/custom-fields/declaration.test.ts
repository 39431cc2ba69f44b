/** Declarations of custom fields, and what `cms validate` says of them and of values. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../../../src/deployments.ts';
import { parseYaml } from '../../../../src/kernel/yaml/parse.ts';
import { locate } from '../../../../src/kernel/store/locate.ts';
import { createStore } from '../../../../src/kernel/store/store.ts';
import { fileSchemas } from '../../../../src/validate/file-schemas.ts';
import { declare } from '../../../../src/validate/declarations.ts';
import { validate } from '../../../../src/validate/validate.ts';
import { declaredGroups } from '../../../../src/modules/fields/custom-fields/declaration.ts';
import { dedent } from '../../../support/dedent.ts';
import { temporaryFolder } from '../../../kernel/store/folder.ts';

const site = `${dedent`
  name: Harbour
  deployment: extended
  fields:
    - key: group_a
      location: [[{ param: type, operator: "==", value: post }]]
      fields:
        - { key: field_a, name: amount, type: number, min: 0 }
        - { key: field_b, name: colour, type: select, choices: { red: Red } }
        - { key: field_c, name: related, type: relationship, types: [post] }
        - { key: field_d, name: rows, type: repeater, fields: [{ key: field_e, name: mail, type: email }] }
    - key: group_b
      location: [[{ param: tipe, value: post }]]
      fields: []
    - key: group_c
      location: [[{ param: type, value: post }]]
      fields:
        - { key: field_a, name: twice, type: text }
        - { key: field_f, name: Big, type: text }
        - { key: field_g, name: odd, type: texte }
        - { key: field_h, name: limit, type: text, maxlength: many }
`}\n`;
const post = `${dedent`
  ---
  id: 7
  title: A
  date: 2026-03-01
  fields:
    amount: many
    color: red
    related: [8, b, 7]
    rows:
      - mail: a@example.org
      - mail: nobody
  ---
  Text
`}\n`;

async function findings(files: Readonly<Record<string, string>>, deployment: string): Promise<readonly string[]> {
  const folder = temporaryFolder(files);
  const store = await createStore({ dir: folder.dir, readOnly: true });
  const content = await store.load();
  const entry = content.entries.find(({ path }) => path === 'site.yaml');
  const model = declare({ modules: modulesOf(deployment), entry });
  const found = await locate(validate(content, model, { clock: Date.parse('2026-04-01') }), store.readBytes);
  await store.close();
  return found
    .filter(({ rule }) => rule.startsWith('field-'))
    .map(
      ({ path, line, column, severity, message, hint }) =>
        `${path}:${line}:${column} ${severity} ${message}${hint ? ` (${hint})` : ''}`,
    );
}

describe('an invalid declaration of custom fields', () => {
  it('by name and type, in the basic deployment, is reported with file, line and column', async () => {
    const declared = dedent`
      name: Harbour
      fields:
        post:
          price: { type: number, min: 0 }
          seats: integer
          opens: { type: date, index: true }
          colour: { type: choice, choices: [red, blue] }
          words: { type: list, of: { type: text, maxlength: 3 } }
          hours: { type: list, fields: { day: text } }
          topic: { type: relation, to: category }
          odd: texte
          story: { type: markdown, index: true }
          Big: text
        pots: { a: text }
        page: 7
    `;
    const values = dedent`
      ---
      id: 7
      title: A
      date: 2026-03-01
      fields:
        price: cheap
        seats: 1.5
        opens: 05.03.2026
        color: red
        words: [abc, abcd]
        hours: [{ day: Mon }, { day: [x] }]
        topic: lost
      ---
      Text
    `;
    expect(await findings({ 'site.yaml': `${declared}\n`, 'posts/a.md': `${values}\n` }, 'basic')).toEqual([
      'posts/a.md:6:10 error price must be a number, not "cheap"',
      'posts/a.md:7:10 error seats must be a whole number, not "1.5"',
      'posts/a.md:8:10 error opens must be a day such as 2026-03-05, not "05.03.2026"',
      'posts/a.md:9:10 warning there is no field color (did you mean colour?)',
      'posts/a.md:10:16 error words.1 must have at most 3 characters',
      'posts/a.md:11:32 error hours.1.day must be a text, not ["x"]',
      'posts/a.md:12:10 warning topic names "lost", which is not there',
      'site.yaml:11:10 error there is no type "texte" (did you mean text?)',
      'site.yaml:12:37 error index is true or false, and of texts, numbers, days, choices, booleans and relations outside of groups',
      'site.yaml:13:10 error name must be small letters, digits and "_", beginning with a letter',
      'site.yaml:14:9 error there is no type or taxonomy "pots" (did you mean post?)',
      'site.yaml:15:9 error must be a map of fields: subtitle: text',
    ]);
  });

  it('is reported with file, line and column', async () => {
    const files = {
      'site.yaml': site,
      'posts/a.md': post,
      'posts/b.md': '---\nid: 9\ntitle: B\ndate: 2026-03-01\n---\nText\n',
    };
    expect(await findings(files, 'extended')).toEqual([
      'posts/a.md:6:11 error amount must be a number, not "many"',
      'posts/a.md:7:10 warning there is no field color (did you mean colour?)',
      'posts/a.md:8:13 warning related names 8, which is not there',
      'posts/a.md:11:13 error rows.1.mail must be an email address, not "nobody"',
      'site.yaml:12:26 error there is no param "tipe" (did you mean type?)',
      'site.yaml:17:16 error key "field_a" is taken already',
      'site.yaml:18:31 error name must be small letters, digits and "_", beginning with a letter',
      'site.yaml:19:42 error there is no type "texte" (did you mean text?)',
      'site.yaml:20:61 error maxlength must be a whole number from 0',
    ]);
  });

  it('is in none of the samples of the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/fields.md', import.meta.url), 'utf8');
    const samples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => parseYaml(text).fields);
    const read = samples.filter((fields) => fields !== undefined).map((fields) => declaredGroups(fields, {}));
    expect(read.map(({ groups, faults }) => [groups.length > 0, faults])).toEqual([
      [true, []],
      [true, []],
    ]);
  });

  it('does not affect the rest of the declaration', () => {
    const { groups, faults } = declaredGroups(
      [{ key: 'g', location: [{ param: 'type', value: 'post' }], fields: [{ name: 'a', type: 'text' }, { name: 'b' }] }, 7],
      { boat: { fields: { length: 'integer' } } },
    );
    expect(groups.map(({ key, fields }) => [key, fields.map(({ name, type }) => `${name} ${type}`)])).toEqual([
      ['g', ['a text']],
      ['group_type_boat', ['length declared']],
    ]);
    expect(faults.map(({ keys }) => keys.join('.'))).toEqual(['fields.0.fields.1', 'fields.1']);
  });

  it.each([['constructor'], ['__proto__'], ['a b'], [''], [7], [null]])('never uses %j as a name', (name) => {
    const location = [[{ param: 'type', value: 'post' }]];
    expect(declaredGroups([{ key: 'g', location, fields: [{ name, type: 'text' }] }], {}).groups[0]?.fields).toEqual([]);
  });

  it('never uses a name that objects inherit as a type', () => {
    const location = [[{ param: 'type', value: 'post' }]];
    for (const type of ['toString', '__proto__', 'declared'])
      expect(declaredGroups([{ key: 'g', location, fields: [{ name: 'a', type }] }], {}).groups[0]?.fields).toEqual([]);
  });

  it('is described by the schemas of files', async () => {
    const folder = temporaryFolder({ 'site.yaml': site });
    const store = await createStore({ dir: folder.dir, readOnly: true });
    const entry = (await store.load()).entries.find(({ path }) => path === 'site.yaml');
    await store.close();
    const schemas = fileSchemas(declare({ modules: modulesOf('extended'), entry }));
    const { properties } = (schemas.find(({ name }) => name === 'post') ?? schemas[0])!.schema as {
      properties: Record<string, object>;
    };
    expect(properties.fields).toMatchObject({ properties: { amount: {}, colour: { enum: ['red', null] }, related: {} } });
  });
});
