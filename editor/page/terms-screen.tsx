/** Terms of every taxonomy: what there is and what stands below what; one is made, named otherwise, moved; several are joined or deleted. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type Answer, type ApiError, ask } from './api.ts';
import { type Action, Bulk, Choose, type Run } from './bulk.tsx';
import { Button } from './button.tsx';
import { changesOf, type Values } from './changes.ts';
import { Dialog } from './dialog.tsx';
import { fieldName } from './fields.ts';
import { Pages } from './media.tsx';
import { Picker } from './picker.tsx';
import { type Item, may, plain, type Site, type Taxonomy, type Term } from './records.ts';
import { useOnce } from './once.ts';
import { Go, go, useGuard, useShown } from './router.tsx';
import { type Conflict, mergeValues } from './values.ts';
import { SearchBar } from './search-bar.tsx';
import { say } from './words.ts';

interface Held extends Term, Pick<Item, '_links'> {
  readonly slug: string;
  readonly description: string;
  readonly parent?: number;
  readonly count: number;
  readonly link: string;
}

const nameOf = ({ name }: Held): string => plain(name);
const routeOf = ({ rest_namespace, rest_base }: Taxonomy): string => `${rest_namespace}/${rest_base}`;

export function TermsScreen({ site, place }: { site: Site; place: string }) {
  const all = Object.values(site.taxonomies);
  const [slug = '', id] = place.split('/');
  const taxonomy = slug === '' ? all[0] : all.find((one) => one.slug === slug);
  if (!taxonomy || !/^(?:\d+|new)?$/.test(id ?? '')) return <p>{say('Nothing was found.')}</p>;
  return id === undefined || id === '' ? <AllTerms all={all} taxonomy={taxonomy} /> : <OneTerm taxonomy={taxonomy} id={id} />;
}

type Row = readonly [term: Held, depth: number];

/** Each below the one that it belongs to, with how deep that is. */
function inOrder(terms: readonly Held[]): readonly Row[] {
  const known = new Set(terms.map(({ id }) => id));
  const listed = new Set<number>();
  const list = (term: Held, depth: number): readonly Row[] => {
    listed.add(term.id);
    return [[term, depth], ...below(term.id, depth + 1)];
  };
  const below = (id: number, depth: number): readonly Row[] =>
    terms
      .filter(({ parent = 0 }) => (known.has(parent) ? parent : 0) === id)
      .flatMap((term) => (listed.has(term.id) ? [] : list(term, depth)));
  const all = below(0, 0);
  // Of two that are each below the other, the first is above.
  return [...all, ...terms.flatMap((term) => (listed.has(term.id) ? [] : list(term, 0)))];
}

function AllTerms({ all, taxonomy }: { all: readonly Taxonomy[]; taxonomy: Taxonomy }) {
  const route = routeOf(taxonomy);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [turn, setTurn] = useState(0);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [found, setFound] = useState<{ terms: readonly Held[]; pages: number; total: number; mayCreate: boolean } | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        const query = { context: 'edit', per_page: 100, page, search };
        ask<Held[]>(route, { query }).then(
          ({ data, headers }) => {
            if (!isCurrent) return;
            setFault('');
            setFound({
              terms: data,
              pages: Number(headers.get('X-CMS-TotalPages') ?? 1),
              total: Number(headers.get('X-CMS-Total') ?? 0),
              mayCreate: (headers.get('Allow') ?? '').includes('POST'),
            });
            setChosen((before) => new Set(data.flatMap(({ id }) => (before.has(id) ? [id] : []))));
          },
          (error: ApiError) => {
            if (!isCurrent) return;
            // The last of a page was taken away.
            if (error.status === 400 && page > 1) setPage(page - 1);
            else setFault(error.message);
          },
        );
      },
      search === '' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [route, search, page, turn]);
  const actions: readonly Action<Held>[] = [
    {
      name: say('Delete permanently'),
      isDangerous: true,
      suits: (term) => may(term, 'DELETE'),
      question: (count) =>
        say('Delete {count} permanently? Their items are kept without them; terms below them move up.', { count }),
      run: ({ id }) => ask(`${route}/${id}`, { method: 'DELETE', query: { force: 'true' } }),
    },
  ];
  const offered = found?.terms.filter((term) => may(term, 'DELETE')) ?? [];
  return (
    <>
      <div class="head">
        <h1>{say('Terms')}</h1>
        {found?.mayCreate && (
          <Go class="button main" to={{ terms: `${taxonomy.slug}/new` }}>
            {say('New in {name}', { name: say(taxonomy.name) })}
          </Go>
        )}
      </div>
      <SearchBar
        search={search}
        onSearch={(words) => {
          setSearch(words);
          setPage(1);
        }}
        label={say('Taxonomy')}
        chosen={taxonomy.slug}
        choices={all.map(({ slug, name }) => [slug, say(name)])}
        onChoose={(terms) => go({ terms })}
      />
      {offered.length > 0 && (
        <Bulk
          all={offered}
          {...{ chosen, actions, nameOf }}
          onChoose={setChosen}
          onDone={() => setTurn((count) => count + 1)}
          more={(those, run, isBusy) => <Join {...{ taxonomy, those, run, isBusy }} />}
        />
      )}
      {fault !== '' && <p role="alert">{fault}</p>}
      <p role="status" class="aside">
        {found && say('{total} found', { total: found.total })}
      </p>
      {found?.terms.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="items tree">
        {inOrder(found?.terms ?? []).map(([term, depth]) => (
          <li key={term.id} data-depth={Math.min(depth, 4)}>
            {offered.length > 0 && (
              <Choose id={term.id} name={nameOf(term)} isOffered={offered.includes(term)} chosen={chosen} onChoose={setChosen} />
            )}
            <div class="item">
              <span class="title" dir="auto">
                {may(term, 'PUT') ? <Go to={{ terms: `${taxonomy.slug}/${term.id}` }}>{nameOf(term)}</Go> : nameOf(term)}
              </span>
              <span>{say('{count} published', { count: term.count })}</span>
              <span dir="ltr">{term.slug}</span>
            </div>
          </li>
        ))}
      </ul>
      {found && found.pages > 1 && <Pages page={page} pages={found.pages} onTurn={setPage} />}
    </>
  );
}

interface JoinProps {
  readonly taxonomy: Taxonomy;
  readonly those: readonly Held[];
  readonly isBusy: boolean;
  readonly run: Run<Held>;
}

/** Terms become another one: what has them gets that, and they are gone. */
function Join({ taxonomy, those, isBusy, run }: JoinProps) {
  const [isOpen, setOpen] = useState(false);
  const [other, setOther] = useState<{ id: number; name: string } | null>(null);
  const isOne = those.some(({ id }) => id === other?.id);
  return (
    <>
      <Button isOff={isBusy} onClick={() => setOpen(true)}>
        {say('Merge into another')}
      </Button>
      {isOpen && (
        <Dialog title={say('Merge into another')} onClose={() => setOpen(false)}>
          <p>{say('Items with one of these get the other instead, drafts included. Then these are deleted.')}</p>
          <p dir="auto">{those.map(nameOf).join(', ')}</p>
          <Picker
            label={say('Merge into')}
            routes={[routeOf(taxonomy)]}
            ids={other ? [other.id] : []}
            onChange={([id], name = '') => setOther(id === undefined ? null : { id, name })}
          />
          <Button
            class="main"
            isOff={other === null || (isOne && those.length === 1)}
            onClick={() => {
              setOpen(false);
              if (other) void run(say('Merge into another'), (term) => joined(taxonomy, term, other.id));
            }}
          >
            {say('Merge')}
          </Button>
        </Dialog>
      )}
    </>
  );
}

const statuses = 'publish,future,draft,pending,private,trash';

/** So often an item that others change at the same time is read anew. */
const mostTries = 5;

/** @throws Error of the first item that may not be changed: then the term is still there, and joining goes on where it ended */
async function joined(taxonomy: Taxonomy, term: Held, other: number): Promise<void> {
  if (term.id === other) return;
  const self = `${routeOf(taxonomy)}/${term.id}`;
  const seen = ({ name, slug, description, parent = 0 }: Held): Values => ({ name, slug, description, parent });
  for (let tries = 1; ; tries++) {
    await exchangeAll(taxonomy, term, other);
    const { data: now, headers } = await ask<Held>(self, { query: { context: 'edit' } });
    if (tries > mostTries || Object.keys(changesOf(seen(term), seen(now))).length > 0) throw new Error(changedMeanwhile());
    try {
      await ask(self, { method: 'DELETE', query: { force: 'true', unused: 'true' }, headers: inState(headers.get('ETag')) });
      return;
    } catch (error) {
      // Changed, or given to another item since.
      if ((error as ApiError).status !== 412) throw error;
    }
  }
}

/** Every item with one term that is found gets another instead. */
async function exchangeAll({ rest_base: base }: Taxonomy, term: Held, other: number): Promise<void> {
  for (const { href } of term._links['cms:post_type'] ?? []) {
    const list = href.slice(href.indexOf('/cms-json/') + '/cms-json/'.length);
    const route = list.replace(/\?.*$/s, '');
    const isMedia = route.endsWith('/media');
    const done = new Set<number>();
    for (;;) {
      const { data } = await ask<Item[]>(list, {
        query: { context: 'edit', per_page: 100, status: isMedia ? undefined : statuses, _fields: 'id' },
      });
      const left = data.filter(({ id }) => !done.has(id));
      if (left.length === 0) break;
      for (const { id } of left) {
        await exchange(`${route}/${id}`, base, term.id, other);
        done.add(id);
      }
    }
  }
}

const changedMeanwhile = (): string => say('Someone has changed this meanwhile. Look at it before you remove it.');
const inState = (etag: string | null): Record<string, string> => (etag ? { 'If-Match': etag } : {});

/** An item gets one term instead of another: what others have changed of it meanwhile stays. */
async function exchange(self: string, base: string, from: number, to: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { data, headers } = await ask<Item>(self, { query: { context: 'edit', _fields: `id,${base}` } });
    const ids = (data[base] ?? []) as readonly number[];
    if (!ids.includes(from)) return;
    const wanted = [...new Set([...ids.filter((id) => id !== from), to])];
    try {
      await ask(self, { method: 'POST', body: { [base]: wanted }, headers: inState(headers.get('ETag')) });
      return;
    } catch (error) {
      if ((error as ApiError).status !== 412 || tries === mostTries) throw error;
    }
  }
}

/** As the server has it; null for one that is new. */
interface Stored {
  readonly term: Held | null;
  readonly etag: string;
  readonly values: Values;
}

function OneTerm({ taxonomy, id }: { taxonomy: Taxonomy; id: string }) {
  const own = useId();
  const route = routeOf(taxonomy);
  const [stored, setStored] = useState<Stored | null>(null);
  const [values, setValues] = useState<Values>({});
  const [told, setTold] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, once] = useOnce();
  const isShown = useShown();
  useGuard(() => stored !== null && Object.keys(changesOf(stored.values, values)).length > 0);
  const storedOf = ({ data, headers }: Answer<Held>): Stored => ({
    term: data,
    etag: headers.get('ETag') ?? '',
    values: {
      name: plain(data.name),
      slug: data.slug,
      description: data.description,
      ...(data.parent === undefined ? {} : { parent: data.parent }),
    },
  });
  const show = (next: Stored): void => {
    setStored(next);
    setValues(next.values);
  };
  const load = (which: number | string): Promise<Stored> =>
    ask<Held>(`${route}/${which}`, { query: { context: 'edit' } }).then(storedOf);
  useEffect(() => {
    if (id !== 'new') load(id).then(show, (error: ApiError) => setFault(error.message));
    else
      show({
        term: null,
        etag: '',
        values: { name: '', slug: '', description: '', ...(taxonomy.hierarchical ? { parent: 0 } : {}) },
      });
  }, []);
  if (!stored) return fault === '' ? <p role="status">{say('Loading…')}</p> : <p role="alert">{fault}</p>;

  /** @param seen  what the page shows while this is saved */
  const save = async (from: Stored, given: Values, seen = given): Promise<void> => {
    const body = changesOf(from.values, given);
    if (Object.keys(body).length === 0) {
      // Somebody else has made it so.
      if (from !== stored) show(from);
      return setTold(say('Nothing has changed.'));
    }
    const self = from.term ? `${route}/${from.term.id}` : route;
    const headers = from.term ? inState(from.etag) : {};
    const answer = await ask<Held>(self, { method: 'POST', query: { context: 'edit' }, body, headers });
    // The answer to a write does not say what may be done with it.
    const saved = { ...storedOf(answer), term: { ...answer.data, _links: from.term?._links ?? answer.data._links } };
    setStored(saved);
    // What was written while it was being saved stays.
    setValues((now) => ({ ...saved.values, ...changesOf(seen, now) }));
    setTold(say('Saved.'));
    if (!from.term && isShown()) go({ terms: `${taxonomy.slug}/${answer.data.id}` }, { replace: true, quiet: true });
  };
  const submit = async (): Promise<void> => {
    setFault('');
    setTold('');
    try {
      await save(stored, values).catch(async (error: ApiError) => {
        if (error.status !== 412 || !stored.term) throw error;
        const fresh = await load(stored.term.id);
        const { conflicts, resolve } = mergeValues(stored.values, values, fresh.values);
        if (conflicts.length === 0) return await save(fresh, resolve([]), values);
        const theirs = await Promise.all(conflicts.map(async (one) => `${labelOf(one.field)}: ${await textOf(route, one)}`));
        // What is typed stays, beside what is there now: to save it again is to have seen that.
        setStored(fresh);
        setFault([say('Someone else has changed this, too'), ...theirs].join('\n'));
      });
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const set = (name: string, value: Values[string]): void => setValues((before) => ({ ...before, [name]: value }));
  const { term } = stored;
  const isFixed = term !== null && !may(term, 'PUT');
  return (
    <form
      class="facts"
      onSubmit={(event) => {
        event.preventDefault();
        void once(submit);
      }}
    >
      <div class="head">
        <h1 dir="auto">{term ? nameOf(term) : say('New in {name}', { name: say(taxonomy.name) })}</h1>
        <Go class="button" to={{ terms: taxonomy.slug }}>
          {say('All in {name}', { name: say(taxonomy.name) })}
        </Go>
      </div>
      <p role="status">{told}</p>
      {fault !== '' && (
        <p role="alert" dir="auto">
          {fault}
        </p>
      )}
      <fieldset disabled={isFixed}>
        <legend>{say(taxonomy.name)}</legend>
        <div class="field">
          <label for={`${own}n`}>{labelOf('name')}</label>
          <input
            id={`${own}n`}
            required
            dir="auto"
            value={String(values.name)}
            onInput={({ currentTarget }) => set('name', currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for={`${own}s`}>{labelOf('slug')}</label>
          <input
            id={`${own}s`}
            dir="ltr"
            value={String(values.slug)}
            aria-describedby={`${own}l`}
            onInput={({ currentTarget }) => set('slug', currentTarget.value)}
          />
          <p id={`${own}l`} class="note" dir="ltr">
            {term?.link.slice(0, term.link.lastIndexOf(term.slug)) ?? '…/'}
            <strong>{String(values.slug) || '…'}</strong>/
          </p>
        </div>
        {'parent' in values && (
          <Picker
            label={labelOf('parent')}
            routes={[route]}
            without={term?.id}
            ids={Number(values.parent) > 0 ? [Number(values.parent)] : []}
            onChange={([parent = 0]) => set('parent', parent)}
          />
        )}
        <div class="field">
          <label for={`${own}d`}>{labelOf('description')}</label>
          <textarea
            id={`${own}d`}
            rows={4}
            dir="auto"
            value={String(values.description)}
            onInput={({ currentTarget }) => set('description', currentTarget.value)}
          />
        </div>
      </fieldset>
      <Button class="main" isOff={isFixed || isBusy}>
        {say('Save')}
      </Button>
    </form>
  );
}

/** What somebody else has written: a term by its name. */
async function textOf(route: string, { field, theirs }: Conflict): Promise<string> {
  if (theirs === '' || theirs === 0) return say('(empty)');
  if (field !== 'parent') return String(theirs);
  return await ask<Term>(`${route}/${theirs}`).then(
    ({ data }) => plain(data.name),
    () => `#${theirs}`,
  );
}

function labelOf(field: string): string {
  const names: Readonly<Record<string, string>> = { name: say('Name'), description: say('Description') };
  return names[field] ?? fieldName(field);
}
