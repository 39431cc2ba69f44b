/**
 * What of a live site is no list of posts: templates, styles and fonts, and the links of menus.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import type { SourceItem, LostItem } from '../../import/items.ts';
import type { RestParams } from './client.ts';
import { type RestCollection, createCollection, type Lost } from './collection.ts';
import { readMenuLink } from './related-items.ts';
import { isEmpty, type PostContext, readSheet, readTemplate } from './posts.ts';
import { askOnce, type RestReading, rowsOfList, startList } from './reading.ts';
import { type Kind, parametersOf, readTheme } from './site.ts';
import { id, list, raw, text } from './values.ts';

/** Templates and parts that were customised, styles that users made, fonts. */
export async function* designOf(reading: RestReading, types: readonly Kind[]): AsyncGenerator<SourceItem> {
  const { found, client, spool, isSignedIn } = reading;
  if (!isSignedIn) return;
  const { dialect, index } = found;
  const context: Omit<PostContext, 'type'> = {
    taxonomies: new Map(),
    more: [],
    defaults: new Map(),
    users: new Set<string>(),
    cmsHome: undefined,
    readWord: dialect.readWord,
  };
  for (const { name, route } of types.filter(({ name }) => name === 'cms_template' || name === 'cms_template_part')) {
    for (const row of list(await askOnce(reading, route, { context: 'edit' })).map(mapOf)) {
      if (text(row, 'source') !== 'custom') continue;
      yield readTemplate(row, client.address(`${route}/${text(row, 'id')}`), { ...context, type: name });
    }
  }
  const theme = readTheme(await askOnce(reading, dialect.spellRoute('/cms/v2/themes'), { status: 'active' }));
  if (theme && theme.styles !== '') {
    const route = dialect.spellRoute(`/cms/v2/global-styles/${theme.styles}`);
    const row = mapOf(await askOnce(reading, route, { context: 'edit' }));
    if (id(row) !== undefined && !(isEmpty(row.settings) && isEmpty(row.styles))) {
      const content = { version: 3, isGlobalStylesUserThemeJSON: true, settings: mapOf(row.settings), styles: mapOf(row.styles) };
      const type = 'cms_global_styles';
      const meta = { theme: theme.stylesheet };
      yield readSheet(row, client.address(route), {
        type,
        title: raw(row, 'title') ?? '',
        slug: theme.stylesheet,
        content,
        meta,
      });
    }
  }
  const fonts = types.find(({ name }) => name === 'cms_font_family');
  if (!fonts) return;
  const families = createCollection({
    client,
    spool,
    route: fonts.route,
    variants: [{ context: 'edit' }],
    knows: parametersOf(index, fonts.route),
  });
  if ((await startList(reading, families)) === 0) return;
  for await (const family of rowsOfList(reading, families)) {
    const key = 'row' in family ? id(family.row) : undefined;
    if (!('row' in family) || key === undefined) {
      yield lostOne('font family', 'lost' in family ? family.lost : { url: client.address(fonts.route), status: 200 });
      continue;
    }
    const route = `${fonts.route}/${key}/font-faces`;
    const { name, slug, ...content } = mapOf(family.row.font_family_settings);
    yield readSheet(family.row, client.address(fonts.route), {
      type: 'cms_font_family',
      title: String(name ?? ''),
      slug: String(slug ?? ''),
      content,
    });
    for (const face of list(await askOnce(reading, route, { context: 'edit', per_page: 100 })).map(mapOf))
      yield readSheet(face, client.address(route), {
        type: 'cms_font_face',
        title: '',
        slug: '',
        content: face.font_face_settings,
        parent: String(key),
      });
  }
}

/** Links of menus, which only those who may edit menus can see; after everything that they may point at. */
export async function* menusOf(
  reading: RestReading,
  types: readonly Kind[],
  titles: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<SourceItem> {
  const links = linksOf(reading, types);
  if (!links) return;
  const { client, found } = reading;
  await startList(reading, links);
  for await (const one of rowsOfList(reading, links)) {
    if ('lost' in one) yield lostOne('menu link', one.lost);
    else if (id(one.row) === undefined) yield lostOne('menu link', { url: client.address(links.route), status: 200 });
    else yield readMenuLink(one.row, client.address(`${links.route}/${id(one.row) ?? ''}`), titles, found.dialect.readWord);
  }
}

function linksOf({ client, spool, found, isSignedIn }: RestReading, types: readonly Kind[]): RestCollection | null {
  const kind = types.find(({ name }) => name === 'nav_menu_item');
  if (!kind || !isSignedIn) return null;
  const variants: RestParams[] = [{ context: 'edit', status: 'publish,draft' }, { context: 'edit' }];
  return createCollection({ client, spool, route: kind.route, variants, knows: parametersOf(found.index, kind.route) });
}

/** What menu links point at, waiting for its titles. */
export async function titlesWanted(reading: RestReading, types: readonly Kind[]): Promise<Map<string, string[]>> {
  const wanted = new Map<string, string[]>();
  const links = linksOf(reading, types);
  if (!links) return wanted;
  await startList(reading, links);
  for await (const one of rowsOfList(reading, links))
    if ('row' in one && typeof one.row.object_id === 'number') wanted.set(`${text(one.row, 'type')} ${one.row.object_id}`, []);
  return wanted;
}

/** An item that the source cannot show. */
export function lostOne(what: string, { url, status, missing }: Lost): LostItem {
  const message = missing
    ? `${missing[0]} of ${missing[1]} were not handed over`
    : status === 200
      ? 'the source returns something else in its place'
      : `the source responds with an error (${status})`;
  return {
    kind: 'lost',
    what,
    ...(missing ? { count: missing[0] } : {}),
    place: { source: url },
    remarks: [{ severity: 'lost', rule: 'broken', message, unreadable: true }],
  };
}
