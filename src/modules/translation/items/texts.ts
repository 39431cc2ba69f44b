/**
 * Which texts of an item, medium or term are translated, and how each is written.
 *
 * Source: reference on languages, 12.1, 12.4, 13.5.
 */
import { createHash } from 'node:crypto';
import { isMap } from '../../../kernel/model/maps.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { hasBlocks } from '../../../render/blocks.ts';
import type { FieldDefinition, FieldValues } from '../../fields/custom-fields/record.ts';
import type { Translated } from '../../languages/record.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { WithSeo } from '../../seo/metadata/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { JobPart } from '../jobs/record.ts';
import { meansName } from '../../languages/config/index.ts';
import type { TextKey } from '../../languages/config/record.ts';
import { type FieldMode, fieldModes } from '../../languages/config/record.ts';
import type { TextFormat } from '../units/record.ts';
import { isMenu, menuShape, menuTexts } from './menus.ts';
import { looseFormat, statedMode } from './modes.ts';
import { seoTexts } from './seo-texts.ts';

type ItemText = Pick<JobPart, 'id' | 'format' | 'text'>;
export type ItemToTranslate = (PostRecord | TermRecord) &
  Pick<Translated, 'lang' | 'translationOf'> &
  WithSeo & { readonly fields?: FieldValues };

export function isTerm(item: PostRecord | TermRecord): item is TermRecord {
  return 'taxonomy' in item;
}

const kindOf = (item: ItemToTranslate): 'post' | 'term' => (isTerm(item) ? 'term' : 'post');

/** Texts in the order in which a translator reads them; empty ones are left out. */
export function textsOf(site: Site, item: ItemToTranslate): readonly ItemText[] {
  const own: ItemText[] = isTerm(item)
    ? [
        { id: 'name', format: 'html', text: item.name },
        { id: 'description', format: 'html', text: item.description },
        ...(isMenu(item) ? menuTexts(item) : []),
      ]
    : [
        { id: 'title', format: 'html', text: item.title },
        ...(isAttachment(item) ? [{ id: 'alt', format: 'plain', text: item.alt } as const] : []),
        { id: 'content', format: bodyFormat(item), text: item.content },
        { id: 'excerpt', format: 'html', text: item.excerpt },
      ];
  return [...own, ...metaTexts(site, item), ...fieldTexts(site, item), ...seoTexts(site, item)].filter(
    ({ text }) => text.trim() !== '',
  );
}

function bodyFormat({ kind, content }: PostRecord): TextFormat {
  if (kind === 'md') return 'markdown';
  return hasBlocks(content) ? 'blocks' : 'html';
}

/** What becomes of a meta value: nothing, unless the site says it, or declares a text of this name. */
export function metaMode(site: Site, item: ItemToTranslate, key: string): FieldMode {
  const definition = definitions(site).get(key);
  return statedMode(site, kindOf(item), key) ?? (definition?.type === 'declared' ? fieldMode(site, item, definition) : 'ignore');
}

function metaTexts(site: Site, item: ItemToTranslate): readonly ItemText[] {
  return Object.entries(item.meta).flatMap(([key, value]) => {
    if (metaMode(site, item, key) !== 'translate') return [];
    if (typeof value === 'string') return [{ id: `meta/${key}`, format: looseFormat(value), text: value }];
    const { fieldTexts = [] } = (site as Partial<Site>).translationConfig?.rules ?? {};
    const paths = fieldTexts.flatMap(([first = '', ...inner]) => (meansName(first, key) ? [inner] : []));
    return paths.length === 0 ? [] : memberTexts(value, paths, `meta/${key}`, 0);
  });
}

const maxDepth = 20;

/** Texts of a structured value that a configuration names under `custom-fields-texts`; a key without any below it means all in it. */
function memberTexts(value: unknown, paths: readonly TextKey[], id: string, depth: number): readonly ItemText[] {
  if (typeof value === 'string')
    return paths.some(({ length }) => length === 0) ? [{ id, format: looseFormat(value), text: value }] : [];
  if ((!isMap(value) && !Array.isArray(value)) || depth > maxDepth) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const inner = paths.flatMap(([first, ...rest]) => (first === undefined ? [[]] : meansName(first, name) ? [rest] : []));
    return inner.length === 0 ? [] : memberTexts(one, inner, `${id}/${name}`, depth + 1);
  });
}

const textTypes = new Set(['text', 'textarea', 'wysiwyg']);

/** What becomes of a custom field: its declaration may say `translation`; texts are translated, everything else is copied. */
export function fieldMode(site: Site, item: ItemToTranslate, definition: FieldDefinition): FieldMode {
  const declared = fieldModes.find((mode) => mode === definition.options.translation);
  const hasMembers = definition.fields.length > 0 || definition.layouts.size > 0;
  const isText = textTypes.has(definition.type) || isFreeText(definition);
  return declared ?? statedMode(site, kindOf(item), definition.name) ?? (isText || hasMembers ? 'translate' : 'copy');
}

/** A field of a type of the site's that takes any text. */
function isFreeText({ type, options }: FieldDefinition): boolean {
  const { type: kind, enum: words, format, pattern } = (isMap(options.schema) ? options.schema : {}) as Schema;
  return type === 'declared' && kind === 'string' && !words && !format && !pattern;
}

function definitions(site: Site): ReadonlyMap<string, FieldDefinition> {
  const { fieldGroups = [] } = site as Partial<Site>;
  return new Map(fieldGroups.flatMap((group) => group.fields).map((definition) => [definition.name, definition]));
}

/** Definitions by name, of those that the item has values of. */
export function fieldsWithValues(site: Site, { fields = {} }: ItemToTranslate): readonly (readonly [FieldDefinition, unknown])[] {
  const all = definitions(site);
  return Object.entries(fields).flatMap(([name, value]) => {
    const definition = all.get(name);
    return definition ? [[definition, value] as const] : [];
  });
}

function fieldTexts(site: Site, item: ItemToTranslate): readonly ItemText[] {
  return fieldsWithValues(site, item).flatMap(([definition, value]) =>
    valueTexts(site, item, definition, value, `fields/${definition.name}`),
  );
}

/** Texts of a value, and of the members and rows in it. */
function valueTexts(
  site: Site,
  item: ItemToTranslate,
  definition: FieldDefinition,
  value: unknown,
  id: string,
): readonly ItemText[] {
  if (fieldMode(site, item, definition) !== 'translate') return [];
  if (typeof value === 'string')
    return [{ id, format: definition.type === 'wysiwyg' ? 'html' : looseFormat(value), text: value }];
  if (Array.isArray(value)) return value.flatMap((row, at) => valueTexts(site, item, definition, row, `${id}/${at}`));
  if (!isMap(value)) return [];
  const members = [...definition.fields, ...[...definition.layouts.values()].flat()];
  return Object.entries(value).flatMap(([name, one]) => {
    const member = members.find((known) => known.name === name);
    return member ? valueTexts(site, item, member, one, `${id}/${name}`) : [];
  });
}

/** A value with the texts that were translated. */
export function withTexts(value: unknown, id: string, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(id) ?? value;
  if (Array.isArray(value)) return value.map((row, at) => withTexts(row, `${id}/${at}`, texts));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, `${id}/${name}`, texts)]));
}

/** Of the texts themselves, whatever their line ends. */
export function hashOf(texts: readonly ItemText[], more: readonly string[] = []): string {
  const all = [...texts.map(({ id, text }) => `${id}=${text.replace(/\r\n?/g, '\n')}`), ...more];
  return createHash('md5').update(all.join(';')).digest('hex');
}

/** What a translation is out of date after a change of: the texts, the values that are copied once, the names of the terms. */
export function originalHash(site: Site, item: ItemToTranslate): string {
  const terms = isTerm(item) ? {} : item.terms;
  const names = Object.entries(terms)
    .filter(([, ids]) => ids.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([taxonomy, ids]) =>
        `${taxonomy}:${ids
          .map((id) => site.terms.get(id)?.name ?? '')
          .sort()
          .join(',')}`,
    );
  const once = fieldsWithValues(site, item)
    .filter(([definition]) => fieldMode(site, item, definition) === 'copy-once')
    .map(([{ name }, value]) => `${name}:${JSON.stringify(value)}`);
  return hashOf(textsOf(site, item), [...names, ...once, ...(isMenu(item) ? menuShape(item) : [])]);
}
