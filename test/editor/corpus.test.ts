/**
 * Texts as people and generators have written them, opened on the page where people write: one block is changed, and every other line
 * keeps its bytes. Those of this repository, and the published sites of `../shared/corpus` where they are.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { documentOf, readText } from '../../editor/markdown/read.ts';
import { saveText } from '../../editor/markdown/save.ts';
import { schema } from '../../editor/markdown/schema.ts';

const repository = join(import.meta.dirname, '../..');
const corpus = join(repository, '../shared/corpus');
if (!existsSync(corpus)) console.warn('no published sites at ../shared/corpus: their texts are not edited');

/** Texts without what stands above them, by their path. */
function textsIn(folder: string): readonly (readonly [string, string])[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [relative(repository, join(folder, name)), text.replace(/^(---|\+\+\+)\r?\n[\s\S]*?\n\1\r?\n/, '')] as const;
    });
}

const texts = [
  ...['content', 'docs'].flatMap((name) => textsIn(join(repository, name))),
  ...['README.md', 'CHANGELOG.md'].map((name) => [name, readFileSync(join(repository, name), 'utf8')] as const),
  ...textsIn(corpus),
];

/** A block with one more word at the end of its last text; null where it has none. */
function withWord(block: Node): Node | null {
  if (block.type === schema.nodes.island) return block.type.create({ source: `${block.attrs.source} more` });
  const children = [...block.children];
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at] as Node;
    const isText = child.isText && /\p{L}/u.test(child.text ?? '');
    const next = isText ? schema.text(`${child.text?.trimEnd()} more`, child.marks) : child.isLeaf ? null : withWord(child);
    if (next) return block.type.create(block.attrs, children.with(at, next));
  }
  return null;
}

describe('a text as it was written', () => {
  it('is there: content and pages of this repository', () => {
    expect(texts.length).toBeGreaterThan(40);
  });

  it.each(texts)('%s', (_, text) => {
    const original = readText(text);
    const { blocks, gaps } = original;
    const nodes = documentOf(original).children;
    expect(saveText(original, documentOf(original))).toBe(text);
    // A few of each: one that is changed costs a comparison with all others.
    const step = Math.max(1, Math.floor(blocks.length / 12));
    for (let at = 0; at < blocks.length; at += step) {
      const next = withWord(nodes[at] as Node);
      if (!next) continue;
      const saved = saveText(original, schema.node('doc', null, nodes.with(at, next)));
      const sources = blocks.map(({ source }) => source);
      const before = sources.slice(0, at).reduce((all, source, i) => all + gaps[i] + source, '') + gaps[at];
      const after = sources.slice(at + 1).reduce((all, source, i) => all + source + gaps[at + i + 2], gaps[at + 1] as string);
      const isKept = saved.startsWith(before) && saved.endsWith(after);
      expect(isKept || saved, `block ${at}: ${sources[at]}`).toBe(true);
      const changed = saved.slice(before.length, saved.length - after.length);
      // Only lines in which the word is: a block of many lines keeps the others.
      const own = new Set((sources[at] as string).split('\n'));
      expect(
        changed.split('\n').filter((line) => !own.has(line) && !line.includes('more')),
        `block ${at}: ${sources[at]}`,
      ).toEqual([]);
    }
  });
});
