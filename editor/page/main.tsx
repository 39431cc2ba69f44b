/** The page where people write. */
import { type ComponentType, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, ask, namespace } from './api.ts';
import { keepFocus } from './focus.ts';
import { List } from './list.tsx';
import type { Person, Site, Taxonomy, Type } from './records.ts';
import { Go, type Place, placeNow, whenMoved } from './router.tsx';
import { say, speak } from './words.ts';

interface IndexAnswer {
  readonly name: string;
  readonly url: string;
  readonly timezone_string: string;
  readonly namespaces: readonly string[];
}

async function open(): Promise<Site> {
  const [index, me] = await Promise.all([
    ask<IndexAnswer>('', { query: { _fields: 'name,url,timezone_string,namespaces' } }),
    ask<Person>(`${namespace}/users/me`, { query: { context: 'edit' } }),
  ]);
  speak(me.data.locale || navigator.language);
  const [types, taxonomies] = await Promise.all([
    ask<Record<string, Type>>(`${namespace}/types`, { query: { context: 'edit' } }),
    ask<Record<string, Taxonomy>>(`${namespace}/taxonomies`, { query: { context: 'view' } }),
  ]);
  const { name, url, timezone_string: zone, namespaces } = index.data;
  // Media have a place of their own, and what themes are made of is no text.
  const written = Object.values(types.data).filter(
    ({ slug, visibility, supports }) =>
      slug !== 'attachment' &&
      !slug.startsWith('cms_') &&
      visibility?.show_ui !== false &&
      (supports.editor || supports.title) &&
      slug !== 'nav_menu_item',
  );
  return { name, url, zone, namespaces, person: me.data, types: written, taxonomies: taxonomies.data };
}

type EditView = typeof import('./edit.tsx').Edit;
type Screen = ComponentType<{ site: Site; place: string }>;

/** Places beside those of items: who has them, and what shows them, loaded when it is wanted. */
const screens: readonly {
  readonly at: 'terms' | 'comments' | 'media' | 'menus' | 'people' | 'settings' | 'changes';
  readonly needs: string;
  /** What of the interface it is made of, where not every site has that. */
  readonly namespace?: string;
  readonly title: () => string;
  readonly load: () => Promise<Screen>;
}[] = [
  {
    at: 'terms',
    needs: 'manage_categories',
    title: () => say('Terms'),
    load: () => import('./terms-screen.tsx').then(({ TermsScreen }) => TermsScreen),
  },
  {
    at: 'comments',
    needs: 'moderate_comments',
    title: () => say('Comments'),
    load: () => import('./comments.tsx').then(({ Comments }) => Comments),
  },
  {
    at: 'media',
    needs: 'upload_files',
    title: () => say('Media'),
    load: () => import('./media-screen.tsx').then(({ MediaScreen }) => MediaScreen),
  },
  {
    at: 'menus',
    needs: 'edit_theme_options',
    title: () => say('Menus'),
    load: () => import('./menus.tsx').then(({ Menus }) => Menus),
  },
  {
    at: 'people',
    needs: 'list_users',
    title: () => say('People'),
    load: () => import('./people.tsx').then(({ People }) => People),
  },
  {
    at: 'settings',
    needs: 'manage_options',
    title: () => say('Settings'),
    load: () => import('./settings.tsx').then(({ Settings }) => Settings),
  },
  {
    at: 'changes',
    needs: 'manage_options',
    namespace: 'cms-abilities/v1',
    title: () => say('Changes'),
    load: () => import('./changes.tsx').then(({ Changes }) => Changes),
  },
];

function App({ site }: { site: Site }) {
  const [{ place, turn }, setPlace] = useState<{ place: Place; turn: number }>({ place: placeNow(), turn: 0 });
  const [EditItem, setEdit] = useState<{ view: EditView } | null>(null);
  const [loaded, setLoaded] = useState<Readonly<Record<string, { readonly view: Screen }>>>({});
  useEffect(() => whenMoved(() => setPlace((before) => ({ place: placeNow(), turn: before.turn + 1 }))), []);
  const [base = '', id] = (place.edit ?? place.new ?? place.list ?? site.types[0]?.rest_base ?? '').split('/');
  const type = site.types.find((one) => one.rest_base === base);
  const isEditing = place.edit !== undefined || place.new !== undefined;
  useEffect(() => {
    if (isEditing && !EditItem) void import('./edit.tsx').then(({ Edit }) => setEdit({ view: Edit }));
  }, [isEditing]);
  const offered = screens.filter(
    ({ needs, namespace: named }) =>
      site.person.capabilities[needs] === true && (named === undefined || site.namespaces.includes(named)),
  );
  const screen = offered.find(({ at }) => place[at] !== undefined);
  useEffect(() => {
    if (screen && !loaded[screen.at])
      void screen.load().then((view) => setLoaded((before) => ({ ...before, [screen.at]: { view } })));
  }, [screen]);
  useEffect(() => {
    document.title = `${screen ? screen.title() : say(type?.labels.name ?? '')} – ${site.name}`;
  }, [place]);
  const taxonomies = type?.taxonomies.flatMap((name) => site.taxonomies[name] ?? []) ?? [];
  const Shown = screen && loaded[screen.at];
  return (
    <>
      <a class="skip" href="#content">
        {say('Skip to the content')}
      </a>
      <header class="top">
        <a href={`${new URL('..', document.baseURI).pathname}`} dir="auto" class="site">
          {site.name || new URL(site.url).host}
        </a>
        <nav aria-label={say('What there is')}>
          {site.types.map((one) => (
            <Go key={one.slug} to={{ list: one.rest_base }} aria-current={!screen && one === type ? 'page' : undefined}>
              {say(one.labels.name ?? one.name)}
            </Go>
          ))}
          {offered.map((one) => (
            <Go key={one.at} to={{ [one.at]: '' }} aria-current={one === screen ? 'page' : undefined}>
              {one.title()}
            </Go>
          ))}
        </nav>
        <nav aria-label={say('You')}>
          <a href="profile.php">{site.person.name}</a>
          <a href="../cms-login.php?action=logout">{say('Sign out')}</a>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {Shown ? (
          <Shown.view key={turn} site={site} place={place[screen.at] ?? ''} />
        ) : screen ? (
          <p role="status">{say('Loading…')}</p>
        ) : !type ? (
          <p>{say('Your account cannot write here.')}</p>
        ) : !isEditing ? (
          <List key={turn} type={type} taxonomies={taxonomies} person={site.person} />
        ) : EditItem ? (
          <EditItem.view
            key={turn}
            type={type}
            id={id === undefined ? null : Number(id)}
            taxonomies={taxonomies}
            person={site.person}
            zone={site.zone}
            place={place}
            site={site}
          />
        ) : (
          <p role="status">{say('Loading…')}</p>
        )}
      </main>
    </>
  );
}

function signIn(): void {
  location.assign(`../cms-login.php?redirect_to=${encodeURIComponent(location.pathname + location.search)}`);
}

const page = document.getElementById('page') as HTMLElement;
keepFocus(page);
open().then(
  (site) => render(<App site={site} />, page),
  (error: ApiError) => {
    if (error.status === 401) signIn();
    else
      render(
        <main>
          <h1>{document.title}</h1>
          <p role="alert">{error.status === 403 ? say('Your account cannot write here.') : error.message}</p>
        </main>,
        page,
      );
  },
);
