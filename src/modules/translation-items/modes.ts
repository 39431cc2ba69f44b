/**
 * What a site says of the values of its items in translations, by their names.
 */
import type { Site } from '../../kernel/site/site.ts';
import { type FieldMode, translationSettings } from '../translation-jobs/index.ts';

/** What `translation.fields`, or a configuration of languages, says of a name; undefined: nothing. */
export function statedMode(site: Site, kind: 'post' | 'term', name: string): FieldMode | undefined {
  const { fieldModes: others } = site as Site & {
    readonly fieldModes?: (kind: 'post' | 'term', key: string) => FieldMode | undefined;
  };
  return translationSettings(site).fields[name] ?? others?.(kind, name);
}
