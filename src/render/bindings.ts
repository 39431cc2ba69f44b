/**
 * Attributes of blocks whose values come from elsewhere: from the post or the term around them, or from the pattern they are in.
 *
 * Source: behaviour of the reference (7.1).
 */
import { isScalar } from '../kernel/model/scalars.ts';
import { asMap, at } from './attribute-path.ts';
import type { BlockType } from './block-types.ts';
import type { Block } from './blocks.ts';
import { filterHtml } from './filter.ts';
import type { BlockContext } from './live-block.ts';
import { openingTag, type Tag, tagsFrom, withAttribute } from './tags.ts';

/** What a binding asks for. */
export interface BindingQuestion {
  /** `core/post-data`. */
  readonly source: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly block: Block;
  readonly context: BlockContext;
}

/** A value; null or undefined: what the block has itself. */
type BindingSource = (question: BindingQuestion) => unknown;

/** The block with the values that its attributes come to, in its markup as well. */
export function bindBlock(block: Block, type: BlockType | undefined, context: BlockContext, ask: BindingSource): Block {
  const bindings = asMap(at(block.attrs, 'metadata.bindings'));
  const names = bindings && type?.bindable;
  if (!names) return block;
  const values: Record<string, unknown> = {};
  const usual = at(bindings, '__default.source') === overrides ? { source: overrides } : undefined;
  for (const name of names) {
    const binding = at(bindings, name) ?? usual;
    const source = at(binding, 'source');
    if (typeof source !== 'string') continue;
    const value =
      source === overrides
        ? overridden(block, name, context)
        : ask({ source, args: asMap(at(binding, 'args')) ?? {}, block, context });
    if (isScalar(value)) values[name] = value;
  }
  const bound = Object.entries(values);
  if (bound.length === 0) return block;
  const write = (html: string): string =>
    bound.reduce((out, [name, value]) => withValue(out, type.attributes[name] ?? {}, String(value)), html);
  let isWritten = false;
  const innerContent = block.innerContent.map((chunk) => {
    if (chunk === null || isWritten) return chunk;
    isWritten = true;
    return write(chunk);
  });
  return { ...block, attrs: { ...block.attrs, ...values }, innerHTML: write(block.innerHTML), innerContent };
}

const overrides = 'core/pattern-overrides';

/** What the block around a pattern says in place of a block of it, by its name. */
function overridden(block: Block, attribute: string, context: BlockContext): unknown {
  const name = at(block.attrs, 'metadata.name');
  const all = asMap(context['pattern/overrides']);
  const own = typeof name === 'string' && all && Object.hasOwn(all, name) ? asMap(all[name]) : undefined;
  return own && Object.hasOwn(own, attribute) ? own[attribute] : undefined;
}

/** The markup with the value of an attribute where it stands in it. */
function withValue(html: string, schema: Readonly<Record<string, unknown>>, value: string): string {
  const { source, selector, attribute } = schema;
  if (typeof selector !== 'string') return html;
  const names = selector.split(',').map((name) => name.trim());
  const tag = openingTag(html, ({ name }) => names.includes(name));
  if (!tag) return html;
  if (source === 'attribute') return typeof attribute === 'string' ? withAttribute(html, tag, attribute, value) : html;
  if (source !== 'rich-text' && source !== 'html') return html;
  const end = closingOf(html, tag);
  return end === undefined ? html : html.slice(0, tag.end) + filterHtml(value, 'post') + html.slice(end.start);
}

function closingOf(html: string, opening: Tag): Tag | undefined {
  let depth = 0;
  for (const tag of tagsFrom(html, opening.end)) {
    if (tag.name !== opening.name) continue;
    if (!tag.isClosing) depth += 1;
    else if (depth === 0) return tag;
    else depth -= 1;
  }
  return undefined;
}
