/** Whatever a site declares is a name or a comment in its types and its description, and never a statement. */
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';
import { run } from '../cli/run.ts';
import { startSite } from '../support/site.ts';

const hostile = '*/ evil(); /* ` $' + '{evil()} \\u002a/ */evil()//\u2028evil()\u2029</script><img src=x onerror=evil()>';
const quoted = JSON.stringify(hostile);

it.each(['basic', 'extended'])('declarations of a site of the %s deployment run nothing in its types', async (deployment) => {
  const site = await startSite({
    files: {
      'site.yaml': `name: A
deployment: ${deployment}
types:
  book: { label: ${quoted}, description: ${quoted}, folder: books, rest_base: books }
taxonomies:
  genre: { label: ${quoted}, description: ${quoted}, types: [book] }
fields:
  - key: group_a
    title: ${quoted}
    location: [[{ param: type, value: book }]]
    fields:
      - { key: field_a, name: isbn, label: ${quoted}, instructions: ${quoted}, type: text, public: true }
      - { key: field_b, name: kind, label: K, type: select, choices: { ${quoted}: ${quoted} }, public: true }
      - { key: field_c, name: ${quoted}, label: C, type: text, public: true }
`,
    },
  });
  const { status, out, err } = await run(['types', site.dir]);
  await site.close();
  expect([status, err]).toEqual([0, '']);
  expect(out).toContain('evil()');
  const called: string[] = [];
  const look = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    if ((node as { type?: string; name?: string }).type === 'Identifier') called.push((node as { name: string }).name);
    Object.values(node).forEach(look);
  };
  look(parseAst(out, { lang: 'ts' }));
  expect(called).toContain('createClient');
  expect(called).not.toContain('evil');
});
