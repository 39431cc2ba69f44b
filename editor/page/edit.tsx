/** One item: its text, and what else can be said of it. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type ApiError, ask, askAll, namespace } from './api.ts';
import { autosave, autosaveOf, hasTexts } from './autosave.ts';
import { Body, type BodyHandle } from './body.tsx';
import { Button } from './button.tsx';
import { Conflicts } from './conflicts.tsx';
import { Details, isOwn } from './details.tsx';
import { type Draft, draftOf, dropDraft, keepDraft } from './draft.ts';
import { fieldName } from './fields.ts';
import { Findings, FindingsCount, FoundContext, useFindings } from './findings.tsx';
import { dateText, statusName, titleOf } from './list.tsx';
import { languageOf } from './languages.ts';
import { LibraryDialog } from './media.tsx';
import { Preview } from './preview.tsx';
import { type Item, may, mayDo, type Medium, type Person, type Site, type Taxonomy, thumbnail, type Type } from './records.ts';
import { go, type Place, useGuard, useShown } from './router.tsx';
import { Revisions } from './revisions.tsx';
import { withSearchMeta } from './search-meta.ts';
import { Terms } from './terms.tsx';
import { Original, Translations } from './translations.tsx';
import { changesOf, type Value, type Values } from './changes.ts';
import { bodyOf, emptyValues, type MergedValues, mergeValues, valuesOf } from './values.ts';
import { watchItem } from './watch.ts';
import { say } from './words.ts';

interface EditProps {
  readonly type: Type;
  /** Null for a new one. */
  readonly id: number | null;
  readonly taxonomies: readonly Taxonomy[];
  readonly person: Person;
  readonly zone: string;
  readonly place: Place;
  readonly site: Site;
}

/** As the server has it. */
interface Stored {
  readonly item: Item | null;
  readonly etag: string;
  readonly values: Values;
  readonly isMarkdown: boolean;
  /** Where it can be seen before it is published. */
  readonly preview: string;
}

export function Edit(props: EditProps) {
  const { type, id, taxonomies, site } = props;
  const [stored, setStored] = useState<Stored | null>(null);
  const [fault, setFault] = useState('');
  const route = `${type.rest_namespace}/${type.rest_base}`;
  useEffect(() => {
    if (id === null) setStored({ item: null, etag: '', values: emptyValues(type, taxonomies), isMarkdown: true, preview: '' });
    else load(`${route}/${id}`, kindOf(type, taxonomies, site)).then(setStored, (error: ApiError) => setFault(error.message));
  }, []);
  if (fault !== '') return <p role="alert">{fault}</p>;
  return stored ? <Form {...props} route={route} first={stored} /> : <p role="status">{say('Loading…')}</p>;
}

/** What is to be known of a type to read its items. */
interface Kind {
  readonly taxonomies: readonly Taxonomy[];
  /** Where custom fields are as they are stored: items have them as pages show them. */
  readonly fields: string | null;
  /** Whether they have search metadata. */
  readonly isSearched: boolean;
}

function kindOf({ rest_base }: Type, taxonomies: readonly Taxonomy[], { namespaces }: Site): Kind {
  return {
    taxonomies,
    fields: namespaces.includes('fields/v3') ? `fields/v3/${rest_base}` : null,
    isSearched: namespaces.includes('seo/v1'),
  };
}

async function load(route: string, kind: Kind): Promise<Stored> {
  const { data, headers } = await ask<Item>(route, { query: { context: 'edit' } });
  return storedOf(data, headers, kind);
}

async function storedOf(item: Item, headers: Headers, { taxonomies, fields, isSearched }: Kind): Promise<Stored> {
  const held =
    fields !== null && item.fields !== undefined
      ? await ask<{ fields: unknown }>(`${fields}/${item.id}`, {
          query: { fields_format: 'light', password: typeof item.password === 'string' ? item.password : undefined },
        }).then(
          ({ data }) => data.fields,
          () => undefined,
        )
      : undefined;
  return {
    item,
    etag: headers.get('ETag') ?? '',
    values: valuesOf(isSearched ? withSearchMeta(item) : item, taxonomies, held),
    isMarkdown: !/rel="edit"; type=text\/html/.test(headers.get('Link') ?? ''),
    preview: /<([^>]+)>; rel="preview"/.exec(headers.get('Link') ?? '')?.[1] ?? item.link,
  };
}

function Form(props: EditProps & { route: string; first: Stored }) {
  const { type, taxonomies, person, zone, place: begin, site, route, first } = props;
  const kind = kindOf(type, taxonomies, site);
  const [stored, setStored] = useState(first);
  const [values, setValues] = useState(first.values);
  /** The text that the editor began with; another one begins anew. */
  const [opened, setOpened] = useState({ text: String(first.values.content ?? ''), turn: 0 });
  const [isTouched, setTouched] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState('');
  const [fault, setFault] = useState('');
  const [merged, setMerged] = useState<{ merge: MergedValues; fresh: Stored } | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [isBack, setBack] = useState(false);
  const body = useRef<BodyHandle | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isSeen, setSeen] = useState(false);
  const [page, setPage] = useState({ address: '', turn: 0 });
  const { item } = stored;
  const isTranslation = Number(item?.translation_of ?? 0) > 0;
  const [isBeside, setBeside] = useState(Number(first.item?.translation_of ?? 0) > 0);
  const place = `${type.rest_base} ${item?.id ?? 'new'}`;
  const self = item ? `${route}/${item.id}` : route;

  const present = (): Values =>
    'content' in values ? { ...values, content: isTouched ? (body.current?.text() ?? opened.text) : opened.text } : values;
  const isDirty = (): boolean => Object.keys(changesOf(stored.values, present())).length > 0;
  const latest = useRef({ present, isDirty, stored, place, self, isSeen, isIdle: true, save: (): unknown => null });
  Object.assign(latest.current, { present, isDirty, stored, place, self, isSeen, isIdle: !isBusy && merged === null });
  const headersFor = (from: Stored): Record<string, string> => ({
    'X-CMS-Content-Type': from.isMarkdown ? 'text/markdown' : 'text/html',
    ...(from.item ? { 'If-Match': from.etag } : {}),
  });

  /** Keeps the text on the server, and shows it in the preview. */
  const keepThere = async (): Promise<void> => {
    const { present: now, stored: from, self: where, isIdle } = latest.current;
    const given = now();
    if (!from.item || !isIdle || !hasTexts(changesOf(from.values, given))) return;
    try {
      const { preview, isInPlace } = await autosave(where, given, headersFor(from));
      if (preview !== '') setPage(({ turn }) => ({ address: preview, turn: turn + 1 }));
      if (!isInPlace) return;
      const fresh = await load(where, kind);
      const isOwn = !hasTexts(changesOf(given, fresh.values));
      if (!isOwn || latest.current.stored !== from || !latest.current.isIdle) return;
      setStored({ ...fresh, preview: from.preview });
      // The date of a draft is that of its last change.
      setValues((before) => ({ ...fresh.values, ...changesOf(from.values, before) }));
    } catch {
      // What is not kept there is kept in this browser; what somebody else has changed is merged by the next save.
    }
  };

  const keepHere = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { present: now, stored: base, place: where } = latest.current;
    const given = now();
    if (Object.keys(changesOf(base.values, given)).length > 0)
      keepDraft(where, { base: base.values, values: given, at: Date.now() });
    else dropDraft(where);
  };
  const keep = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(keepHere, 600);
    clearTimeout(later.current);
    later.current = setTimeout(() => void keepThere(), latest.current.isSeen ? 800 : 15_000);
  };
  const set = (name: string, value: Value): void => {
    setValues((before) => ({ ...before, [name]: value }));
    keep();
  };
  const touched = (): void => {
    setTouched(true);
    keep();
  };
  /** Shows other values than those that were here. */
  const show = (next: Values): void => {
    setValues(next);
    setTouched(false);
    const text = String(next.content ?? '');
    const replace = body.current?.replace;
    replace?.(text);
    setOpened(({ turn }) => ({ text, turn: replace ? turn : turn + 1 }));
  };

  useGuard(() => latest.current.isDirty(), say('Leave without saving? What you wrote is kept in this browser.'));
  const isShown = useShown();

  // Marks on pages of the site lead to a place of the item.
  useEffect(() => {
    const there = document.querySelector<HTMLElement>(`[data-at="${CSS.escape(begin.at ?? '')}"]`);
    there?.scrollIntoView({ block: 'center' });
    there?.querySelector<HTMLElement>('input, textarea, button')?.focus();
  }, []);

  useEffect(() => {
    const kept = draftOf(place);
    if (kept && Object.keys(changesOf(first.values, kept.values)).length > 0) setDraft(kept);
    else if (first.item?._links['version-history'])
      autosaveOf(self, first.item, first.values, person.id).then(
        (found) => found && hasTexts(changesOf(first.values, found.values)) && setDraft({ base: first.values, ...found }),
        () => {},
      );
    // What was written last is kept, too.
    const leave = (): void => {
      if (timer.current !== undefined) keepHere();
    };
    const keys = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      latest.current.save();
    };
    addEventListener('pagehide', leave);
    addEventListener('keydown', keys);
    return () => {
      leave();
      clearTimeout(later.current);
      removeEventListener('pagehide', leave);
      removeEventListener('keydown', keys);
    };
  }, []);

  // What changes on disk or in another browser while the page is open.
  useEffect(() => {
    if (!item) return;
    return watchItem(item.id, () => {
      const { stored: known } = latest.current;
      if (isBusy || merged) return;
      ask(self, { method: 'HEAD', query: { context: 'edit' }, headers: { 'If-None-Match': known.etag } }).then(
        async ({ status, headers }) => {
          if (status === 304 || headers.get('ETag') === known.etag || latest.current.stored !== known) return;
          if (latest.current.isDirty())
            return setTold(say('Someone has changed this meanwhile. Your changes are merged when you save.'));
          const fresh = await load(self, kind);
          if (latest.current.isDirty() || latest.current.stored !== known) return;
          setStored(fresh);
          if (Object.keys(changesOf(known.values, fresh.values)).length === 0) return;
          show(fresh.values);
          setTold(say('Someone has changed this. You see the current version.'));
        },
        () => {},
      );
    });
  }, [self, isBusy, merged]);

  /** @param seen  what the page shows while this is saved */
  const save = async (more: Values = {}, from = stored, given = present(), seen = given): Promise<void> => {
    const wanted = { ...given, ...more };
    const changes = changesOf(from.values, wanted);
    setFault('');
    clearTimeout(later.current);
    if (from.item && Object.keys(changes).length === 0) return setTold(say('Nothing has changed.'));
    setBusy(true);
    try {
      const { data, headers } = await ask<Item>(from.item ? self : route, {
        method: 'POST',
        query: { context: 'edit' },
        body: bodyOf(from.item ? changes : withoutEmpty(wanted)),
        headers: headersFor(from),
      });
      // The answer to a write has no links of its own.
      const now = from.item
        ? { ...(await storedOf(data, headers, kind)), isMarkdown: from.isMarkdown, preview: from.preview }
        : await load(`${route}/${data.id}`, kind);
      dropDraft(latest.current.place);
      const written = latest.current.present();
      setStored(now);
      setPage(({ turn }) => ({ address: '', turn: turn + 1 }));
      // What was written while it was being saved stays.
      const isAsSent = Object.keys(changesOf(seen, written)).length === 0;
      if (isAsSent) {
        setValues(now.values);
        if (now.values.content !== (written.content ?? '') || from !== stored || now.isMarkdown !== from.isMarkdown)
          show(now.values);
        else if (isTouched) setTouched(true);
      } else if (from !== stored) {
        // It does not show yet what somebody else has changed: saved as it is, it would take that back.
        const merge = mergeValues(seen, written, now.values);
        if (merge.conflicts.length > 0) setMerged({ merge, fresh: now });
        else show(merge.resolve([]));
      }
      setTold(data.status === 'future' ? say('Scheduled for {date}.', { date: dateText(data.date) }) : say('Saved.'));
      if (!from.item && isShown()) go({ edit: `${type.rest_base}/${data.id}` }, { replace: true, quiet: true });
    } catch (error) {
      await refused(error as ApiError, wanted, from, seen);
    } finally {
      setBusy(false);
    }
  };

  const refused = async (error: ApiError, wanted: Values, from: Stored, seen: Values): Promise<void> => {
    keepDraft(latest.current.place, { base: from.values, values: wanted, at: Date.now() });
    if (error.status === 0) return setFault(say('The server cannot be reached. What you wrote is kept in this browser.'));
    if (error.status !== 412) return setFault(error.message);
    try {
      const fresh = await load(self, kind);
      const merge = mergeValues(from.values, wanted, fresh.values);
      if (merge.conflicts.length > 0) {
        setMerged({ merge, fresh });
        return setTold(say('Someone else has changed this, too'));
      }
      await save({}, fresh, merge.resolve([]), seen);
      setTold(say('Saved, merged with the changes of someone else.'));
    } catch (later) {
      setFault((later as Error).message);
    }
  };

  /** After a change of what is said of it, not of itself. */
  const again = async (): Promise<void> => {
    const fresh = await load(self, kind);
    // What somebody else has changed of it is seen as ever.
    const isSame = Object.keys(changesOf(stored.values, fresh.values)).length === 0;
    if (isSame && latest.current.stored === stored) setStored(fresh);
  };

  latest.current.save = () => isBusy || merged !== null || save();
  /** What had the focus is gone. */
  const focusPage = (): void => document.getElementById('content')?.focus();

  const trash = async (): Promise<void> => {
    if (!item || !confirm(say('Move “{title}” to the trash?', { title: titleOf(item) }))) return;
    setBusy(true);
    try {
      await ask(self, { method: 'DELETE', headers: { 'If-Match': stored.etag } });
      clearTimeout(timer.current);
      timer.current = undefined;
      dropDraft(place);
      if (isShown()) go({ list: type.rest_base }, { isSure: true });
    } catch (error) {
      setFault(
        (error as ApiError).status === 412
          ? say('Someone has changed this meanwhile. Look at it before you remove it.')
          : (error as Error).message,
      );
      setBusy(false);
    }
  };

  const found = useFindings(item?.id, stored.etag, Object.keys(values).filter(isOnPage));
  const mayPublish = item
    ? mayDo(item, 'publish')
    : person.capabilities[type.capabilities?.publish_posts ?? 'publish_posts'] === true;
  const isPublic = stored.item !== null && ['publish', 'future', 'private'].includes(stored.item.status);
  return (
    <FoundContext.Provider value={found}>
      <form
        class="edit"
        aria-label={item ? titleOf(item) : say(type.labels.new_item ?? 'New')}
        onSubmit={(event) => {
          event.preventDefault();
          latest.current.save();
        }}
      >
        <div class="head">
          <h1>{say((item ? type.labels.edit_item : type.labels.add_new_item) ?? type.name)}</h1>
          <div class="row">
            {item && type.viewable !== false && (
              <a class="button" href={isPublic ? item.link : stored.preview} target="_blank" rel="noreferrer">
                {isPublic ? say('View') : say('Preview')}
              </a>
            )}
            {item && type.viewable !== false && (
              <button
                type="button"
                aria-pressed={isSeen}
                onClick={() => {
                  setSeen(!isSeen);
                  if (!isSeen) void keepThere();
                }}
              >
                {say('Show preview')}
              </button>
            )}
            {isTranslation && (
              <button type="button" aria-pressed={isBeside} onClick={() => setBeside(!isBeside)}>
                {say('Show original')}
              </button>
            )}
            <Button isOff={isBusy || merged !== null}>{isPublic || !mayPublish ? say('Save') : say('Save draft')}</Button>
            {mayPublish && !isPublic && (
              <Button class="main" isOff={isBusy || merged !== null} onClick={() => void save({ status: 'publish' })}>
                {isToCome(String(values.date ?? ''), zone) ? say('Schedule') : say('Publish')}
              </Button>
            )}
            {!mayPublish && !isPublic && values.status !== 'pending' && (
              <Button class="main" isOff={isBusy || merged !== null} onClick={() => void save({ status: 'pending' })}>
                {say('Submit for review')}
              </Button>
            )}
          </div>
        </div>
        {item && (
          <Translations
            type={type}
            item={item}
            mayCreate={person.capabilities[type.capabilities?.edit_posts ?? 'edit_posts'] === true}
          />
        )}
        <p role="status">{told}</p>
        <FindingsCount found={found} />
        {fault !== '' && <p role="alert">{fault}</p>}
        {draft && (
          <div class="notice">
            <p>
              {say('You have unsaved changes from {date}.', {
                date: new Date(draft.at).toLocaleString(document.documentElement.lang),
              })}
            </p>
            <button
              type="button"
              onClick={() => {
                const merge = mergeValues(draft.base, draft.values, stored.values);
                if (merge.conflicts.length > 0) setMerged({ merge, fresh: stored });
                else show(merge.resolve([]));
                setDraft(null);
                focusPage();
              }}
            >
              {say('Continue editing')}
            </button>
            <button
              type="button"
              onClick={() => {
                dropDraft(place);
                setDraft(null);
                focusPage();
              }}
            >
              {say('Discard')}
            </button>
          </div>
        )}
        {merged && (
          <Conflicts
            merged={merged.merge}
            onDecide={(choices) => {
              setStored(merged.fresh);
              show(merged.merge.resolve(choices));
              setMerged(null);
              setTold(say('Review it, then save.'));
              focusPage();
            }}
          />
        )}
        <div class={isSeen || (isBeside && isTranslation) ? 'columns seen' : 'columns'}>
          <div class="main-column">
            {'title' in values && (
              <Field
                at="title"
                label={fieldName('title')}
                value={String(values.title)}
                onChange={(value) => set('title', value)}
                isLarge
              />
            )}
            <Findings of={['title']} />
            {'content' in values && (
              <Body
                key={`${opened.turn} ${stored.isMarkdown}`}
                text={opened.text}
                isMarkdown={stored.isMarkdown}
                mayUpload={person.capabilities.upload_files === true}
                label={fieldName('content')}
                handle={body}
                at={begin.at === 'text' && opened.turn === 0 ? { ...begin, block: Number(begin.block ?? 0) } : null}
                onChange={touched}
                tell={setTold}
              />
            )}
            <Findings of={['content']} />
          </div>
          <div class="side-column">
            {isBeside && isTranslation && item && (
              <Original type={type} translation={item} onMarked={() => void again().catch(() => {})} />
            )}
            {isSeen && item && <Preview address={page.address || (isPublic ? item.link : stored.preview)} turn={page.turn} />}
            <Findings />
            <Publishing {...{ type, item, values, set, zone, person, mayPublish }} />
            {taxonomies.map((taxonomy) => (
              <Terms
                key={taxonomy.slug}
                taxonomy={taxonomy}
                lang={item ? languageOf(item) : ''}
                ids={(values[taxonomy.rest_base] ?? []) as readonly number[]}
                mayAssign={item === null || mayDo(item, `assign-${taxonomy.rest_base}`)}
                mayCreate={
                  item === null
                    ? person.capabilities.manage_categories === true || taxonomy.slug === 'post_tag'
                    : mayDo(item, `create-${taxonomy.rest_base}`)
                }
                onChange={(ids) => set(taxonomy.rest_base, ids)}
              />
            ))}
            {taxonomies.length > 0 && <Findings of={taxonomies.map(({ rest_base }) => rest_base)} />}
            {'featured_media' in values && (
              <Featured
                id={Number(values.featured_media)}
                mayUpload={person.capabilities.upload_files === true}
                onChange={(id) => set('featured_media', id)}
              />
            )}
            <Findings of={['featured_media']} />
            {'excerpt' in values && (
              <Field
                label={fieldName('excerpt')}
                value={String(values.excerpt)}
                onChange={(value) => set('excerpt', value)}
                rows={4}
              />
            )}
            <Findings of={['excerpt']} />
            <Details
              {...{ item, route, values, set }}
              stored={stored.values}
              kinds={{
                types: [...site.types, ...Object.values(site.taxonomies)],
                mayUpload: person.capabilities.upload_files === true,
              }}
            />
            {item?._links['version-history'] && (
              <Button isOff={merged !== null} onClick={() => setBack(true)}>
                {say('Revisions')}
              </Button>
            )}
            {isBack && (
              <Revisions
                self={self}
                present={present()}
                onClose={() => setBack(false)}
                onRestore={(former) => {
                  show(former);
                  setBack(false);
                  keep();
                  setTold(say('Review it, then save.'));
                }}
              />
            )}
            {item && may(item, 'DELETE') && item.status !== 'trash' && (
              <Button class="danger" isOff={isBusy} onClick={() => void trash()}>
                {say('Move to trash')}
              </Button>
            )}
          </div>
        </div>
      </form>
    </FoundContext.Provider>
  );
}

/** Meta that programs keep for themselves has no field. */
const isOnPage = (name: string): boolean => !isOwn(name.replace(/^meta:/, ''));

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== '' && value !== 0 && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Site time as a browser has it now: `2026-03-05T10:00`. */
function nowIn(zone: string): string {
  const form = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const;
  try {
    return new Date().toLocaleString('sv', { ...form, timeZone: zone || 'UTC' }).replace(' ', 'T');
  } catch {
    return new Date().toISOString();
  }
}

function isToCome(date: string, zone: string): boolean {
  return date.slice(0, 16) > nowIn(zone).slice(0, 16);
}

interface FieldProps {
  /** What places call it. */
  readonly at?: string;
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly rows?: number;
  readonly isLarge?: boolean;
}

function Field({ at, label, value, onChange, rows, isLarge = false }: FieldProps) {
  const id = useId();
  return (
    <div class={isLarge ? 'field large' : 'field'} data-at={at}>
      <label for={id}>{label}</label>
      {rows ? (
        <textarea id={id} rows={rows} value={value} dir="auto" onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      ) : (
        <input id={id} value={value} dir="auto" onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
    </div>
  );
}

interface PublishingProps {
  readonly type: Type;
  readonly item: Item | null;
  readonly values: Values;
  readonly zone: string;
  readonly person: Person;
  readonly mayPublish: boolean;
  set(name: string, value: Value): void;
}

function Publishing({ type, item, values, set, zone, mayPublish }: PublishingProps) {
  const id = useId();
  const [authors, setAuthors] = useState<readonly { id: number; name: string }[]>([]);
  const mayAssign = item !== null && mayDo(item, 'assign-author');
  useEffect(() => {
    if (mayAssign)
      void askAll<{ id: number; name: string }>(`${namespace}/users`, { capabilities: 'edit_posts', _fields: 'id,name' }).then(
        setAuthors,
        () => {},
      );
  }, [mayAssign]);
  const status = String(values.status);
  const offered = [...new Set([...(mayPublish ? ['draft', 'pending', 'publish', 'private'] : ['draft', 'pending']), status])];
  const [before, after] = addressOf(item);
  return (
    <fieldset>
      <legend>{say('Publication')}</legend>
      <label for={`${id}s`}>{fieldName('status')}</label>
      <select id={`${id}s`} value={status} onChange={({ currentTarget }) => set('status', currentTarget.value)}>
        {offered.map((one) => (
          <option key={one} value={one}>
            {one === 'publish' && isToCome(String(values.date ?? ''), zone) ? statusName('future') : statusName(one)}
          </option>
        ))}
      </select>
      <label for={`${id}d`}>{say('Date (site time: {zone})', { zone: zone || 'UTC' })}</label>
      <input
        id={`${id}d`}
        type="datetime-local"
        value={String(values.date ?? '').slice(0, 16)}
        onChange={({ currentTarget: { value } }) => set('date', value === '' ? '' : value.length === 16 ? `${value}:00` : value)}
      />
      <label for={`${id}a`}>{fieldName('slug')}</label>
      <input
        id={`${id}a`}
        value={String(values.slug ?? '')}
        dir="ltr"
        placeholder={item?.generated_slug ?? ''}
        aria-describedby={`${id}l`}
        onInput={({ currentTarget }) => set('slug', currentTarget.value)}
      />
      <p id={`${id}l`} class="note" dir="ltr">
        {before}
        <strong>{String(values.slug || item?.generated_slug || '…')}</strong>
        {after}
      </p>
      {mayAssign && authors.length > 0 && (
        <>
          <label for={`${id}u`}>{fieldName('author')}</label>
          <select
            id={`${id}u`}
            value={String(values.author)}
            onChange={({ currentTarget }) => set('author', Number(currentTarget.value))}
          >
            {!authors.some((one) => one.id === values.author) && (
              <option value={String(values.author)}>{values.author === 0 ? say('Nobody') : `#${values.author}`}</option>
            )}
            {authors.map((one) => (
              <option key={one.id} value={String(one.id)}>
                {one.name}
              </option>
            ))}
          </select>
        </>
      )}
      {type.slug === 'post' && item && mayDo(item, 'sticky') && (
        <label class="check">
          <input
            type="checkbox"
            checked={values.sticky === true}
            onChange={({ currentTarget }) => set('sticky', currentTarget.checked)}
          />
          {fieldName('sticky')}
        </label>
      )}
      <Findings of={['status', 'date', 'slug', 'author', 'sticky']} />
    </fieldset>
  );
}

/** An address without its slug: before it, and behind it. */
function addressOf(item: Item | null): readonly [string, string] {
  const [before = '', after = ''] = (item?.permalink_template ?? '').split(/%(?:postname|pagename)%/);
  return item ? [before, after] : ['/', '/'];
}

function Featured({ id, mayUpload, onChange }: { id: number; mayUpload: boolean; onChange: (id: number) => void }) {
  const [medium, setMedium] = useState<Medium | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (id === 0) setMedium(null);
    else if (medium?.id !== id)
      void ask<Medium>(`${namespace}/media/${id}`).then(
        ({ data }) => setMedium(data),
        () => setMedium(null),
      );
  }, [id]);
  return (
    <fieldset data-at="featured_media">
      <legend>{fieldName('featured_media')}</legend>
      {medium && <img class="featured" src={thumbnail(medium)} alt={medium.alt_text} />}
      {medium && medium.alt_text === '' && <p class="note">{say('No alternative text yet.')}</p>}
      <button type="button" onClick={() => setOpen(true)}>
        {id === 0 ? say('Choose an image') : say('Choose another image')}
      </button>
      {id !== 0 && (
        <button type="button" onClick={() => onChange(0)}>
          {say('Remove')}
        </button>
      )}
      {isOpen && (
        <LibraryDialog
          images
          mayUpload={mayUpload}
          onClose={() => setOpen(false)}
          onChoose={(chosen) => {
            setMedium(chosen);
            onChange(chosen.id);
            setOpen(false);
          }}
        />
      )}
    </fieldset>
  );
}
