/**
 * Strings in answers: the title and tagline of the site, names of types, taxonomies, menus and their locations, labels of menu items,
 * and what settings hold. An answer in the default language is left as it is.
 */
import { escapeOnce } from '../../../kernel/model/escape.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { Item } from '../../../kernel/rest/item.ts';
import { answer, type Answer, type Call, type Endpoint, type Route } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { languageOf } from '../../languages/record.ts';
import type { SourceString } from './record.ts';
import { pathName, settingDomain } from './setting-strings.ts';

const domains = { site: 'site', labels: 'labels', menus: 'menus' } as const;

/** Texts of the site that are shown as they are. */
export function* siteStrings(site: Site): Iterable<SourceString> {
  for (const key of ['name', 'description'])
    yield { domain: domains.site, name: key, value: settingText(site, key), ...(key === 'description' ? { type: 'AREA' } : {}) };
  for (const { name, label } of site.types.values()) yield labelString('type', name, label);
  for (const { name, label } of site.taxonomies.values()) yield labelString('taxonomy', name, label);
  for (const [name, value] of Object.entries(mapOf(site.settings.value('menu_locations'))))
    if (typeof value === 'string') yield { domain: domains.menus, name: `location ${name}`, value };
  for (const id of site.terms.with('taxonomy', 'nav_menu')) {
    const menu = site.terms.get(id);
    if (menu) yield menuString(menu.name);
  }
  for (const { title } of site.menus.items()) if (title !== '') yield menuString(title);
}

/** What a key of the interface is called in a language. */
function labelString(kind: 'type' | 'taxonomy', name: string, value: string): SourceString {
  return { domain: domains.labels, name: `${kind} ${name}`, value };
}

/** Menus and their items are called by what they are called. */
function menuString(value: string): SourceString {
  return { domain: domains.menus, name: value, value };
}

function settingText({ settings }: Pick<Site, 'settings'>, key: string): string {
  const value = settings.stored(key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Members of the site index. */
export const indexStrings = Object.fromEntries(
  (['name', 'description'] as const).map((key) => [
    key,
    (call: Call) => {
      const code = languageOf(call);
      const value = settingText(call.site, key);
      const shown = call.site.settings.value(key);
      if (code === call.site.languages.default) return shown;
      const text = call.site.translationStrings.translate({ domain: domains.site, name: key, value }, code);
      return text === null ? shown : escapeOnce(text);
    },
  ]),
);

type Translate = (string: SourceString) => string;
/** An answer with the texts of a language. */
type Relabel = (data: unknown, translate: Translate, call: Call) => unknown;

/** Path of a route → what becomes of its answers. */
const relabelled: readonly (readonly [path: RegExp, relabel: Relabel])[] = [
  [/^\/cms\/v2\/types(?:\/|$)/, items((body, translate) => named(body, 'type', translate))],
  [/^\/cms\/v2\/taxonomies(?:\/|$)/, items((body, translate) => named(body, 'taxonomy', translate))],
  [/^\/cms\/v2\/menu-locations(?:\/|$)/, items(location)],
  [/^\/menus\/v1\//, menuTree],
  [/^\/fields\/v3\/options\//, optionTexts],
];

/** The routes whose answers have strings show them in the language of a request. */
export function relabel(route: Route): Route {
  const change = relabelled.find(([path]) => path.test(route.path))?.[1];
  if (change === undefined) return route;
  const wrapped = (endpoint: Endpoint): Endpoint => ({
    ...endpoint,
    async handle(call) {
      const handled = await endpoint.handle(call);
      const code = languageOf(call);
      const { languages, translationStrings } = call.site;
      if (code === languages.default) return handled;
      const translate: Translate = (string) => translationStrings.translate(string, code, call.user) ?? string.value;
      return isAnswer(handled) ? answer(change(handled.data, translate, call), handled) : change(handled, translate, call);
    },
  });
  return { ...route, endpoints: route.endpoints.map((one) => (one.methods.includes('GET') ? wrapped(one) : one)) };
}

function isAnswer(value: unknown): value is Answer {
  return isMap(value) && value.kind === 'answer';
}

/** Of an item, or of each in a map of them. */
function items(change: (body: Record<string, unknown>, translate: Translate) => Record<string, unknown>): Relabel {
  const one: Relabel = (data, translate) => {
    if (data instanceof Item) {
      const { keepsLinks } = data;
      return new Item(
        () => change(data.body, translate),
        () => data.links,
        { keepsLinks, prepare: data.prepare },
      );
    }
    if (!isMap(data)) return data;
    // In a map, items are bodies with their links as members.
    return Object.fromEntries(
      Object.entries(data).map(([key, each]) => [key, isMap(each) ? change({ ...each }, translate) : each]),
    );
  };
  return one;
}

function named(body: Record<string, unknown>, kind: 'type' | 'taxonomy', translate: Translate): Record<string, unknown> {
  const { name, slug, labels } = body;
  if (typeof name !== 'string' || typeof slug !== 'string') return body;
  const shown = translate(labelString(kind, slug, name));
  return { ...body, name: shown, ...(isMap(labels) ? { labels: { ...labels, name: shown } } : {}) };
}

function location(body: Record<string, unknown>, translate: Translate): Record<string, unknown> {
  const { name, description } = body;
  if (typeof name !== 'string' || typeof description !== 'string') return body;
  return { ...body, description: translate({ domain: domains.menus, name: `location ${name}`, value: description }) };
}

/** Texts of an options page that are strings. Whoever may write them gets the originals, to send them back. */
function optionTexts(data: unknown, translate: Translate, call: Call): unknown {
  const isEditor = call.can('manage_options');
  const domain = `${settingDomain}${call.params.id}`;
  const shown = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') {
      const text = translate({ domain, name: pathName(path), value });
      return isEditor ? value : text;
    }
    if (Array.isArray(value)) return value.map((one, at) => shown(one, [...path, String(at)]));
    return isMap(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one, [...path, key])]))
      : value;
  };
  if (!(data instanceof Item)) return shown(data, []);
  const { keepsLinks, prepare } = data;
  const body = () =>
    Object.fromEntries(Object.entries(data.body).map(([member, values]) => [member, isMap(values) ? shown(values, []) : values]));
  return new Item(body, () => data.links, { keepsLinks, prepare });
}

/** Names of menus and labels of their items, at any depth. */
function menuTree(data: unknown, translate: Translate): unknown {
  if (Array.isArray(data)) return data.map((one) => menuTree(one, translate));
  if (!isMap(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const isText =
        typeof value === 'string' && ((key === 'name' && 'term_id' in data) || (key === 'title' && 'menu_item_parent' in data));
      return [key, isText ? translate(menuString(value)) : menuTree(value, translate)];
    }),
  );
}
