/**
 * Fields of languages for items, media and terms.
 *
 * Source: reference on languages, 13.2.
 */
import { type Draft, type Field, FieldProblem, type Fields, forms, text } from '../../kernel/model/field.ts';
import { editOnly, everywhere, of } from '../../kernel/model/schema.ts';
import type { ExtensionLink } from '../../kernel/module.ts';
import type { Call } from '../../kernel/rest/types.ts';
import { canReadPost } from '../people/accounts/record.ts';
import { impliedReference, printReference, readReference, referenceForm } from './file-names.ts';
import { indexKey } from './groups.ts';
import { languageOf, type Translated } from './record.ts';

interface View {
  link(item: Translated): string;
  title?(item: Translated): string;
}

type TranslatedField = Field<Translated & { readonly terms?: unknown }, View>;

const readonly = true;
/** Written together by `prepareWrite`. */
const togetherWithOthers = (): void => undefined;

const langField: TranslatedField = {
  schema: of('string', 'Code of the language of the item.', { context: everywhere }),
  get: ({ lang }) => lang,
  set: togetherWithOthers,
  file: {
    key: 'lang',
    form: forms.text,
    read(raw, draft, { path, refs }) {
      draft.lang = raw === undefined || raw === null ? (refs.language?.(path) ?? '') : text.parse(raw, 'lang');
      withDefaultTerm(draft as Draft<Record<string, unknown>> & Pick<Translated, 'lang' | 'type'>, refs);
    },
    print: ({ lang }, { path, refs }) => (lang === (refs.language?.(path) ?? '') ? undefined : lang),
  },
  index: { equal: ({ lang }) => lang, inViews: true },
};

/** A post without a category gets the default one of its language. */
function withDefaultTerm(
  draft: { terms?: unknown; readonly type?: string; readonly lang: string },
  refs: Parameters<NonNullable<TranslatedField['file']>['read']>[2]['refs'],
): void {
  if (draft.type !== 'post' || refs.defaultTermIn === undefined) return;
  const terms = draft.terms as Readonly<Record<string, readonly number[]>> | undefined;
  const [first, second] = terms?.category ?? [];
  if (first === undefined || second !== undefined || first !== refs.defaultTerm('category')) return;
  const own = refs.defaultTermIn('category', draft.lang);
  if (own !== first) draft.terms = { ...terms, category: [own] };
}

const translationOfField: TranslatedField = {
  schema: of('integer', 'The item that this one translates: 0 for an original.', { context: editOnly }),
  get: (item, _view, { site }: Call) => {
    const original = site.translations.original(item);
    return original.id === item.id ? 0 : original.id;
  },
  set: togetherWithOthers,
  file: {
    key: 'translation_of',
    form: { ...referenceForm, description: 'What it translates: its slug, path or id; false for nothing.' },
    read(raw, draft, { path, refs }) {
      const isSaid = raw !== undefined && raw !== null;
      if (isSaid && typeof raw !== 'string' && typeof raw !== 'number' && raw !== false)
        throw new FieldProblem('translation_of', `translation_of must name an item, not ${JSON.stringify(raw)}`);
      draft.translationOf = isSaid ? readReference(raw, path, refs.folderAt) : impliedReference(path, refs.marks);
    },
    print({ translationOf }, { path, refs }) {
      if (translationOf === undefined || translationOf === impliedReference(path, refs.marks)) return undefined;
      return printReference(translationOf, path, refs.folderAt);
    },
  },
  index: { equal: ({ translationOf }) => indexKey(translationOf) },
};

/** Whether the caller may see an item of the group. */
function mayRead(call: Call, item: Translated & { readonly status?: string }): boolean {
  if (item.status === undefined || item.status === 'publish') return true;
  // The parent of a media item may be hidden.
  return item.status === 'inherit' ? canReadPost(call.site.access, call.user, item as never) : call.can('read_post', item);
}

function readable(call: Call, item: Translated): readonly Translated[] {
  return [...call.site.translations.group(item).values()].filter((one) => one.id === item.id || mayRead(call, one));
}

function othersOf(call: Call, item: Translated): readonly (Translated & { readonly status?: string })[] {
  const others = readable(call, item).filter(({ id }) => id !== item.id) as (Translated & { readonly status?: string })[];
  const isShown = (status: string | undefined): boolean => status === undefined || status === 'publish' || status === 'inherit';
  return call.context === 'edit' ? others : others.filter(({ status }) => isShown(status));
}

export const translatedFields: Fields<Translated, View> = {
  lang: langField,
  locale: {
    schema: of('string', 'Locale of the language of the item.', { context: everywhere, readonly }),
    get: ({ lang }, _view, { site }: Call) => site.languages.of(lang)?.locale ?? '',
  },
  translations: {
    schema: of('object', 'The item in every language: code and id. 0 takes the one of a language out of the group.', {
      context: everywhere,
      additionalProperties: { type: 'integer', minimum: 0 },
    }),
    get: (item, _view, call: Call) => Object.fromEntries(readable(call, item).map(({ lang, id }) => [lang, id])),
    set: togetherWithOthers,
  },
  lang_translations: {
    schema: of('array', 'The item in the other languages.', {
      context: everywhere,
      readonly,
      items: {
        type: 'object',
        properties: {
          lang: { type: 'string' },
          locale: { type: 'string' },
          id: { type: 'integer' },
          title: { type: 'string' },
          link: { type: 'string', format: 'uri' },
          status: { type: 'string' },
        },
      },
    }),
    get: (item, view, call: Call) =>
      othersOf(call, item).map((one) => ({
        lang: one.lang,
        locale: call.site.languages.of(one.lang)?.locale ?? '',
        id: one.id,
        title: view.title?.(one) ?? (one as unknown as { readonly name: string }).name,
        link: view.link(one),
        status: one.status ?? 'publish',
      })),
  },
  lang_fallback: {
    schema: of('boolean', 'The item has no translation into the language of the answer, and is shown in its place.', {
      context: everywhere,
      readonly,
    }),
    get: (item, _view, call: Call) => call.site.translations.standsIn(item, languageOf(call)) || undefined,
  },
  trid: {
    schema: of('integer', 'The group of translations: the id of its original.', { context: editOnly }),
    get: (item, _view, { site }: Call) => site.translations.original(item).id,
    set: togetherWithOthers,
  },
  source_lang: {
    schema: of(['string', 'null'], 'Language of the original; null for an original itself.', { context: editOnly }),
    get: (item, _view, { site }: Call) => {
      const original = site.translations.original(item);
      return original.id === item.id ? null : original.lang;
    },
    set: togetherWithOthers,
  },
  translation_of: translationOfField,
};

/** Links to translations. @param base  route of an item's list; null: none */
export function translationLink(base: (item: Translated, call: Call) => string | null): ExtensionLink {
  return {
    title: 'The item in another language.',
    route: '/{id}',
    of: (item: Translated, call: Call) =>
      othersOf(call, item).flatMap((one) => {
        const list = base(one, call);
        return list === null ? [] : [{ value: one.id, route: `${list}/{id}`, hreflang: one.lang }];
      }),
  };
}
