/**
 * What a site says of the values of its items in translations, by their names, and how a value is written that nothing is said of.
 */
import type { Site } from '../../../kernel/site/site.ts';
import type { FieldMode } from '../../languages/config/record.ts';
import { translationSettings } from '../jobs/index.ts';
import type { TextFormat } from '../units/record.ts';

/** What `translation.fields`, or a configuration of languages, says of a name; undefined: nothing. */
export function statedMode(site: Site, kind: 'post' | 'term', name: string): FieldMode | undefined {
  return translationSettings(site).fields[name] ?? site.fieldModes?.(kind, name);
}

/** A value that may be markup. */
export function looseFormat(text: string): TextFormat {
  return /<[a-z/!]|&(?:#\w+|[a-z]+);/i.test(text) ? 'html' : 'plain';
}
