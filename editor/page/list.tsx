/** The items of a type: searched, filtered, page by page. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, ask } from './api.ts';
import { Bulk, Choose } from './bulk.tsx';
import { type Filter, Filters, queryOf } from './filters.tsx';
import { AddTerms, itemActions } from './item-actions.tsx';
import { LongList, partSize } from './long-list.tsx';
import { type Item, may, type Person, plain, type Taxonomy, type Type } from './records.ts';
import { Go } from './router.tsx';
import { Translations } from './translations.tsx';
import { SearchBar } from './search-bar.tsx';
import { say } from './words.ts';

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;

export function statusName(status: string): string {
  const names: Readonly<Record<string, string>> = {
    publish: say('Published'),
    future: say('Scheduled'),
    draft: say('Draft'),
    pending: say('Pending review'),
    private: say('Private'),
    trash: say('Trash'),
  };
  return names[status] ?? status;
}

interface ListProps {
  readonly type: Type;
  readonly taxonomies: readonly Taxonomy[];
  readonly person: Person;
}

interface Found {
  readonly parts: ReadonlyMap<number, readonly Item[]>;
  readonly total: number;
  readonly mayCreate: boolean;
}

/** So long nobody looks at what a list is drawn past, or goes on typing in its search. */
const patienceMs = 120;

export function List({ type, taxonomies, person }: ListProps) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [more, setMore] = useState<Filter>({});
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [turn, setTurn] = useState(0);
  /** Stays when the last item leaves the list, to tell of it. */
  const [hasBulk, setHasBulk] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const [near, setNear] = useState<readonly number[]>([0]);
  const [fault, setFault] = useState('');
  const fail = (error: ApiError): void => setFault(error.message);
  const load = (part: number) =>
    ask<Item[]>(`${type.rest_namespace}/${type.rest_base}`, {
      query: {
        // For editing, a list leaves out what its reader may not change: those who may not change what is published would not see
        // that theirs is.
        context: person.capabilities[type.capabilities?.edit_published_posts ?? 'edit_published_posts'] ? 'edit' : 'view',
        per_page: partSize,
        page: part + 1,
        search,
        status: status || statuses.filter((one) => one !== 'trash').join(','),
        orderby: search ? 'relevance' : 'modified',
        ...queryOf(more),
        _fields: [
          'id,title,status,date,slug,link,author,lang,translations,translation_status,_links,_embedded',
          ...taxonomies.map((one) => one.rest_base),
        ].join(),
        _embed: 'author',
      },
    });
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        load(0).then(({ data, headers }) => {
          if (!isCurrent) return;
          setFault('');
          setFound({
            parts: new Map([[0, data]]),
            total: Number(headers.get('X-CMS-Total') ?? 0),
            mayCreate: (headers.get('Allow') ?? '').includes('POST'),
          });
        }, fail),
      search === '' ? 0 : 2 * patienceMs,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, search, status, more, turn]);
  useEffect(() => {
    if (!found) return;
    const all = [...found.parts.values()].flat();
    setHasBulk((had) => had || all.some((item) => may(item, 'PUT')));
    setChosen((before) => new Set(all.flatMap(({ id }) => (before.has(id) ? [id] : []))));
    const missing = near.filter((part) => part * partSize < found.total && !found.parts.has(part));
    if (missing.length === 0) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void Promise.all(missing.map(async (part) => [part, (await load(part)).data] as const)).then((more) => {
        if (isCurrent) setFound({ ...found, parts: new Map([...found.parts, ...more]) });
      }, fail);
    }, patienceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [found, near]);
  const changeable = [...(found?.parts.values() ?? [])].flat().filter((item) => may(item, 'PUT'));
  return (
    <>
      <div class="head">
        <h1>{say(type.labels.name ?? type.name)}</h1>
        {found?.mayCreate && (
          <Go class="button main" to={{ new: type.rest_base }}>
            {say(type.labels.add_new_item ?? 'New')}
          </Go>
        )}
      </div>
      <SearchBar
        search={search}
        onSearch={setSearch}
        label={say('Status')}
        chosen={status}
        choices={[['', say('All except trash')], ...statuses.map((one) => [one, statusName(one)] as const)]}
        onChoose={setStatus}
      >
        <Filters filter={more} taxonomies={taxonomies} hasAuthors={Boolean(type.supports.author)} onChange={setMore} />
      </SearchBar>
      {hasBulk && (
        <Bulk
          all={changeable}
          allName={say('Select all loaded')}
          chosen={chosen}
          actions={itemActions(type)}
          nameOf={titleOf}
          onChoose={setChosen}
          onDone={() => setTurn((count) => count + 1)}
          more={(those, run, isBusy) => <AddTerms {...{ type, taxonomies, person, those, run, isBusy }} />}
        />
      )}
      {fault !== '' && <p role="alert">{fault}</p>}
      <p role="status" class="aside">
        {found && say('{total} found', { total: found.total })}
      </p>
      {found?.total === 0 && <p>{say('Nothing was found.')}</p>}
      {found && (
        <LongList
          total={found.total}
          parts={found.parts}
          onNear={setNear}
          row={(item) => (
            <>
              {hasBulk && (
                <Choose id={item.id} name={titleOf(item)} isOffered={may(item, 'PUT')} chosen={chosen} onChoose={setChosen} />
              )}
              <div class="item">
                <span class="title" dir="auto">
                  {may(item, 'PUT') ? (
                    <Go to={{ edit: `${type.rest_base}/${item.id}` }}>{titleOf(item)}</Go>
                  ) : (
                    <a href={item.link}>{titleOf(item)}</a>
                  )}
                </span>
                <span class={`status ${item.status}`}>{statusName(item.status)}</span>
                <span>{item._embedded?.author?.[0]?.name ?? ''}</span>
                <span>{dateText(item.date)}</span>
                <Translations type={type} item={item} mayCreate={found.mayCreate} />
              </div>
            </>
          )}
        />
      )}
    </>
  );
}

const titles = new WeakMap<Item, string>();

export function titleOf(item: Item): string {
  const title = titles.get(item) ?? (plain(item.title?.rendered) || item.slug || `#${item.id}`);
  titles.set(item, title);
  return title;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** @param date  site time */
export function dateText(date: string | null): string {
  if (!date) return '';
  const { lang } = document.documentElement;
  // Its numbers are those of the site, wherever the reader is. Making a format takes longer than a row of a list.
  const format = formats.get(lang) ?? new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  formats.set(lang, format);
  return format.format(new Date(`${date}Z`));
}
