/** The items of a type: searched, filtered, page by page. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, ask } from './api.ts';
import { Pages } from './media.tsx';
import { type Item, may, plain, type Type } from './records.ts';
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

export function List({ type }: { type: Type }) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [page, setPage] = useState(1);
  const [found, setFound] = useState<{ items: readonly Item[]; pages: number; total: number; mayCreate: boolean } | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        ask<Item[]>(`${type.rest_namespace}/${type.rest_base}`, {
          query: {
            context: 'edit',
            per_page: 20,
            page,
            search,
            status: status || statuses.filter((one) => one !== 'trash').join(','),
            orderby: search ? 'relevance' : 'modified',
            _fields: 'id,title,status,date,slug,link,author,_links,_embedded',
            _embed: 'author',
          },
        }).then(
          ({ data, headers }) => {
            if (!isCurrent) return;
            setFault('');
            setFound({
              items: data,
              pages: Number(headers.get('X-CMS-TotalPages') ?? 1),
              total: Number(headers.get('X-CMS-Total') ?? 0),
              mayCreate: (headers.get('Allow') ?? '').includes('POST'),
            });
          },
          (error: ApiError) => isCurrent && setFault(error.status === 0 ? say('The server cannot be reached.') : error.message),
        );
      },
      search === '' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, search, status, page]);
  const filter = (set: () => void): void => {
    set();
    setPage(1);
  };
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
      </search>
      {fault !== '' && <p role="alert">{fault}</p>}
      <p role="status" class="aside">
        {found && say('{total} found', { total: found.total })}
      </p>
      {found?.items.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="items">
        {found?.items.map((item) => (
          <li key={item.id}>
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
