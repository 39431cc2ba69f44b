/**
 * What a site says of translating: `translation:` in `site.yaml`.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Setting } from '../../../kernel/model/settings.ts';
import type { Settings } from '../../../kernel/site/settings.ts';
import { type FieldMode, fieldModes } from '../../languages/config/record.ts';
import { type XliffVersion, xliffVersions } from '../xliff/record.ts';

const reviews = ['none', 'before-publish', 'after-publish'] as const;

interface TranslationSettings {
  /** Of what machines have translated: none, before it is published, or after. */
  readonly review: (typeof reviews)[number];
  readonly xliff: XliffVersion;
  /** The slug of a new translation: that of its original, or one made of its title. */
  readonly slugs: 'original' | 'title';
  /** Block → its attributes that are texts, beside those that are known. */
  readonly blocks: Readonly<Record<string, readonly string[]>>;
  /** Name of a meta value or custom field → what becomes of it. */
  readonly fields: Readonly<Record<string, FieldMode>>;
}

const names = { type: 'array', items: { type: 'string' } } as const;

export const settings: readonly Setting[] = [
  {
    key: 'translation',
    group: 'languages',
    schema: of('object', 'Translation options', {
      properties: {
        review: { type: 'string', enum: [...reviews], description: 'Whether people review what machines have translated' },
        xliff: { type: 'string', enum: [...xliffVersions], description: 'Version of the documents for translators' },
        slugs: { type: 'string', enum: ['original', 'title'], description: 'What the slug of a new translation is made of' },
        blocks: { type: 'object', description: 'Attributes of blocks that are texts', additionalProperties: names },
        fields: {
          type: 'object',
          description: 'What becomes of meta values and custom fields in translations',
          additionalProperties: { type: 'string', enum: [...fieldModes] },
        },
      },
    }),
    default: {},
  },
];

const read = new WeakMap<object, TranslationSettings>();

/** As they are now; what cannot be used has its default and is a problem of `site.yaml`. */
export function translationSettings({ settings: all }: { readonly settings: Pick<Settings, 'value'> }): TranslationSettings {
  const stored = mapOf(all.value('translation'));
  const known = read.get(stored);
  if (known) return known;
  const { review, xliff, slugs, blocks, fields } = stored;
  const found: TranslationSettings = {
    review: reviews.find((one) => one === review) ?? 'none',
    xliff: xliffVersions.find((one) => one === String(xliff)) ?? '1.2',
    slugs: slugs === 'title' ? 'title' : 'original',
    blocks: Object.fromEntries(
      Object.entries(mapOf(blocks)).map(([name, keys]) => [name, Array.isArray(keys) ? keys.map(String) : []]),
    ),
    fields: Object.fromEntries(
      Object.entries(mapOf(fields)).flatMap(([name, mode]) => {
        const one = fieldModes.find((word) => word === mode);
        return one ? [[name, one]] : [];
      }),
    ),
  };
  read.set(stored, found);
  return found;
}
