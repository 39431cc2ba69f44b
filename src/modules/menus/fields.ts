import type { Modules } from '../../kernel/compose-modules.ts';
import { type Fields, flag, inFile, map, text, texts, toRecord, word } from '../../kernel/model/field.ts';
import { itemTypes, parseItems } from './menu-tree.ts';
import { setMeta } from '../../kernel/rest/meta-input.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { everywhere, of, type Schema, viewAndEdit } from '../../kernel/model/schema.ts';
import type { TermFields } from '../content/terms/record.ts';
import type { MenuRecord, MenuView, MenuItemRecord, MenuItemView } from './record.ts';

/** Key order of a menu file. */
export const menuKeys: readonly string[] = [
  'id',
  'name',
  'slug',
  'description',
  'locations',
  'auto_add',
  'meta',
  'aliases',
  'items',
];

/** The fields of menus: those of terms without archive pages, and two of their own. */
export function menuFields(base: TermFields): TermFields {
  const { count: _count, link: _link, taxonomy: kind, meta: metaField, ...common } = base;
  const own: Fields<MenuRecord, MenuView> = {
    locations: {
      schema: of('array', 'The locations assigned to the menu.', { items: { type: 'string' }, context: viewAndEdit }),
      get: (menu, view) => view.locations(menu),
      file: inFile<MenuRecord, 'locations'>('locations', texts, []),
    },
    auto_add: {
      schema: of('boolean', 'Whether new top-level pages are added to the menu.', { context: viewAndEdit }),
      get: (menu) => menu.autoAdd,
      file: inFile<MenuRecord, 'autoAdd'>('autoAdd', flag, false, 'auto_add'),
    },
    _items: { file: inFile<MenuRecord, 'items'>('items', { parse: parseItems, print: (items) => items }, []) },
  };
  return {
    ...common,
    _taxonomy: kind?.index ? { index: kind.index } : {},
    ...(metaField ? { meta: metaField } : {}),
    ...(own as unknown as TermFields),
  };
}

const title: Schema = of(['string', 'object'], 'The title for the menu item.', {
  context: everywhere,
  properties: {
    raw: of('string', 'Title for the menu item, as it exists in the file.', { context: ['edit'] }),
    rendered: of('string', 'HTML title for the menu item, transformed for display.', { context: everywhere, readonly: true }),
  },
});
const readonly = true;

export type MenuItemFields = Fields<MenuItemRecord, MenuItemView>;

interface ItemOptions {
  /** Statuses that clients may set. */
  readonly statuses: readonly string[];
  readonly meta: Readonly<Record<string, Schema>>;
}

/** The fields of items with those of modules. Target, order and parent are read and written with the tree. */
export function menuItemFields(
  { modules }: { readonly modules: Pick<Modules, 'extendFields'> },
  options: ItemOptions = { statuses: [], meta: {} },
): MenuItemFields {
  return modules.extendFields(ownFields(options), 'nav_menu_item');
}

function ownFields({ statuses, meta }: ItemOptions): MenuItemFields {
  return {
    id: {
      schema: of('integer', 'Unique identifier for the menu item.', { default: 0, minimum: 0, context: everywhere, readonly }),
      get: (item) => item.id,
    },
    title: {
      schema: title,
      get: { raw: (item, view) => view.title(item), rendered: (item, view) => view.rendered(item) },
      set(value, draft) {
        // An empty `raw` is ignored (observed).
        const raw = typeof value === 'string' ? value : scalarText((value as { raw?: unknown }).raw);
        if (typeof value === 'string' || raw !== '') draft.title = raw;
      },
      file: inFile<MenuItemRecord, 'title'>('title', text, ''),
    },
    status: {
      schema: of('string', 'A named status for the menu item.', { enum: statuses, default: 'publish', context: everywhere }),
      get: (item) => item.status,
      set: toRecord('status'),
      file: inFile<MenuItemRecord, 'status'>('status', word(['publish', 'draft']), 'publish'),
    },
    url: {
      schema: of('string', 'The URL to which this menu item points.', { format: 'uri', context: everywhere }),
      get: (item, view) => view.url(item),
      set: toRecord('url'),
    },
    attr_title: {
      schema: of('string', 'Text for the title attribute of the link.', { context: everywhere }),
      get: (item) => item.excerpt,
      set: toRecord('excerpt'),
      file: inFile<MenuItemRecord, 'excerpt'>('excerpt', text, '', 'attr_title'),
    },
    description: {
      schema: of('string', 'The description of this menu item.', { context: everywhere }),
      get: (item, view) => view.description(item),
      set: toRecord('content'),
      file: inFile<MenuItemRecord, 'content'>('content', text, '', 'description'),
    },
    type: {
      schema: of('string', 'The family of objects the item points at.', {
        enum: itemTypes,
        default: 'custom',
        context: everywhere,
      }),
      get: (item) => item.itemType,
      set: toRecord('itemType'),
    },
    type_label: {
      schema: of('string', 'Name of what the item points at.', { context: everywhere, readonly }),
      get: (item, view) => view.typeLabel(item),
    },
    object: {
      schema: of('string', 'The type or taxonomy the item points at.', { context: everywhere }),
      get: (item, view) => view.object(item),
      set: toRecord('object'),
    },
    object_id: {
      schema: of('integer', 'The ID of what the item points at.', { minimum: 0, default: 0, context: everywhere }),
      get: (item, view) => view.objectId(item),
      set: toRecord('ref'),
    },
    parent: {
      schema: of('integer', 'The ID of the menu item above this one.', { minimum: 0, default: 0, context: everywhere }),
      get: (item) => item.parent,
      set: toRecord('parent'),
    },
    menu_order: {
      schema: of('integer', 'The place of the item in its menu.', { minimum: 1, default: 1, context: everywhere }),
      get: (item) => item.order,
      set: toRecord('order'),
    },
    target: {
      schema: of('string', 'Where the link opens.', { enum: ['_blank', ''], context: everywhere }),
      get: (item) => item.window,
      set: toRecord('window'),
      file: inFile<MenuItemRecord, 'window'>('window', word(['_blank', '']), '', 'target'),
    },
    classes: {
      schema: of('array', 'Class names for the link element of this menu item.', {
        items: { type: 'string' },
        context: everywhere,
      }),
      get: (item) => orBlank(item.classes),
      set: toRecord('classes'),
      file: inFile<MenuItemRecord, 'classes'>('classes', texts, []),
    },
    xfn: {
      schema: of('array', 'The relationship expressed in the link of this menu item.', {
        items: { type: 'string' },
        context: everywhere,
      }),
      get: (item) => orBlank(item.xfn),
      set: toRecord('xfn'),
      file: inFile<MenuItemRecord, 'xfn'>('xfn', texts, []),
    },
    invalid: {
      schema: of('boolean', 'Whether what the item points at is gone.', { context: everywhere, readonly }),
      get: (item, view) => view.isInvalid(item),
    },
    meta: {
      schema: of('object', 'Meta fields.', { context: viewAndEdit, properties: [] }),
      get: (item, view) => view.meta(item),
      set: setMeta(meta),
      file: inFile<MenuItemRecord, 'meta'>('meta', map, {}),
    },
    menus: {
      schema: of('integer', 'The menu that the item is in.', { context: viewAndEdit }),
      // Absent without a menu (observed).
      get: (item) => item.menu || undefined,
      set(value, draft) {
        if (value) draft.menu = Math.abs(Number(value));
      },
    },
  };
}

/** An empty list is returned with one empty string (observed). */
function orBlank(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [''] : words;
}
