/**
 * Blocks as they are shown: each from the inside out, with the classes and attributes that an editor leaves out.
 *
 * What a block shows follows from its markup (`saved-blocks.ts`), or from what the site has: then a renderer that the run brings is
 * asked. Blocks deeper than `deepest` are shown as they are saved. Source: behaviour of the reference (7.1) with its default theme.
 */
import { validateValue } from '../kernel/rest/validate.ts';
import type { Schema } from '../kernel/model/schema.ts';
import { bindBlock } from './bindings.ts';
import { prepareBlock, withSupports } from './block-supports.ts';
import { type BlockType, blockTypes } from './block-types.ts';
import { type Block, parseBlocks, renderBlock } from './blocks.ts';
import { type BlockContext, type BlockRun, createNumbers, type LiveBlock } from './live-block.ts';
import { finishedBlocks, savedBlocks } from './saved-blocks.ts';

const deepest = 100;

/** The markup of a text as readers see it, before typography. Cost: linear, and what its renderers cost. */
export function showBlocks(raw: string, run: BlockRun, context: BlockContext = {}): string {
  return parseBlocks(raw)
    .map((block) => showBlock(block, run, context, 0))
    .join('');
}

/** A showing of a text that depends on nothing but itself. */
export function createRun(): BlockRun {
  return { renderer: () => undefined, ...createNumbers() };
}

/** @param around  layout that the block around it names */
export function showBlock(parsed: Block, run: BlockRun, context: BlockContext, depth: number, around?: unknown): string {
  if (parsed.name === null || depth > deepest) return renderBlock(parsed);
  const type = blockTypes.get(parsed.name);
  const prepared = prepareBlock(parsed, type, run);
  const block = bindBlock(prepared, type, context, run.bound ?? (() => undefined));
  const live = liveBlock(block, type, run, context, depth);
  const renderer = run.renderer(block.name as string) ?? savedBlocks[block.name as string];
  const html = renderer ? renderer(live) : live.content();
  const shown = withSupports(html, block, type, run, around);
  const finish = finishedBlocks[block.name as string];
  return finish ? finish(shown, live) : shown;
}

function liveBlock(block: Block, type: BlockType | undefined, run: BlockRun, context: BlockContext, depth: number): LiveBlock {
  const attributes = type ? attributesOf(block, type) : (block.attrs ?? {});
  const told = tell(context, attributes, type);
  const showInner = (inner: Block, more: BlockContext | undefined): string =>
    showBlock(inner, run, more ? { ...told, ...more } : told, depth + 1, block.attrs?.layout);
  return {
    block,
    attributes,
    context,
    run,
    content(more) {
      if (block.innerBlocks.length === 0) return block.innerHTML;
      let next = 0;
      return block.innerContent.map((chunk) => chunk ?? showInner(block.innerBlocks[next++] as Block, more)).join('');
    },
    inner: (more) => block.innerBlocks.map((inner) => showInner(inner, more)),
    *eachInner(more) {
      for (const inner of block.innerBlocks) yield showInner(inner, more);
    },
  };
}

/** What the blocks within know: all that this one knows, and what it says itself. */
function tell(context: BlockContext, attributes: Readonly<Record<string, unknown>>, type: BlockType | undefined): BlockContext {
  const given = Object.entries(type?.provides ?? {}).filter(([, attribute]) => attributes[attribute] !== undefined);
  if (given.length === 0) return context;
  return { ...context, ...Object.fromEntries(given.map(([name, attribute]) => [name, attributes[attribute]])) };
}

/** Attributes of a block as what shows it takes them: what does not fit its schema is as if it were not said. */
function attributesOf({ attrs }: Block, type: BlockType): Readonly<Record<string, unknown>> {
  const out = { ...defaultsOf(type) };
  for (const [name, value] of Object.entries(attrs ?? {})) {
    const schema = Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
    if (!schema || fits(value, schema)) out[name] = value;
  }
  return out;
}

const knownDefaults = new WeakMap<BlockType, Readonly<Record<string, unknown>>>();

function defaultsOf(type: BlockType): Readonly<Record<string, unknown>> {
  let found = knownDefaults.get(type);
  if (!found) {
    const said = Object.entries(type.attributes).filter(([, schema]) => schema.default !== undefined);
    found = Object.fromEntries(said.map(([name, schema]) => [name, schema.default]));
    knownDefaults.set(type, found);
  }
  return found;
}

function fits(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  const { type } = schema;
  if (type === 'string') return typeof value === 'string' && (!schema.enum || (schema.enum as unknown[]).includes(value));
  if (type === 'rich-text') return typeof value === 'string';
  return validateValue(value, schema as Schema, '') === null;
}
