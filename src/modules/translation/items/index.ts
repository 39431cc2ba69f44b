/**
 * Items, media and terms as what jobs of translation are of, as a module.
 */
import { translationAbility } from './abilities.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Field } from '../../../kernel/model/field.ts';
import { editOnly, of } from '../../../kernel/model/schema.ts';
import type { Module } from '../../../kernel/module.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import { targetsOf } from '../../languages/index.ts';
import { linkOf, termLink } from '../../content/permalinks/record.ts';
import type { JobSubject, StatusRecord, SubjectSource, TranslatedItem } from '../jobs/record.ts';
import { type Direct, elementOf, followDirect, statusName } from './direct.ts';
import { followHands } from './hand-edits.ts';
import { isMenu, menuItems } from './menus.ts';
import { minorEdit } from './minor-edit.ts';
import { isTranslatable } from './overview.ts';
import { planRelease, planTranslation } from './plan.ts';
import { hashOf, type ItemToTranslate, isTerm, originalHash, textsOf } from './texts.ts';

const statusField: Field<ItemToTranslate, unknown> = {
  schema: of('object', 'How far the translations of the item are, by the code of the language.', {
    context: editOnly,
    readonly: true,
    additionalProperties: { type: 'object' },
  }),
  get(item, _view, call: Call) {
    if (!call.can('translate')) return undefined;
    const { languages, translationJobs } = call.site;
    const element = elementOf(item);
    const found = languages.codes.flatMap((code) => {
      const one = translationJobs.statusOf(element, item.id, code);
      if (!one) return [];
      return [
        [code, { status: one.status, needs_update: one.needsUpdate, review_status: one.reviewStatus, job_id: one.job }] as const,
      ];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  },
};

export { type Pair, type PairState, pairStates, translationOverview } from './overview.ts';

export const translationItems: Module = {
  name: 'translation-items',
  setup(site, { planning }) {
    const { subject, hashOfOriginal } = createSubject(planning);
    const direct: Direct = {
      site: planning,
      original: (item) => ({
        ...{ element: elementOf(item), item: item.id, named: statusName(site, item), source: item.lang },
        hash: hashOfOriginal(item),
      }),
    };
    return {
      beforeLoad() {
        site.translationJobs.register(subject);
        site.addedAbilities.push(translationAbility);
      },
      follow: (changes) => followDirect(direct, changes),
      beforeExternal: (batch) => followHands(direct, batch),
    };
  },
  extend: {
    item: { fields: { translation_status: statusField }, prepareWrite: minorEdit },
    term: { fields: { translation_status: statusField }, prepareWrite: minorEdit },
    nav_menu_item: menuItems,
  },
};

function createSubject(site: PlanningSite): {
  readonly subject: JobSubject;
  readonly hashOfOriginal: (item: ItemToTranslate) => string;
} {
  const hashes = new WeakMap<object, { readonly generation: number; readonly hash: string }>();

  const tableOf = (element: string): 'posts' | 'terms' => (element.startsWith('tax_') ? 'terms' : 'posts');
  const itemOf = (element: string, id: number): ItemToTranslate | undefined =>
    site.records.table<ItemToTranslate>(tableOf(element)).get(id);
  const otherOf = ({ element, item, target }: Pick<StatusRecord, 'element' | 'item' | 'target'>): ItemToTranslate | undefined =>
    itemOf(element, site.translations.idIn(tableOf(element), item, target));
  const hrefOf = (item: ItemToTranslate): string =>
    isMenu(item) ? '' : isTerm(item) ? termLink(site, item) : linkOf(site, item, false);

  /** Names of terms are part of it, so that it holds while no term changes. */
  function originalHashOf(item: ItemToTranslate): string {
    const generation = site.records.generationOf('terms');
    const known = hashes.get(item);
    if (known?.generation === generation) return known.hash;
    const hash = originalHash(site, item);
    hashes.set(item, { generation, hash });
    return hash;
  }

  function sourceOf(item: ItemToTranslate): SubjectSource {
    return {
      item: item.id,
      element: elementOf(item),
      title: isTerm(item) ? item.name : item.title,
      lang: item.lang,
      refusal: site.translations.original(item).id === item.id ? null : 'not_original',
      texts: () => textsOf(site, item),
      hash: () => originalHashOf(item),
      href: hrefOf(item),
    };
  }

  const subject: JobSubject = {
    type: 'post',
    find({ id, type }) {
      if (type === 'string' || type === 'package') return null;
      const item = site.taxonomies.has(type) ? itemOf('tax_', id) : itemOf('post_', id);
      if (!item || !isOfType(item, type) || (!isTerm(item) && ['trash', 'auto-draft'].includes(item.status))) return null;
      const source = sourceOf(item);
      return isTranslatable(site, item) ? source : { ...source, refusal: 'untranslatable_type' };
    },
    present({ element, item }) {
      const found = itemOf(element, item);
      return found ? sourceOf(found) : null;
    },
    apply(status, texts, by, isHeld) {
      const source = itemOf(status.element, status.item);
      // Without its original, the group of a translation is unknown.
      if (!source) fail('lang_job_not_open', { reason: 'original_deleted' });
      return planTranslation(site, source, otherOf(status), status.target, texts, by, isHeld);
    },
    release(status, by) {
      const source = itemOf(status.element, status.item);
      return source ? planRelease(site, source, otherOf(status), by) : { changes: [], item: 0 };
    },
    translated(status): TranslatedItem | null {
      const found = otherOf(status);
      if (!found) return null;
      const texts = textsOf(site, found);
      return {
        id: found.id,
        status: isTerm(found) ? 'publish' : found.status,
        href: hrefOf(found),
        hash: hashOf(texts),
        texts: () => new Map(texts.map(({ id, text }) => [id, text])),
      };
    },
    members(element, id) {
      const item = isItem(element) ? itemOf(element, id) : undefined;
      return item ? site.translations.members(item).map((one) => one.id) : [];
    },
    names: {
      of(element, id) {
        const item = isItem(element) ? itemOf(element, id) : undefined;
        return item ? statusName(site, item) : '';
      },
      find(element, translationOf) {
        const taxonomy = element.startsWith('tax_') ? { taxonomy: element.slice(4) } : {};
        const [id = 0] = targetsOf(site.records.table(tableOf(element)), { translationOf, ...taxonomy });
        return id;
      },
      isTranslated: (status) => otherOf(status) !== undefined,
    },
  };
  return { subject, hashOfOriginal: originalHashOf };
}

/** Batches of strings have ids of their own. */
function isItem(element: string): boolean {
  return /^(?:post|tax)_/.test(element);
}

function isOfType(item: ItemToTranslate, type: string): boolean {
  return type === '' || (isTerm(item) ? item.taxonomy : item.type) === type;
}
