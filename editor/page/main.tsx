/** The page where people write. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, ask, namespace } from './api.ts';
import { Comments } from './comments.tsx';
import { List } from './list.tsx';
import { Library } from './media.tsx';
import type { Person, Taxonomy, Type } from './records.ts';
import { Go, type Place, placeNow, whenMoved } from './router.tsx';
import { say, speak } from './words.ts';

interface Site {
  readonly name: string;
  readonly url: string;
  readonly zone: string;
  readonly person: Person;
  readonly types: readonly Type[];
  readonly taxonomies: Readonly<Record<string, Taxonomy>>;
}

async function open(): Promise<Site> {
  const [index, me] = await Promise.all([
    ask<{ name: string; url: string; timezone_string: string }>('', { query: { _fields: 'name,url,timezone_string' } }),
    ask<Person>(`${namespace}/users/me`, { query: { context: 'edit' } }),
  ]);
  speak(me.data.locale || navigator.language);
  const [types, taxonomies] = await Promise.all([
    ask<Record<string, Type>>(`${namespace}/types`, { query: { context: 'edit' } }),
    ask<Record<string, Taxonomy>>(`${namespace}/taxonomies`, { query: { context: 'view' } }),
  ]);
  const { name, url, timezone_string: zone } = index.data;
  // Media have a place of their own, and what themes are made of is no text.
  const written = Object.values(types.data).filter(
    ({ slug, visibility, supports }) =>
      slug !== 'attachment' &&
      !slug.startsWith('cms_') &&
      visibility?.show_ui !== false &&
      (supports.editor || supports.title) &&
      slug !== 'nav_menu_item',
  );
  return { name, url, zone, person: me.data, types: written, taxonomies: taxonomies.data };
}

type EditView = typeof import('./edit.tsx').Edit;

function App({ site }: { site: Site }) {
  const [{ place, turn }, setPlace] = useState<{ place: Place; turn: number }>({ place: placeNow(), turn: 0 });
  const [EditItem, setEdit] = useState<{ view: EditView } | null>(null);
  useEffect(() => whenMoved(() => setPlace((before) => ({ place: placeNow(), turn: before.turn + 1 }))), []);
  const [base = '', id] = (place.edit ?? place.new ?? place.list ?? site.types[0]?.rest_base ?? '').split('/');
  const type = site.types.find((one) => one.rest_base === base);
  const isEditing = place.edit !== undefined || place.new !== undefined;
  useEffect(() => {
    if (isEditing && !EditItem) void import('./edit.tsx').then(({ Edit }) => setEdit({ view: Edit }));
  }, [isEditing]);
  const isMedia = place.media !== undefined;
  const isComments = place.comments !== undefined;
  useEffect(() => {
    document.title = `${isMedia ? say('Media') : isComments ? say('Comments') : say(type?.labels.name ?? '')} – ${site.name}`;
  }, [place]);
  const taxonomies = type?.taxonomies.flatMap((name) => site.taxonomies[name] ?? []) ?? [];
  return (
    <>
      <a class="skip" href="#content">
        {say('Skip to the content')}
      </a>
      <header class="top">
        <a href={`${new URL('..', document.baseURI).pathname}`} dir="auto" class="site">
          {site.name}
        </a>
        <nav aria-label={say('What there is')}>
          {site.types.map((one) => (
            <Go
              key={one.slug}
              to={{ list: one.rest_base }}
              aria-current={!isMedia && !isComments && one === type ? 'page' : undefined}
            >
              {say(one.labels.name ?? one.name)}
            </Go>
          ))}
          {site.person.capabilities.moderate_comments && (
            <Go to={{ comments: '' }} aria-current={isComments ? 'page' : undefined}>
              {say('Comments')}
            </Go>
          )}
          {site.person.capabilities.upload_files && (
            <Go to={{ media: '' }} aria-current={isMedia ? 'page' : undefined}>
              {say('Media')}
            </Go>
          )}
        </nav>
        <nav aria-label={say('You')}>
          <a href="profile.php">{site.person.name}</a>
          <a href="../cms-login.php?action=logout">{say('Sign out')}</a>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {isMedia ? (
          <>
            <h1>{say('Media')}</h1>
            <Library mayUpload={site.person.capabilities.upload_files === true} />
          </>
        ) : isComments ? (
          <Comments />
        ) : !type ? (
          <p>{say('Your account cannot write here.')}</p>
        ) : !isEditing ? (
          <List key={turn} type={type} />
        ) : EditItem ? (
          <EditItem.view
            key={turn}
            type={type}
            id={id === undefined ? null : Number(id)}
            taxonomies={taxonomies}
            person={site.person}
            zone={site.zone}
            place={place}
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
