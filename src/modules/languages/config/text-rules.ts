/**
 * Rules for the segmentation of blocks and shortcodes. Only rules that depend on the text alone have an effect.
 *
 * Source: reference on languages, 3.3.
 */
import type { BlockTexts, ShortcodeTexts, TextRules } from './record.ts';
import type { ConfigRules, RulePart } from './record.ts';
import { meansName } from './rules.ts';

/** Types that are not texts. */
const foreign = new Set(['link', 'media-url', 'media-ids', 'post-ids', 'taxonomy-ids']);

/** @param attributes  additional text attributes of blocks */
export function textRulesOf(
  { blocks, shortcodes }: Pick<ConfigRules, 'blocks' | 'shortcodes'>,
  attributes: Readonly<Record<string, readonly string[]>>,
): TextRules {
  return {
    block(name): BlockTexts | undefined {
      const rule = blocks.get(name);
      const known = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (!rule && !known) return undefined;
      const { label = '', isTranslated = true, parts = [] } = rule ?? {};
      return {
        label,
        isLeftAlone: !isTranslated,
        attribute: (path) =>
          parts.find((part) => isText(part) && meansPath(part, path))?.label ??
          (path.length === 1 && known?.includes(path[0] as string) ? '' : null),
      };
    },
    shortcode(name): ShortcodeTexts | undefined {
      const rule = shortcodes.get(name);
      return rule && { ...rule, isVerbatim: rule.ignoresContent, attribute: (one) => rule.attributes.get(one) ?? null };
    },
  };
}

function isText({ kind, type }: RulePart): boolean {
  return kind === 'key' && !foreign.has(type.toLowerCase());
}

function meansPath({ path: pattern }: RulePart, path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((name, at) => meansName(name, path[at] as string));
}
