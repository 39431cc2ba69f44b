/** People who sign in: who they are, what they may do, and passwords of their own for programs. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type Answer, type ApiError, ask, namespace } from './api.ts';
import { Button } from './button.tsx';
import type { Values } from './changes.ts';
import { Conflicts } from './conflicts.tsx';
import { dateText } from './list.tsx';
import { Pages } from './media.tsx';
import { type Item, may, type Site } from './records.ts';
import { useOnce } from './once.ts';
import { Go, go } from './router.tsx';
import { type Stored, useSaving } from './saving.ts';
import { SearchBar } from './search-bar.tsx';
import { say } from './words.ts';

interface User extends Pick<Item, '_links'> {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly url: string;
  readonly description: string;
  readonly locale: string;
  readonly roles: readonly string[];
}

const route = `${namespace}/users`;

function roleName(role: string): string {
  const names: Readonly<Record<string, string>> = {
    administrator: say('Administrator'),
    editor: say('Editor'),
    author: say('Author'),
    contributor: say('Contributor'),
    subscriber: say('Subscriber'),
  };
  return names[role] ?? role;
}
const usual = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;

export function People({ site, place }: { site: Site; place: string }) {
  return place === '' ? <Everybody site={site} /> : <Profile site={site} id={Number(place)} />;
}

function Everybody({ site }: { site: Site }) {
  const [search, setSearch] = useState('');
  const [role, setRole] = useState('');
  const [page, setPage] = useState(1);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<{ users: readonly User[]; pages: number; mayCreate: boolean } | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        ask<User[]>(route, { query: { context: 'edit', per_page: 20, page, search, roles: role } }).then(
          ({ data, headers }) => {
            if (!isCurrent) return;
            setFault('');
            setFound({
              users: data,
              pages: Number(headers.get('X-CMS-TotalPages') ?? 1),
              mayCreate: (headers.get('Allow') ?? '').includes('POST'),
            });
          },
          (error: ApiError) => isCurrent && setFault(error.message),
        );
      },
      search === '' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [search, role, page, turn]);
  return (
    <>
      <div class="head">
        <h1>{say('People')}</h1>
      </div>
      <SearchBar
        search={search}
        onSearch={(words) => {
          setSearch(words);
          setPage(1);
        }}
        label={say('Role')}
        chosen={role}
        choices={[['', say('All')], ...usual.map((one) => [one, roleName(one)] as const)]}
        onChoose={(one) => {
          setRole(one);
          setPage(1);
        }}
      />
      {fault !== '' && <p role="alert">{fault}</p>}
      {found?.users.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="items">
        {found?.users.map((user) => (
          <li key={user.id}>
            <div class="item">
              <span class="title" dir="auto">
                {may(user, 'PUT') ? <Go to={{ people: String(user.id) }}>{user.name || user.username}</Go> : user.name}
              </span>
              <span>{user.roles.map(roleName).join(', ')}</span>
              <span dir="ltr">{user.username}</span>
              <span dir="ltr">{user.email}</span>
            </div>
          </li>
        ))}
      </ul>
      {found && found.pages > 1 && <Pages page={page} pages={found.pages} onTurn={setPage} />}
      {found?.mayCreate && <Invite site={site} onDone={() => setTurn((count) => count + 1)} />}
    </>
  );
}

/** The account is made, and a link with which its person chooses a password. */
function Invite({ onDone }: { site: Site; onDone: () => void }) {
  const id = useId();
  const [values, setValues] = useState({ username: '', email: '', name: '', role: 'author' });
  const [link, setLink] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, once] = useOnce();
  const invite = async (): Promise<void> => {
    setFault('');
    setLink('');
    try {
      const { role, name, ...rest } = values;
      const { headers } = await ask(route, {
        method: 'POST',
        // What is sent as a password is not used: the person chooses one.
        body: { ...rest, ...(name === '' ? {} : { name }), roles: [role], invite: true, password: crypto.randomUUID() },
      });
      setLink(headers.get('X-CMS-Invitation') ?? '');
      setValues({ ...values, username: '', email: '', name: '' });
      onDone();
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const labels = { username: say('Login'), email: say('Email address'), name: say('Name') };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void once(invite);
      }}
    >
      <fieldset class="facts">
        <legend>{say('Invite someone')}</legend>
        {(['username', 'email', 'name'] as const).map((name) => (
          <label key={name} for={`${id}${name}`}>
            {labels[name]}
            <input
              id={`${id}${name}`}
              required={name !== 'name'}
              autocomplete="off"
              dir={name === 'name' ? 'auto' : 'ltr'}
              value={values[name]}
              onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
            />
          </label>
        ))}
        <label for={`${id}r`}>
          {say('Role')}
          <select
            id={`${id}r`}
            value={values.role}
            onChange={({ currentTarget }) => setValues({ ...values, role: currentTarget.value })}
          >
            {usual.map((one) => (
              <option key={one} value={one}>
                {roleName(one)}
              </option>
            ))}
          </select>
        </label>
        <Button class="main" isOff={isBusy}>
          {say('Invite')}
        </Button>
        <p role="status" dir="auto">
          {link !== '' && say('Give them this link: it works once, within a week. {link}', { link })}
        </p>
        {fault !== '' && <p role="alert">{fault}</p>}
      </fieldset>
    </form>
  );
}

const texts = ['name', 'first_name', 'last_name', 'email', 'url', 'description'] as const;

interface StoredUser extends Stored {
  readonly user: User;
}

const storedOf = ({ data, headers }: Answer<User>): StoredUser => ({
  user: data,
  etag: headers.get('ETag') ?? '',
  values: { ...Object.fromEntries(texts.map((name) => [name, data[name] ?? ''])), role: data.roles[0] ?? '' },
});

function Profile({ site, id }: { site: Site; id: number }) {
  const own = useId();
  const load = (): Promise<StoredUser> => ask<User>(`${route}/${id}`, { query: { context: 'edit' } }).then(storedOf);
  const write = ({ etag }: StoredUser, { role, ...body }: Values): Promise<StoredUser> =>
    ask<User>(`${route}/${id}`, {
      method: 'POST',
      query: { context: 'edit' },
      body: { ...body, ...(role === undefined ? {} : { roles: [role] }) },
      headers: { 'If-Match': etag },
    }).then(storedOf);
  const { stored, values, setValues, merge, told, fault, isBusy, show, failed, decide, save } = useSaving({ write, load });
  useEffect(() => {
    load().then(show, failed);
  }, [id]);
  const user = stored?.user;
  const labels: Readonly<Record<string, string>> = {
    name: say('Name'),
    first_name: say('First name'),
    last_name: say('Last name'),
    email: say('Email address'),
    url: say('Website'),
    description: say('About the person'),
    role: say('Role'),
  };
  const mayPromote = site.person.capabilities.promote_users === true && id !== site.person.id;
  return (
    <>
      <div class="head">
        <h1 dir="auto">{user?.name ?? say('People')}</h1>
        <button type="button" onClick={() => go({ people: '' })}>
          {say('Everybody')}
        </button>
      </div>
      <p role="status">{told}</p>
      {fault !== '' && <p role="alert">{fault}</p>}
      {merge && (
        <Conflicts
          merged={merge}
          nameOf={(name) => labels[name] ?? name}
          textOf={(name, value) => (name === 'role' ? roleName(String(value)) : undefined)}
          onDecide={decide}
        />
      )}
      {user && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          {texts.map((name) => {
            const given = {
              id: `${own}${name}`,
              value: String(values[name] ?? ''),
              onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
                setValues((before) => ({ ...before, [name]: currentTarget.value })),
            };
            return (
              <div key={name} class="field">
                <label for={given.id}>{labels[name]}</label>
                {name === 'description' ? (
                  <textarea {...given} rows={4} dir="auto" />
                ) : (
                  <input {...given} dir={name === 'email' || name === 'url' ? 'ltr' : 'auto'} />
                )}
              </div>
            );
          })}
          {mayPromote && (
            <div class="field">
              <label for={`${own}r`}>{say('Role')}</label>
              <select
                id={`${own}r`}
                value={String(values.role ?? '')}
                onChange={({ currentTarget }) => setValues((before) => ({ ...before, role: currentTarget.value }))}
              >
                {[...new Set([...usual, ...user.roles])].map((one) => (
                  <option key={one} value={one}>
                    {roleName(one)}
                  </option>
                ))}
              </select>
            </div>
          )}
          <Button class="main" isOff={isBusy || merge !== null}>
            {say('Save')}
          </Button>
        </form>
      )}
      {user && id === site.person.id && <Passwords />}
    </>
  );
}

interface Password {
  readonly uuid: string;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
  /** Shown once. */
  readonly password?: string;
}

const passwords = `${route}/me/application-passwords`;

/** For programs that sign in as oneself. */
function Passwords() {
  const id = useId();
  const [all, setAll] = useState<readonly Password[]>([]);
  const [name, setName] = useState('');
  const [made, setMade] = useState('');
  const [fault, setFault] = useState('');
  const load = (): Promise<void> =>
    ask<Password[]>(passwords).then(
      ({ data }) => setAll(data),
      (error: ApiError) => setFault(error.message),
    );
  useEffect(() => void load(), []);
  const [isBusy, once] = useOnce();
  const run = (change: () => Promise<string>): Promise<void> =>
    once(async () => {
      try {
        setFault('');
        setMade(await change());
        await load();
      } catch (error) {
        setFault((error as Error).message);
      }
    });
  return (
    <section aria-labelledby={`${id}h`}>
      <h2 id={`${id}h`}>{say('Application passwords')}</h2>
      <ul class="items">
        {all.map((one) => (
          <li key={one.uuid}>
            <div class="item">
              <span class="title" dir="auto">
                {one.name}
              </span>
              <span>{dateText(one.created)}</span>
              <span>{one.last_used ? say('Used: {date}', { date: dateText(one.last_used) }) : say('Never used')}</span>
            </div>
            <Button
              isOff={isBusy}
              class="danger"
              aria-label={say('Revoke {name}', { name: one.name })}
              onClick={() =>
                void run(async () => {
                  await ask(`${passwords}/${one.uuid}`, { method: 'DELETE' });
                  document.getElementById(`${id}n`)?.focus();
                  return say('{name} has been revoked.', { name: one.name });
                })
              }
            >
              {say('Revoke')}
            </Button>
          </li>
        ))}
      </ul>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            const { data } = await ask<Password>(passwords, { method: 'POST', body: { name } });
            setName('');
            return say('Copy it now, it is shown only once: {password}', { password: data.password });
          });
        }}
      >
        <label for={`${id}n`}>{say('Password name')}</label>
        <input id={`${id}n`} required dir="auto" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        <Button isOff={isBusy}>{say('Add application password')}</Button>
      </form>
      <p role="status" dir="auto">
        {made}
      </p>
      {fault !== '' && <p role="alert">{fault}</p>}
    </section>
  );
}
