/**
 * Icons and their collections.
 *
 * Shape    an icon with its drawing; lists are whole, whatever page is asked for, and tell no totals
 * Access   whoever edits items of some type
 * Errors   rest_cannot_view, rest_icon_not_found, rest_icon_collection_not_found
 * Source   conformance recordings of version 7.1: icons, new-of-7.1
 */
import { fail } from '../../../kernel/errors.ts';
import { of } from '../../../kernel/model/schema.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { contextArg, pageArg, perPageArg, searchArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { shown, text } from '../../../kernel/rest/resource-fields.ts';
import { forEditors } from '../../people/accounts/record.ts';
import { type Icon, type IconCollection, iconCollections, iconWord, icons, searchCollections, searchIcons } from './icons.ts';

const allow = forEditors('rest_cannot_view');
const listArgs = { context: contextArg(), page: pageArg, per_page: perPageArg, search: searchArg };
const collectionArg = of('string', 'Limit result set to icons of a collection.', {
  pattern: '^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$',
});

const iconRoutes = defineResource<Icon>({
  name: 'icon',
  base: '/cms/v2/icons',
  fields: {
    name: text('Name of the icon, with its collection.', shown),
    label: text('The icon in words.', shown),
    content: text('The drawing, as SVG.', shown),
    collection: text('Collection of the icon.', shown),
  },
  params: { name: of('string', 'Name of the icon, with its collection.'), collection: collectionArg },
  routes: [
    collection({ args: { ...listArgs, collection: collectionArg }, allow, handle: ({ params }) => listed(params) }),
    item(`(?P<collection>${iconWord})`, { args: listArgs, allow, handle: ({ params }) => listed(params) }),
    item(`(?P<name>${iconWord}/${iconWord})`, {
      allow,
      handle: ({ params }) => icons.get(scalarText(params.name)) ?? fail(missing(scalarText(params.name))),
    }),
  ],
});

const collectionRoutes = defineResource<IconCollection>({
  name: 'icon-collection',
  base: '/cms/v2/icon-collections',
  fields: {
    slug: text('Name of the collection in addresses.', shown),
    label: text('Name for people.', shown),
    description: text('What the collection holds.', shown),
  },
  params: { slug: of('string', 'Name of the collection in addresses.') },
  routes: [
    collection({ args: listArgs, allow, handle: ({ params }) => searchCollections(scalarText(params.search)) }),
    item(`(?P<slug>${iconWord})`, { allow, handle: ({ params }) => collectionNamed(params.slug) }),
  ],
});

export const allIconRoutes = [...iconRoutes, ...collectionRoutes];

function listed({ collection, search }: Readonly<Record<string, unknown>>): readonly Icon[] {
  const slug = collection === undefined ? null : collectionNamed(collection).slug;
  const all = [...icons.values()].filter((icon) => slug === null || icon.collection === slug);
  return searchIcons(all, scalarText(search));
}

function collectionNamed(slug: unknown): IconCollection {
  return iconCollections.get(scalarText(slug)) ?? fail('rest_icon_collection_not_found');
}

function missing(name: string): 'rest_icon_not_found' | 'rest_icon_collection_not_found' {
  return iconCollections.has(name.slice(0, name.indexOf('/'))) ? 'rest_icon_not_found' : 'rest_icon_collection_not_found';
}
