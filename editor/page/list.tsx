/** The items of a type: searched, filtered, page by page. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, ask } from './api.ts';
import { Bulk, Choose } from './bulk.tsx';
import { type Filter, Filters, queryOf } from './filters.tsx';
import { AddTerms, itemActions } from './item-actions.tsx';
import { Pages } from './media.tsx';
import { type Item, may, type Person, plain, type Taxonomy, type Type } from './records.ts';
import { Go } from './router.tsx';
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

export function List({ type, taxonomies, person }: ListProps) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [more, setMore] = useState<Filter>({});
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [turn, setTurn] = useState(0);
  /** Stays when the last item leaves the list, to tell of it. */
  const [hasBulk, setHasBulk] = useState(false);
  const [found, setFound] = useState<{ items: readonly Item[]; pages: number; total: number; mayCreate: boolean } | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        ask<Item[]>(`${type.rest_namespace}/${type.rest_base}`, {
          query: {
            // For editing, a list leaves out what its reader may not change: those who may not change what is published would not see
            // that theirs is.
            context: person.capabilities[type.capabilities?.edit_published_posts ?? 'edit_published_posts'] ? 'edit' : 'view',
            per_page: 20,
            page,
            search,
            status: status || statuses.filter((one) => one !== 'trash').join(','),
            orderby: search ? 'relevance' : 'modified',
            ...queryOf(more),
            _fields: ['id,title,status,date,slug,link,author,_links,_embedded', ...taxonomies.map((one) => one.rest_base)].join(),
            _embed: 'author',
          },
        }).then(
          ({ data, headers }) => {
            if (!isCurrent) return;
            setFault('');
            setHasBulk((had) => had || data.some((item) => may(item, 'PUT')));
            setChosen((before) => new Set(data.flatMap(({ id }) => (before.has(id) ? [id] : []))));
            setFound({
              items: data,
              pages: Number(headers.get('X-CMS-TotalPages') ?? 1),
              total: Number(headers.get('X-CMS-Total') ?? 0),
              mayCreate: (headers.get('Allow') ?? '').includes('POST'),
            });
          },
          (error: ApiError) => {
            if (!isCurrent) return;
            // The last of a page was taken away.
            if (error.code === 'rest_post_invalid_page_number' && page > 1) setPage(page - 1);
            else setFault(error.status === 0 ? say('The server cannot be reached.') : error.message);
          },
        );
      },
      search === '' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, search, status, more, page, turn]);
  const filter = (set: () => void): void => {
    set();
    setPage(1);
  };
  const changeable = found?.items.filter((item) => may(item, 'PUT')) ?? [];
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
      <search class="bar">
        <label for="list-search">{say('Search')}</label>
        <input
          id="list-search"
          type="search"
          value={search}
          dir="auto"
          onInput={({ currentTarget }) => filter(() => setSearch(currentTarget.value))}
        />
        <label for="list-status">{say('Status')}</label>
        <select id="list-status" value={status} onChange={({ currentTarget }) => filter(() => setStatus(currentTarget.value))}>
          <option value="">{say('All but the trash')}</option>
          {statuses.map((one) => (
            <option key={one} value={one}>
              {statusName(one)}
            </option>
          ))}
        </select>
        <Filters
          filter={more}
          taxonomies={taxonomies}
          hasAuthors={Boolean(type.supports.author)}
          onChange={(next) => filter(() => setMore(next))}
        />
      </search>
      {hasBulk && (
        <Bulk
          all={changeable}
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
      {found?.items.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="items">
        {found?.items.map((item) => (
          <li key={item.id}>
            {hasBulk && (
              <Choose
                id={item.id}
                name={titleOf(item)}
                isOffered={changeable.includes(item)}
                chosen={chosen}
                onChoose={setChosen}
              />
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
            </div>
          </li>
        ))}
      </ul>
      {found && found.pages > 1 && <Pages page={page} pages={found.pages} onTurn={setPage} />}
    </>
  );
}

export function titleOf(item: Item): string {
  return plain(item.title?.rendered) || item.slug || `#${item.id}`;
}

/** @param date  site time */
export function dateText(date: string | null): string {
  if (!date) return '';
  // Its numbers are those of the site, wherever the reader is.
  return new Date(`${date}Z`).toLocaleString(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
}
