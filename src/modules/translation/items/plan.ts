/**
 * The files of a translated item, planned as any other write of it: a new item beside its original, or the texts of the one that there
 * is. What the translation has of its own (slug, date, status) stays.
 *
 * Source: reference on languages, 12.3, 13.3.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';
import type { FieldDefinition } from '../../fields/custom-fields/record.ts';
import { prepareTranslation } from '../../languages/index.ts';
import { planAttachmentUpdate } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { planCreate, planUpdate } from '../../content/posts/index.ts';
import type { PostInput, PostRecord } from '../../content/posts/record.ts';
import { planTermCreate, planTermUpdate } from '../../content/terms/index.ts';
import type { WithSeo } from '../../seo/metadata/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { translationSettings } from '../jobs/index.ts';
import type { SubjectPlan } from '../jobs/record.ts';
import type { Taxonomy } from '../../types/record.ts';
import { translateLinks } from './links.ts';
import { isMenu, type Menu, planMenu } from './menus.ts';
import { seoOf } from './seo-texts.ts';
import { fieldMode, fieldsWithValues, type ItemToTranslate, isTerm, metaMode, withTexts } from './texts.ts';

/** Who writes where nobody is signed in: the command line, a callback. */
const service: Actor = { id: 0, roles: ['administrator'] };

/** What somebody may do is worked out once for each. */
const writers = new Map<number, Actor>([[service.id, service]]);

function writerOf(id: number): Actor {
  const known = writers.get(id) ?? { ...service, id };
  writers.set(id, known);
  return known;
}

type Texts = ReadonlyMap<string, string>;

export function planTranslation(
  site: PlanningSite,
  source: ItemToTranslate,
  present: ItemToTranslate | undefined,
  code: string,
  texts: Texts,
  by: Actor | null,
  isHeld: boolean,
): SubjectPlan {
  const user = by ?? service;
  // New text is filtered where it is received; the rest is the original's, and not filtered for the translator.
  const writer = writerOf(user.id);
  if (isMenu(source)) return planMenu(site, source, present as Menu | undefined, code, texts, user);
  if (isTerm(source)) return planTerm(site, source, present as TermRecord | undefined, code, texts, user);
  const input = postInput(site, source, present, code, texts);
  if (present && isAttachment(present as PostRecord)) {
    const { kind: _, ...ofMedia } = input;
    return planned(planAttachmentUpdate(site, writer, present as never, { ...ofMedia, ...altOf(texts) }));
  }
  if (present) return planned(planUpdate(site, writer, present as PostRecord, input));
  const { slugs } = translationSettings(site);
  const made = {
    ...input,
    author: source.author,
    ...(slugs === 'original' && source.slug !== '' ? { slug: source.slug } : {}),
    ...(isHeld ? { status: 'draft' } : {}),
    ...besideOf(site, source, slugs === 'original'),
  };
  const { input: all, changes = [], once } = prepareTranslation({ site, user }, source, code, made);
  const plan = planCreate(site, writer, source.type, all as PostInput);
  return { changes: [...plan.changes, ...changes], item: plan.result, ...(once ? { once } : {}) };
}

/** Beside its original, with its name; in a hierarchy the parents say where. */
function besideOf(site: Site, { type, path, kind }: PostRecord, isNamedAlike: boolean): Pick<PostInput, 'beside'> {
  if (!isNamedAlike || kind === 'yaml' || site.types.get(type)?.hierarchical) return {};
  return { beside: site.refs.marks?.plain(path) ?? path };
}

/** Publishes a translation that waited for its review, as its original is. */
export function planRelease(
  site: PlanningSite,
  source: ItemToTranslate,
  present: ItemToTranslate | undefined,
  by: Actor | null,
): SubjectPlan {
  if (!present || isTerm(present) || isTerm(source) || present.status !== 'draft' || source.status !== 'publish')
    return { changes: [], item: present?.id ?? 0 };
  return planned(planUpdate(site, by ?? service, present, { status: 'publish' }));
}

function planned({ changes, result, once }: WritePlan<number>): SubjectPlan {
  return { changes, item: result, ...(once ? { once } : {}) };
}

function planTerm(
  site: PlanningSite,
  source: TermRecord & ItemToTranslate,
  present: TermRecord | undefined,
  code: string,
  texts: Texts,
  user: Actor,
): SubjectPlan {
  const taxonomy = site.taxonomies.get(source.taxonomy) as Taxonomy;
  const input = {
    name: texts.get('name') ?? source.name,
    ...(texts.has('description') ? { description: texts.get('description') as string } : {}),
    ...valuesOf(site, source, present as ItemToTranslate | undefined, code, texts),
  };
  if (present) return planned(planTermUpdate(site, taxonomy, present, input));
  const parent = source.parent === 0 ? 0 : site.translations.idIn('terms', source.parent, code);
  const { input: all, changes = [], once } = prepareTranslation({ site, user }, source, code, { ...input, parent });
  const plan = planTermCreate(site, taxonomy, all);
  return { changes: [...plan.changes, ...changes], item: plan.result, ...(once ? { once } : {}) };
}

function altOf(texts: Texts): { readonly alt?: string } {
  const alt = texts.get('alt');
  return alt === undefined ? {} : { alt };
}

/** What a translation has of texts and values; a text that the original has no more is gone. */
function postInput(
  site: Site,
  source: PostRecord & ItemToTranslate,
  present: ItemToTranslate | undefined,
  code: string,
  texts: Texts,
): PostInput {
  return {
    title: texts.get('title') ?? source.title,
    content: translateLinks(site, texts.get('content') ?? source.content, code),
    excerpt: texts.get('excerpt') ?? source.excerpt,
    ...(isAttachment(source) ? {} : { kind: source.kind }),
    ...valuesOf(site, source, present, code, texts),
  };
}

interface Values {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly seo?: WithSeo['seo'];
}

/** Meta, custom fields and what search engines are told, by their modes: translated, copied each time or once, or left alone. */
function valuesOf(site: Site, source: ItemToTranslate, present: ItemToTranslate | undefined, code: string, texts: Texts): Values {
  const meta: Record<string, unknown> = { ...present?.meta };
  for (const [key, value] of Object.entries(source.meta)) {
    const mode = metaMode(site, source, key);
    if (mode === 'ignore' || (mode === 'copy-once' && present)) continue;
    meta[key] = mode === 'translate' ? withTexts(value, `meta/${key}`, texts) : value;
  }
  const fields: Record<string, unknown> = { ...present?.fields };
  for (const [definition, value] of fieldsWithValues(site, source)) {
    const mode = fieldMode(site, source, definition);
    if (mode === 'ignore' || (mode === 'copy-once' && present)) continue;
    fields[definition.name] = inLanguage(site, definition, withTexts(value, `fields/${definition.name}`, texts), code);
  }
  const isMetaSame =
    Object.keys(meta).length === Object.keys(present?.meta ?? {}).length && Object.keys(source.meta).length === 0;
  return {
    ...(isMetaSame ? {} : { meta }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...seoOf(site, source, present, code, texts),
  };
}

/** Ids of items and terms as those of their translations, where there are any. */
function inLanguage(site: Site, { kind, type }: FieldDefinition, value: unknown, code: string): unknown {
  const table = type === 'taxonomy' ? 'terms' : 'posts';
  if (!kind.references || type === 'user') return value;
  const own = (id: unknown): unknown => (typeof id === 'number' ? site.translations.idIn(table, id, code) || id : id);
  return Array.isArray(value) ? value.map(own) : own(value);
}
