/**
 * The site as the domain's writers and address makers know it, made of a plan: what they ask of a site's records (names of
 * things by their ids, addresses of posts) is answered without a record in memory.
 */
import type { References } from '../../kernel/model/field.ts';
import { blankPost, type PostRecord } from '../../modules/content/posts/record.ts';
import { logicalPath } from '../../kernel/model/logical-path.ts';
import { findNamed } from '../../kernel/model/named.ts';
import type { TermRecord } from '../../modules/content/terms/record.ts';
import type { UserRecord } from '../../modules/people/users/record.ts';
import { createSettings } from '../../kernel/site/settings.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Entry } from '../../kernel/store/types.ts';
import { type Inventory, thingsNamed } from './inventory.ts';
import type { Naming } from './declarations.ts';
import type { ImportPlan } from './plan.ts';
import { plannedTranslations } from './planned-languages.ts';
import type { PlannedItem } from './planned-item.ts';

export type PlannedSite = Pick<
  Site,
  | 'modules'
  | 'posts'
  | 'terms'
  | 'users'
  | 'types'
  | 'taxonomies'
  | 'statuses'
  | 'settings'
  | 'refs'
  | 'postFields'
  | 'termFields'
  | 'zone'
  | 'media'
> &
  Partial<Pick<Site, 'languages' | 'translations'>>;

/**
 * @param site  `site.yaml` as it will be
 * @param hasBytes  whether the media file at a path is there
 */
export function createPlannedSite(
  inventory: Inventory,
  { model }: Naming,
  plan: ImportPlan,
  site: Entry | undefined,
  hasBytes: (path: string) => boolean,
): PlannedSite {
  const settings = createSettings(model.settings, site);
  const folders = new Map(model.types.map(({ name, folder }) => [name, folder]));
  const slugOf = (planned: PlannedItem | undefined, existing: { readonly slug: string } | undefined): string | undefined =>
    planned?.slug ?? existing?.slug;

  const idNamed = (scope: string, ref: string | number): number => {
    if (typeof ref === 'number') return ref;
    const { former, shown } = thingsNamed(inventory, scope);
    const found = findNamed<number>(ref, {
      present: (slug) => inventory.slugs.get(`${scope} ${slug}`),
      former: (slug) => former(slug)?.id,
      ...(shown ? { shown: (name) => shown(name)?.id } : {}),
    });
    return found ?? 0;
  };
  const refs: References = {
    termId: (taxonomy, ref) => idNamed(`term:${taxonomy}`, ref),
    termRef(taxonomy, id) {
      const slug = slugOf(plan.termsById.get(id), inventory.byId.terms.get(id));
      return slug !== undefined && inventory.slugs.get(`term:${taxonomy} ${slug}`) === id ? slug : id;
    },
    userId: (ref) => idNamed('user:', ref),
    userRef(id) {
      const slug = slugOf(plan.usersById.get(id), inventory.byId.users.get(id));
      return slug !== undefined && inventory.slugs.get(`user: ${slug}`) === id ? slug : id;
    },
    postId(type, ref) {
      if (typeof ref === 'number') return ref;
      const folder = type === '' ? '' : `${folders.get(type)}/`;
      return inventory.places.get((folder + ref.replace(/^\/+|\/+$/g, '')).toLowerCase()) ?? 0;
    },
    postRef(type, id) {
      const existing = inventory.byId.posts.get(id);
      const place = plan.postsById.get(id)?.place ?? (existing ? logicalPath(existing.path) : '');
      const folder = `${folders.get(type)}/`;
      return place.startsWith(folder) ? place.slice(folder.length) : id;
    },
    defaultTerm(taxonomy) {
      if (taxonomy !== 'category') return 0;
      const stored = settings.stored('default_category');
      return refs.termId(taxonomy, typeof stored === 'string' || typeof stored === 'number' ? stored : 'uncategorized');
    },
    ...(inventory.languages ? { marks: inventory.languages.marks } : {}),
  };

  const dateOf = (planned: PlannedItem): string => planned.header?.date || '1970-01-01T00:00:00';
  const posts = {
    get(id: number): PostRecord | undefined {
      const planned = plan.postsById.get(id);
      if (!planned) return undefined;
      const { header, of, slug, parent } = planned;
      return {
        ...blankPost(id, of),
        slug,
        ...(planned.lang === '' ? {} : { lang: planned.lang }),
        status: statusOf(model.statuses, of, header?.status ?? ''),
        date: dateOf(planned),
        author: plan.users.get(header?.author ?? '')?.id ?? 0,
        parent: parent?.id ?? 0,
        terms: { category: (header?.categories ?? []).flatMap((key) => plan.terms.get(key)?.id ?? []) },
      };
    },
  };
  const terms = {
    get(id: number): TermRecord | undefined {
      const planned = plan.termsById.get(id);
      if (!planned) return undefined;
      const { of: taxonomy, slug, lang } = planned;
      return { id, taxonomy, slug, parent: planned.parent?.id ?? 0, ...(lang === '' ? {} : { lang }) } as TermRecord;
    },
  };
  const users = {
    get(id: number): UserRecord | undefined {
      const slug = slugOf(plan.usersById.get(id), inventory.byId.users.get(id));
      return slug === undefined ? undefined : ({ id, slug } as UserRecord);
    },
  };
  return {
    // Of modules none is set up here; what addresses ask of languages is said below.
    modules: inventory.languages ? model.modules : { ...model.modules, address: [] },
    ...(inventory.languages
      ? { languages: inventory.languages.languages, translations: plannedTranslations(plan.postsById, plan.termsById) }
      : {}),
    posts: posts as PlannedSite['posts'],
    terms: terms as PlannedSite['terms'],
    users: users as PlannedSite['users'],
    types: new Map(model.types.map((type) => [type.name, type])),
    taxonomies: new Map(model.taxonomies.map((taxonomy) => [taxonomy.name, taxonomy])),
    statuses: model.statuses,
    settings,
    refs,
    postFields: model.postFields,
    termFields: model.termFields,
    get zone() {
      return settings.value('timezone') as string;
    },
    media: {
      fileOf: ({ path }: Pick<PostRecord, 'path'>) => (hasBytes(logicalPath(path)) ? {} : undefined),
    } as PlannedSite['media'],
  };
}

/** A status that the site knows; others become drafts, so that nothing is published by accident. Only media inherit theirs. */
export function statusOf(statuses: PlannedSite['statuses'], type: string, status: string): string {
  if (type === 'attachment') return status === 'private' || status === 'trash' ? status : 'inherit';
  return status !== 'inherit' && statuses.some(({ name }) => name === status) ? status : 'draft';
}
