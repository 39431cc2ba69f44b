/** docs/validate.md against the table of rules: every rule is there as it is declared, and finds its example in examples.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declaredBy } from '../../src/modules/types/declarations.ts';
import { ruleOf, rules } from '../../src/validate/rules.ts';
import type { Rule } from '../../src/kernel/model/remark.ts';
import { standardTaxonomies } from '../../src/modules/types/taxonomies.ts';
import { standardTypes } from '../../src/modules/types/types.ts';
import { parseEntry } from '../../src/kernel/yaml/codec.ts';
import { kindOf } from '../../src/kernel/store/paths.ts';
import { contentOf, findings, sound } from './findings.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/validate.md'), 'utf8');
const examplesPage = readFileSync(join(import.meta.dirname, 'examples.md'), 'utf8');

/** Rules that no text of a file can show. */
const untold = new Set([
  'yaml-depth',
  'invalid-utf8',
  'too-large',
  'unreadable',
  'half-written',
  'operator-file',
  'plugin-in-repository',
  'folder-unreadable',
  'lost-address',
  'no-repository',
]);

/** Name → severity and text of its item in the page. */
const items = new Map(
  [...page.matchAll(/^- `([a-z0-9-]+)` \((error|warning|note)\): (.*)$/gm)].map(
    ([, name = '', severity, text = '']) => [name, { severity, text }] as const,
  ),
);

/** Name → files with something that the rule finds. */
const examples = new Map(
  examplesPage
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = '', ...lines] = section.split('\n');
      const files = [...lines.join('\n').matchAll(/^`([^`\n]+)`\n\n````text\n([\s\S]*?)````$/gm)];
      return [name, Object.fromEntries(files.map(([, path = '', text = '']) => [path, text]))] as const;
    }),
);

/** What readers of the folder say of a file, before anything is validated. */
function unreadable(path: string, text: string): string | undefined {
  if (!['md', 'html', 'yaml'].includes(kindOf(path) ?? '')) return undefined;
  const parsed = parseEntry(path, Buffer.from(text), { size: text.length, mtimeMs: 0 });
  return 'problem' in parsed ? parsed.problem.rule : undefined;
}

describe('docs/validate.md', () => {
  it('has every rule, in order, and no other', () => {
    expect([...items.keys()]).toEqual(Object.keys(rules));
  });

  it.each(Object.entries<Rule>(rules))('%s', async (name, { severity, about, help, fix }) => {
    const item = items.get(name);
    expect(item?.severity).toBe(severity);
    expect(item?.text).toContain(about);
    expect(item?.text).toContain(help);
    expect(/`--fix` ([^`]*)\.$/.exec(item?.text ?? '')?.[1]).toBe(fix);
    const files = examples.get(name) ?? {};
    if (untold.has(name) || name.startsWith('not-read-')) {
      expect(files).toEqual({});
      return;
    }
    const [broken] = Object.entries(files).flatMap(([path, text]) => unreadable(path, text) ?? []);
    if (broken !== undefined) {
      expect(broken).toBe(name);
      return;
    }
    const all = { ...sound, ...files };
    const { entries } = contentOf(all);
    const site = entries.find(({ path }) => path === 'site.yaml');
    const found = [...declaredBy(site, standardTypes, standardTaxonomies).problems, ...(await findings(all))];
    const meant = found.filter((one) => ruleOf(one.rule) === name);
    expect(meant.length, JSON.stringify(found)).toBeGreaterThan(0);
    for (const one of meant) expect(one.severity).toBe(severity);
    // The example shows its rule; what else is wrong with it would only confuse.
    expect(found.filter((one) => one.severity === 'error' && ruleOf(one.rule) !== name)).toEqual([]);
  });
});

describe('rules', () => {
  it('cover every error of the store', () => {
    const kernel = join(import.meta.dirname, '../../src/kernel');
    const files = ['store', 'yaml'].flatMap((name) =>
      readdirSync(join(kernel, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(kernel, name, file)),
    );
    const words = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:YamlFault\(\s*|rule: (?:\w+ === '\w+' \? )?)'([a-z][a-z0-9-]+)'/g)].map(
        ([, word]) => word as string,
      ),
    );
    expect(words.length).toBeGreaterThan(10);
    expect(words.filter((word) => ruleOf(word) === undefined)).toEqual([]);
  });
});
