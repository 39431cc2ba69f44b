/**
 * Menus: every item points at one thing that is there, and every location is one that the site has.
 */
import { uploadsRoot } from '../kernel/store/paths.ts';
import { noReferences } from '../kernel/extended.ts';
import { type Draft, type FileContext, FieldProblem } from '../kernel/model/field.ts';
import { mapOf } from '../kernel/model/maps.ts';
import { menuItemFields } from '../modules/menus/fields.ts';
import { targetWords } from '../modules/menus/file.ts';
import { isShown, placesOf } from '../modules/website/theme/menu-places.ts';
import type { MenuTarget, TargetWords } from '../modules/menus/menu-tree.ts';
import { blankItem, type MenuItemRecord } from '../modules/menus/record.ts';
import { nearest } from '../kernel/model/spelling.ts';
import { archiveSlug } from '../modules/types/record.ts';
import type { Declarations } from './declarations.ts';
import type { FolderAddresses } from './addresses.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean, type Keys } from '../kernel/model/remark.ts';
import { itemsOf } from './ids.ts';
import type { Library } from './media.ts';
import { former, type Index } from './references.ts';
import type { ParsedFile, ReferenceTarget } from './parsed-file.ts';

type Placed = Omit<Finding, 'path'>;
type Raw = Readonly<Record<string, unknown>>;

interface Around {
  readonly model: Declarations;
  readonly index: Index;
  readonly settings: Raw;
  readonly addresses: FolderAddresses;
  readonly media: Library;
  /** Texts of the site's own templates; null where the theme shows nothing. */
  readonly templates: readonly string[] | null;
}

export function checkMenus(parsedFiles: readonly ParsedFile[], around: Around): Finding[] {
  const { model, index, settings, templates } = around;
  const targets = menuWords(model);
  const words = [...targets.keys(), 'url', 'archive', 'type'];
  const fields = Object.values(menuItemFields(model)).flatMap(({ file }) => file ?? []);
  const itemKeys = fields.map(({ key }) => key);
  const known = [...words, ...itemKeys, 'object', 'object_id', 'id', 'parent', 'order', 'items'];
  const locations = Object.keys((settings.menu_locations as object | null | undefined) ?? {});
  const holders = new Map<string, string>();
  const named = parsedFiles.flatMap(({ kind, entry: { data } }) =>
    kind === 'menu' ? [data.locations ?? []].flat().map(String) : [],
  );
  const held = [...new Set([...locations.filter((name) => named.includes(name)), ...named])];
  return parsedFiles.flatMap(({ kind, entry: { path, data } }): Finding[] => {
    if (kind !== 'menu') return [];
    const ids = new Set([...itemsOf(data.items)].map(({ item }) => item.id));
    const found = [...checkLocations(data.locations, path), ...checkItems(data.items, ['items'], ids)];
    return found.map((finding) => ({ path, ...finding }));
  });

  function checkLocations(raw: unknown, path: string): Placed[] {
    return [raw ?? []].flat().flatMap((name: unknown, at): Placed[] => {
      const keys = Array.isArray(raw) ? ['locations', at] : ['locations'];
      if (!locations.includes(String(name))) {
        const hint = didYouMean(nearest(String(name), locations), 'menu_locations in site.yaml lists the locations');
        return [{ keys, ...say('unknown-location', `unknown menu location ${JSON.stringify(name)}`, hint) }];
      }
      const holder = holders.get(String(name));
      holders.set(String(name), holder ?? path);
      if (holder !== undefined)
        return [{ keys, ...say('taken-location', `${String(name)} is already taken by ${holder}, which is shown there`) }];
      if (!templates || isShown(String(name), held, templates)) return [];
      const { header, footer } = placesOf(held);
      const others = [header && `${header} in the header`, footer && `${footer} in the footer`].filter(Boolean).join(' and ');
      return [
        { keys, ...say('unshown-location', `the theme does not show the menu location ${String(name)}; it shows ${others}`) },
      ];
    });
  }

  function checkItems(raw: unknown, keys: Keys, ids: ReadonlySet<unknown>): Placed[] {
    if (raw === undefined || raw === null) return [];
    if (!Array.isArray(raw)) return [{ keys, ...say('field:items', 'items must be a list') }];
    return raw.flatMap((one: unknown, at) => {
      const item = mapOf(one) as Raw;
      const here = [...keys, at];
      return [...checkItem(item, here), ...checkValues(item, here, ids), ...checkItems(item.items, [...here, 'items'], ids)];
    });
  }

  function checkItem(item: Raw, keys: Keys): Placed[] {
    const named = Object.keys(item).filter((key) => words.includes(key));
    const [word] = named;
    if (word === undefined) {
      const slips = Object.keys(item).map((key) => nearest(key, known));
      const meant = slips.find((slip) => slip !== undefined && !Object.hasOwn(item, slip));
      const needs = `it needs one of ${[...targets.keys()].filter((name) => name !== 'attachment').join(', ')}, url, archive`;
      return [{ keys, ...say('menu-item', 'this menu item points nowhere', didYouMean(meant, needs)) }];
    }
    if (named.length > 1)
      return [{ keys, ...say('menu-item', `this menu item points at ${named.join(' and ')}`, 'keep one of them') }];
    const at = [...keys, word];
    const ref = item[word];
    if ((typeof ref !== 'string' && typeof ref !== 'number') || ref === '') {
      return [{ keys: at, ...say('menu-item', `${word} must name something by its slug or id`) }];
    }
    if (word === 'url') return checkUrl(String(ref), at, around);
    if (word === 'archive') return checkArchive(String(ref), at, model);
    const target = referenceOf(targets.get(word));
    const missing = target ? index.missing(target, ref) : null;
    if (target && !missing) {
      const present = index.formerly(target, ref);
      return present === null ? [] : [former(at, ref, present)];
    }
    if (!missing) return [];
    // Nothing is made for the sake of a menu.
    const hint = missing.hint?.startsWith('did you mean') ? missing.hint : 'write its file first';
    return [{ keys: at, ...say('unknown-reference', missing.message, hint) }];
  }

  /** The item's own keys: misspelt ones, values that do not fit, a parent that is not there. */
  function checkValues(item: Raw, keys: Keys, ids: ReadonlySet<unknown>): Placed[] {
    const draft = blankItem(0, 0) as Draft<MenuItemRecord>;
    const found: Placed[] = [];
    for (const field of fields) {
      try {
        field.read(item[field.key], draft, nowhere);
      } catch (error) {
        if (!(error instanceof FieldProblem)) throw error;
        found.push({ keys: [...keys, field.key], ...say(`field:${field.key}`, error.message, error.hint) });
      }
    }
    if (item.parent !== undefined && item.parent !== 0 && !ids.has(item.parent))
      found.push({
        keys: [...keys, 'parent'],
        ...say('unknown-reference', `no item of this menu has the id ${JSON.stringify(item.parent)}`),
      });
    if (!Object.keys(item).some((key) => words.includes(key))) return found;
    for (const key of Object.keys(item)) {
      const meant = known.includes(key)
        ? undefined
        : nearest(
            key,
            known.filter((one) => !Object.hasOwn(item, one)),
          );
      if (meant !== undefined && !words.includes(meant))
        found.push({ keys: [...keys, key], ...say('unknown-key', `unknown key ${JSON.stringify(key)}`, didYouMean(meant)) });
    }
    return found;
  }
}

/** What items name is looked up beside their fields. */
const nowhere: FileContext = { path: 'menus/x.yaml', mtimeMs: 0, zone: 'UTC', refs: noReferences };

/** An address that an item points at: one of the site must be there. */
function checkUrl(url: string, keys: Keys, { addresses, media }: Pick<Around, 'addresses' | 'media'>): Placed[] {
  const own = addresses.own(url);
  if (own === null) return [];
  if (own.path.startsWith(`${uploadsRoot}/`)) {
    const fault = media.missing(own.path.slice(uploadsRoot.length + 1));
    return fault ? [{ keys, ...fault }] : [];
  }
  const found = addresses.find(own.path, own.query);
  if (found.kind === 'unknown') return [{ keys, ...say('broken-link', `nothing is at ${own.path}`, didYouMean(found.near)) }];
  if (found.kind === 'hidden') return [{ keys, ...say('unpublished-link', `${found.path} ${found.why}: readers cannot see it`) }];
  if (found.kind === 'there') return [];
  const { to, path } = found;
  const remark = say(
    'former-address',
    `${own.path} is a former address of ${path}`,
    to === null ? undefined : `it is at ${to} now`,
  );
  return [{ keys, ...remark, ...(to === null ? {} : { fix: { kind: 'value', keys, value: url.replace(own.path, () => to) } }) }];
}

/** The list of a type: posts are listed where the site says, others where they have an archive. */
function checkArchive(name: string, keys: Keys, { types }: Declarations): Placed[] {
  const listed = types.filter((type) => type.name === 'post' || archiveSlug(type) !== '').map((type) => type.name);
  if (listed.includes(name)) return [];
  const isType = types.some((type) => type.name === name);
  const message = isType ? `${name} has no archive` : `unknown type ${JSON.stringify(name)}`;
  const hint = isType ? 'write has_archive: true into its declaration' : didYouMean(nearest(name, listed));
  return [{ keys, ...say('unknown-reference', message, hint) }];
}

/** Media are named by their files, which a menu is not asked for. */
function referenceOf(named: Pick<MenuTarget, 'itemType' | 'object'> | undefined): ReferenceTarget | null {
  if (!named || named.object === 'attachment') return null;
  return named.itemType === 'taxonomy' ? { kind: 'term', taxonomy: named.object } : { kind: 'post', type: named.object };
}

/** The words by which items name what they point at, as the server reads them. */
export function menuWords({ types, taxonomies }: Pick<Declarations, 'types' | 'taxonomies'>): TargetWords {
  return targetWords({ types: byName(types), taxonomies: byName(taxonomies) });
}

function byName<T extends { readonly name: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.name, one]));
}
