/** Translation configuration as a module: the document in `site.yaml`, those in `lang/config`, and their effect on fields. */
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { of, type Schemas } from '../../../kernel/model/schema.ts';
import type { Check, Extensions, Module, OpeningSettings } from '../../../kernel/module.ts';
import { configErrors } from './errors.ts';
import { copyOnce, copyValues } from './follow.ts';
import { modeOf, readRules } from './rules.ts';
import { configRule as rule, createConfig, howTo as hint, kindsIn } from './config.ts';
import { standardTaxonomies, standardTypes } from '../../types/index.ts';
import type { PostType } from '../../types/record.ts';
import { configKey, type FieldRule, noRules } from './record.ts';
import { configRoutes } from './routes.ts';
import { validate, validRoot } from './validate.ts';

export { filesBelow } from './files-below.ts';
export { meansName } from './rules.ts';
export { textRulesOf } from './text-rules.ts';

export const translationConfig: Module = {
  name: 'translation-config',
  settings: [
    {
      key: configKey,
      group: 'languages',
      schema: of('string', 'Translation configuration of custom fields, types, taxonomies, blocks and settings, as XML'),
      bounds: { form: 'text', maxLength: 1024 * 1024 },
      default: '',
    },
  ],
  errors: configErrors,
  extend: (settings) => ({ ...namedMeta(settings), item: { prepareWrite: copyOnce } }),
  setup(site) {
    const config = createConfig(site);
    return {
      site: {
        translationConfig: config,
        fieldModes: (kind, name) => modeOf(config.rules, kind, name),
        translatedKinds: (table) => config.kinds[table],
      },
      follow: (changes) => copyValues(site, changes),
      afterLoad: () => config.load(),
      problems: () => config.problems(),
    };
  },
  namespaces: () => [{ name: 'lang/v1', routes: configRoutes }],
  checks: [
    {
      rule,
      severity: 'error',
      *run({ entries }): ReturnType<Check['run']> {
        const text = entries.find(({ path }) => path === 'site.yaml')?.data[configKey];
        if (typeof text !== 'string') return;
        for (const { message, line } of validate(text))
          yield { path: 'site.yaml', keys: [configKey], message: `line ${line} of the document: ${message}`, hint };
      },
    },
  ],
};

/** Fields only named in the document are writable meta; those with `_` are hidden. */
function namedMeta(settings: OpeningSettings): Extensions {
  const stored = settings.stored(configKey);
  const root = typeof stored === 'string' ? validRoot(stored) : null;
  if (root === null) return {};
  const rules = readRules(root);
  const declared = new Set(fieldNames(settings.stored('fields')));
  const metaOf = (fields: ReadonlyMap<string, FieldRule>): Schemas =>
    Object.fromEntries(
      [...fields].flatMap(([name, { mode }]) =>
        mode === 'ignore' || /^_|[*\p{Cc}]/u.test(name) || declared.has(name)
          ? []
          : [[name, { title: '', type: 'string', default: '' }] as const],
      ),
    );
  const isContent = (kind: Pick<PostType, 'public' | 'showInRest'>): boolean => kind.public && kind.showInRest;
  const types = [...standardTypes.filter(isContent).map(({ name }) => name), ...Object.keys(mapOf(settings.stored('types')))];
  const taxonomies = [
    ...standardTaxonomies.filter(isContent).map(({ name }) => name),
    ...Object.keys(mapOf(settings.stored('taxonomies'))),
  ];
  const [ofItems, ofTerms] = [metaOf(rules.fields), metaOf(rules.termFields)];
  return Object.fromEntries([
    ...types.map((name) => [name, { meta: ofItems }] as const),
    ...taxonomies.map((name) => [name, { meta: ofTerms }] as const),
  ]);
}

/** Types and taxonomies that the site's own document excludes from translation. Documents of themes are not read. */
export function untranslatedKinds(settings: Readonly<Record<string, unknown>>): {
  readonly types: ReadonlySet<string>;
  readonly taxonomies: ReadonlySet<string>;
} {
  const text = settings[configKey];
  const root = typeof text === 'string' ? validRoot(text) : null;
  const { types, taxonomies } = root ? readRules(root) : noRules;
  return { types: kindsIn(types).untranslated, taxonomies: kindsIn(taxonomies).untranslated };
}

function fieldNames(groups: unknown): readonly string[] {
  const list = Array.isArray(groups) ? groups : [];
  return list.flatMap((group: unknown) => {
    const fields = isMap(group) && Array.isArray(group.fields) ? (group.fields as unknown[]) : [];
    return fields.flatMap((field) => (isMap(field) && typeof field.name === 'string' ? [field.name] : []));
  });
}
