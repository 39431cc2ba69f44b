/**
 * The JSON export: the whole site as one document, everything in the shape in which the interface shows it to an editor.
 *
 * Settings and declarations first, then people, terms, menus with their items, items of every type, comments. Lists are in the
 * order of ids, so that two exports can be compared. Secrets are in no shape of the interface; what is only for the people of
 * the site is left out unless it is asked for.
 */
import { table } from '../../kernel/model/maps.ts';
import { templateId } from '../../modules/design/themes/templates.ts';
import type { Actor } from '../../kernel/model/access.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import { type Dialect, neutral } from '../../kernel/rest/dialect.ts';
import { createDispatcher } from '../../kernel/rest/dispatch.ts';
import type { Registry } from '../../kernel/rest/types.ts';
import { createDocument } from './document.ts';
import { createFilter, type Filter } from './filter.ts';
import { createOmissions, type Omission } from './omissions.ts';
import { byId } from './static/by-id.ts';
import { makeSizes } from './static/media.ts';

export interface JsonOptions {
  readonly site: Site;
  readonly registry: Registry;
  /** Which items, and with them which comments; everything else is whole. */
  readonly filter?: Filter;
  /** With what only the people of the site may know. */
  readonly private?: boolean;
  readonly dialect?: Dialect;
  write(text: string): void;
  readonly progress?: (done: number, total: number) => void;
}

interface JsonReport {
  /** Things by kind: `users`, `terms`, `items`, … */
  readonly counts: Readonly<Record<string, number>>;
  readonly left: readonly Omission[];
}

type Kind = 'settings' | 'statuses' | 'types' | 'taxonomies' | 'users' | 'terms' | 'menus' | 'items' | 'comments';
type Json = Readonly<Record<string, unknown>>;

/** Fields for the people of the site, by the kind of thing that has them. */
const personal: Partial<Readonly<Record<Kind, readonly string[]>>> = table({
  settings: ['email'],
  users: ['username', 'email', 'locale', 'registered_date', 'roles', 'capabilities', 'extra_capabilities', 'meta'],
  items: ['password'],
  comments: ['author_email', 'author_ip', 'author_user_agent'],
});
/** Whoever runs the command holds the files. */
const owner: Actor = { id: 0, roles: ['administrator'] };
/** Things between two looks at the outside world. */
const stride = 32;

/** @throws RangeError when the filter names what the site has not */
export async function exportJson({
  site,
  registry,
  dialect = neutral,
  write,
  progress,
  ...options
}: JsonOptions): Promise<JsonReport> {
  const wants = createFilter(site, options.filter ?? {});
  const counts = new Map<Kind, number>();
  const left = createOmissions();
  let failure: unknown = null;
  const dispatcher = createDispatcher(site, registry, (error) => {
    failure = error;
  });
  const items = byId(site.posts.all()).filter((post) => post.type !== 'nav_menu_item' && wants(post));
  const links = byId([...site.posts.with('type', 'nav_menu_item')].flatMap((id) => site.posts.get(id) ?? []));
  const comments = byId(site.comments.all()).filter(({ post }) => isWanted(site.posts.get(post)));
  const terms = byId(site.terms.all());
  const total = items.length + comments.length + terms.length + site.users.size;
  let done = 0;

  // A size that is not made yet has no bytes: what was made when must not show.
  await makeSizes(site, async () => {});
  const document = createDocument(write);
  document.member('version', 1);
  document.member('dialect', dialect.name);
  document.member('url', site.url);
  for (const kind of ['settings', 'statuses', 'types', 'taxonomies'] as const)
    document.member(kind, await show(kind, `/cms/v2/${kind}`));
  await document.list('users', byId(site.users.all()), ({ id }) => show('users', `/cms/v2/users/${id}`));
  await document.map('terms', async () => {
    for (const { name, showInRest, restNamespace, restBase } of site.taxonomies.values()) {
      const own = terms.filter(({ taxonomy }) => taxonomy === name && name !== 'nav_menu');
      if (!showInRest || own.length === 0) continue;
      await document.list(dialect.wireName(name), own, ({ id }) => show('terms', `/${restNamespace}/${restBase}/${id}`));
    }
  });
  const menus = terms.filter(({ taxonomy }) => taxonomy === 'nav_menu');
  await document.list('menus', menus, async ({ id }) => {
    const menu = await show('menus', `/cms/v2/menus/${id}`);
    const own = await Promise.all(links.filter((link) => link.terms.nav_menu?.includes(id)).map(showItem));
    return menu && { ...menu, items: own.sort((a, b) => Number(a?.menu_order) - Number(b?.menu_order)) };
  });
  await document.map('items', async () => {
    const all = [...items, ...links.filter((link) => !link.terms.nav_menu?.length)];
    for (const { name, showInRest } of site.types.values()) {
      const own = all.filter(({ type }) => type === name);
      if (showInRest && own.length > 0) await document.list(dialect.wireName(name), own, showItem);
    }
  });
  await document.list('comments', comments, ({ id }) => show('comments', `/cms/v2/comments/${id}`));
  document.end();
  for (const { what, reason, count } of notHeld(site)) left.add(what, reason, count);
  return { counts: Object.fromEntries(counts), left: left.list() };

  function isWanted(post: PostRecord | undefined): boolean {
    return post !== undefined && wants(post);
  }

  function showItem(post: PostRecord): Promise<Json | null> {
    return show('items', routeOf(site, post));
  }

  /** An answer as an editor gets it, without links. @returns null for what the interface does not show */
  async function show(kind: Kind, route: string): Promise<Json | null> {
    if (++done % stride === 0) {
      progress?.(Math.min(done, total), total);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const query = { context: 'edit' };
    const response = await dispatcher.dispatch({ method: 'GET', route, query, headers: {}, dialect, user: owner });
    if (response.status >= 500) throw new Error(`GET ${route} was answered with ${response.status}`, { cause: failure });
    if (response.status !== 200) {
      left.add(kind, 'not exposed by the REST API');
      return null;
    }
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const shown = withoutLinks(response.data as Json);
    if (options.private !== true) {
      const names = personal[kind] ?? [];
      if (names.some((name) => isSaying(shown[name]))) left.add(`${kind}: ${names.join(', ')}`, 'private; --private includes it');
      for (const name of names) delete shown[name];
    }
    return shown;
  }
}

/** Links name no content; maps of things (types, taxonomies) have them in each. */
function withoutLinks({ _links, ...shown }: Json): Record<string, unknown> {
  const isMap = Object.values(shown).every((value) => typeof value === 'object' && value !== null && '_links' in value);
  return isMap ? Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, withoutLinks(value as Json)])) : shown;
}

/** Templates are named by their slug, faces stand below their family, everything else is named by its id. */
function routeOf(site: Site, post: PostRecord): string {
  const type = site.types.get(post.type);
  const base = type?.restBase.replace(/\(\?P<\w+>[^()]*\)/, String(post.parent));
  const isTemplate = post.type === 'cms_template' || post.type === 'cms_template_part';
  return `/${type?.restNamespace}/${base}/${isTemplate ? templateId(site, post.slug) : post.id}`;
}

function notHeld(site: Site): Omission[] {
  return [
    {
      what: 'media files',
      count: site.posts.count('type', 'attachment'),
      reason: 'only their URLs are included',
    },
    { what: 'revisions', count: site.revisions.size, reason: 'only current versions are included' },
    { what: 'passwords and keys', count: site.accounts.all().length, reason: 'secrets are never exported' },
    { what: 'design files', count: site.design.size, reason: 'patterns, fonts and sidebars stay in the folder' },
  ];
}

function isSaying(value: unknown): boolean {
  return value !== undefined && value !== '' && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
