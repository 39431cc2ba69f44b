/**
 * The schema of the engine in PostgreSQL, as numbered migrations that only go forward. Names are written with their schema, so that
 * nothing depends on the state of a session: a pooler may give every statement another one.
 */

export interface Migration {
  readonly number: number;
  readonly what: string;
  /** @param schema  its name, quoted */
  sql(schema: string): string;
}

export const migrations: readonly Migration[] = [
  {
    number: 1,
    what: 'files, commits, claims, numbers and leases',
    sql: (schema) => `
-- The one row whose lock puts commits in order: a sequence is visible before the next one is given out.
create table ${schema}.position (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  -- Changes up to here are no longer known one by one.
  trimmed bigint not null
);
insert into ${schema}.position (seq, trimmed) values (0, 0);

-- A removed file stays as a row without etag, until it is trimmed: this is the feed of changes as well.
create table ${schema}.file (
  path text collate "C" primary key,
  etag text,
  size bigint not null,
  seq bigint not null,
  time_ms bigint not null,
  is_text boolean not null,
  bytes bytea
);
create index file_seq on ${schema}.file (seq);

-- What became of a commit, by its id; without a sequence it has been given up.
create table ${schema}.outcome (
  id text primary key,
  seq bigint,
  time_ms bigint not null
);
create index outcome_time on ${schema}.outcome (time_ms);

create table ${schema}.claim (
  name text collate "C" primary key,
  seq bigint not null
);
create index claim_seq on ${schema}.claim (seq);

create table ${schema}.counter (
  space text primary key,
  taken bigint not null
);

create table ${schema}.lease (
  name text primary key,
  holder text not null,
  until timestamptz not null
);

create function ${schema}.now_ms() returns bigint language sql volatile as $$
  select (extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- Carries out commits, each wholly or not at all. Their contents are in one list, which edits point into, counted from 1.
create function ${schema}.commit_all(commits jsonb, contents bytea[]) returns jsonb language plpgsql as $$
declare
  at bigint;
  kept_from bigint;
  ms bigint;
  one jsonb;
  edit jsonb;
  known record;
  present text;
  stale text;
  outcomes jsonb := '[]';
begin
  select seq, trimmed into at, kept_from from ${schema}.position for update;
  ms := ${schema}.now_ms();
  for one in select value from jsonb_array_elements(commits) loop
    select seq, time_ms into known from ${schema}.outcome where id = one->>'id';
    if found then
      outcomes := outcomes || jsonb_build_object('seq', known.seq, 'time', known.time_ms, 'stale', one#>>'{edits,0,path}');
      continue;
    end if;
    stale := null;
    for edit in select value from jsonb_array_elements(one->'edits') loop
      if edit ? 'expect' then
        select etag into present from ${schema}.file where path = edit->>'path';
        if not found then present := null; end if;
        if present is distinct from edit->>'expect' then
          stale := edit->>'path';
          exit;
        end if;
      end if;
    end loop;
    if stale is null and jsonb_array_length(one->'claims') > 0 and (
      (one->>'seen')::bigint < kept_from or exists (
        select from ${schema}.claim
        where name in (select jsonb_array_elements_text(one->'claims') union all select '*') and seq > (one->>'seen')::bigint
      )
    ) then
      stale := one#>>'{edits,0,path}';
    end if;
    if stale is not null then
      outcomes := outcomes || jsonb_build_object('stale', stale);
      continue;
    end if;
    at := at + 1;
    insert into ${schema}.file as f (path, etag, size, seq, time_ms, is_text, bytes)
      select e->>'path', e->>'etag', coalesce(octet_length(contents[(e->>'at')::int]), 0), at, ms, (e->>'text')::boolean,
        contents[(e->>'at')::int]
      from jsonb_array_elements(one->'edits') e
      on conflict (path) do update set etag = excluded.etag, size = excluded.size, seq = excluded.seq,
        time_ms = excluded.time_ms, is_text = excluded.is_text, bytes = excluded.bytes;
    insert into ${schema}.claim (name, seq) select distinct c, at from jsonb_array_elements_text(one->'claims') c
      on conflict (name) do update set seq = excluded.seq;
    insert into ${schema}.outcome (id, seq, time_ms) values (one->>'id', at, ms);
    outcomes := outcomes || jsonb_build_object('seq', at, 'time', ms);
  end loop;
  update ${schema}.position set seq = at;
  perform pg_notify(${literal(schema)}, at::text);
  return outcomes;
end
$$;

-- Waits for a transaction that may be carrying the commit out, and gives up one that is not there.
create function ${schema}.settle(commit_id text) returns table (seq bigint, time_ms bigint) language plpgsql as $$
begin
  perform 1 from ${schema}.position for update;
  insert into ${schema}.outcome as o (id, seq, time_ms) values (commit_id, null, ${schema}.now_ms()) on conflict do nothing;
  return query select o.seq, o.time_ms from ${schema}.outcome o where o.id = commit_id;
end
$$;

create function ${schema}.reserve(above jsonb, count bigint) returns table (space text, taken bigint, ends bigint)
language plpgsql as $$
declare
  wanted record;
  had bigint;
begin
  for wanted in select key, value::bigint as high from jsonb_each_text(above) order by key loop
    insert into ${schema}.counter as c (space, taken) values (wanted.key, 0) on conflict do nothing;
    select c.taken into had from ${schema}.counter c where c.space = wanted.key for update;
    update ${schema}.counter c set taken = greatest(had, wanted.high) + count where c.space = wanted.key;
    return query select wanted.key, had, greatest(had, wanted.high) + count;
  end loop;
end
$$;

-- Forgets what removed files, outcomes and claims were longer ago than any node looks back.
create function ${schema}.trim_before(before_ms bigint) returns void language plpgsql as $$
declare
  upto bigint;
begin
  perform 1 from ${schema}.position for update;
  select max(o.seq) into upto from ${schema}.outcome o where o.time_ms < before_ms;
  if upto is null then return; end if;
  delete from ${schema}.file where etag is null and seq <= upto;
  delete from ${schema}.claim where seq <= upto;
  delete from ${schema}.outcome where time_ms < before_ms;
  update ${schema}.position set trimmed = greatest(trimmed, upto);
end
$$;
`,
  },
];

function literal(text: string): string {
  return `'${text.replaceAll('"', '').replaceAll("'", "''")}'`;
}
