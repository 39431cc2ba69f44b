/** An item in the languages of the site: where each is written, and the original beside its translation, with what has changed since. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type ApiError, ask, askAll } from './api.ts';
import { Button } from './button.tsx';
import { fieldName } from './fields.ts';
import { groupOf, isOutdated, languageName, languageOf, languages } from './languages.ts';
import type { Item, Text, Type } from './records.ts';
import { useOnce } from './once.ts';
import { Go, go, mayLeave, useShown } from './router.tsx';
import { say } from './words.ts';

const routeOf = ({ rest_namespace, rest_base }: Type): string => `${rest_namespace}/${rest_base}`;

interface TranslationsProps {
  readonly type: Type;
  readonly item: Item;
  readonly mayCreate: boolean;
}

/** One place for each language: the item there, or a button that makes it. */
export function Translations({ type, item, mayCreate }: TranslationsProps) {
  const [fault, setFault] = useState('');
  const [isBusy, once] = useOnce();
  const isShown = useShown();
  const group = groupOf(item);
  if (languages.length === 0 || item.translations === undefined) return null;
  const create = async (lang: string): Promise<void> => {
    // It leads away from here.
    if (!mayLeave()) return;
    setFault('');
    try {
      const { data } = await ask<Item>(routeOf(type), {
        method: 'POST',
        query: { context: 'edit' },
        body: { translation_of: item.id, lang, title: item.title?.raw ?? item.title?.rendered ?? '', status: 'draft' },
      });
      if (isShown()) go({ edit: `${type.rest_base}/${data.id}` }, { isSure: true });
    } catch (error) {
      setFault((error as ApiError).message);
    }
  };
  return (
    <nav class="row languages" aria-label={say('Languages')}>
      {languages.map(({ code, name }) => {
        const id = group[code];
        if (code === languageOf(item))
          return (
            <strong key={code} lang={code}>
              {name}
            </strong>
          );
        if (id !== undefined)
          return (
            <span key={code}>
              <Go to={{ edit: `${type.rest_base}/${id}` }} lang={code}>
                {name}
              </Go>
              {isOutdated(item, code) && <> ({say('out of date')})</>}
            </span>
          );
        return (
          mayCreate && (
            <Button key={code} isOff={isBusy} onClick={() => void once(() => create(code))}>
              {say('Translate: {language}', { language: name })}
            </Button>
          )
        );
      })}
      {fault !== '' && <p role="alert">{fault}</p>}
    </nav>
  );
}

interface Part {
  readonly text: string;
  /** What stood there when it was translated; null: the same. */
  readonly before: string | null;
}

interface Compared {
  /** State of the original. */
  readonly etag: string | null;
  readonly lang: string;
  readonly isOutdated: boolean;
  readonly fields: readonly { readonly name: string; readonly parts: readonly Part[] }[];
}

interface OriginalProps {
  readonly type: Type;
  readonly translation: Item;
  /** Called when the translation is marked as up to date. */
  onMarked(): void;
}

const texts = ['title', 'excerpt', 'content'] as const;
type Texts = { readonly [name in (typeof texts)[number]]?: Text };

/** The original, to read. */
export function Original({ type, translation, onMarked }: OriginalProps) {
  const id = useId();
  const [shown, setShown] = useState<Compared | null>(null);
  const [told, setTold] = useState('');
  const [turn, setTurn] = useState(0);
  const original = Number(translation.translation_of);
  const [isBusy, once] = useOnce();
  useEffect(() => {
    let isCurrent = true;
    compare(routeOf(type), original, translation).then(
      (compared) => isCurrent && setShown(compared),
      (error: ApiError) => isCurrent && setTold(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [original, turn, translation]);
  const mark = async (): Promise<void> => {
    try {
      const { headers } = await ask(`${routeOf(type)}/${original}`, { method: 'HEAD', query: { context: 'edit' } });
      if (headers.get('ETag') !== shown?.etag) {
        setTurn(turn + 1);
        return setTold(say('Someone has changed this. You see the current version.'));
      }
      await ask(`${routeOf(type)}/${translation.id}`, { method: 'POST', body: { minor_edit: true } });
      setTold(say('Marked as up to date.'));
      setTurn(turn + 1);
      onMarked();
    } catch (error) {
      setTold((error as ApiError).message);
    }
  };
  const changes = shown?.fields.flatMap(({ parts }) => parts.filter(({ before }) => before !== null)).length ?? 0;
  return (
    <section class="original" aria-labelledby={id}>
      <h2 id={id}>{shown ? say('The original: {language}', { language: languageName(shown.lang) }) : say('The original')}</h2>
      <p role="status">{told}</p>
      {shown?.isOutdated && (
        <div class="notice">
          <p>
            {changes > 0
              ? say('The original has changed since this translation; changed places: {count}', { count: changes })
              : say('The original has changed since this translation.')}
          </p>
          <Button isOff={isBusy} onClick={() => void once(mark)}>
            {say('Mark as up to date')}
          </Button>
        </div>
      )}
      <div lang={shown?.lang} dir="auto">
        {shown?.fields.map(({ name, parts }) => (
          <div key={name}>
            <h3>{fieldName(name)}</h3>
            {parts.map(({ text, before }, at) =>
              before === null ? (
                <p key={at} class="words" dir="auto">
                  {text}
                </p>
              ) : (
                <div key={at} class="difference">
                  {before !== '' && (
                    <del dir="auto">
                      <span class="aside">{say('Before:')} </span>
                      {before}
                    </del>
                  )}
                  {text !== '' && (
                    <ins dir="auto">
                      <span class="aside">{say('Now:')} </span>
                      {text}
                    </ins>
                  )}
                </div>
              ),
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** @returns the original block by block, beside what it was when its translation was last written */
async function compare(route: string, id: number, translation: Item): Promise<Compared> {
  const self = `${route}/${id}`;
  const { data: now, headers } = await ask<Item & Texts>(self, { query: { context: 'edit' } });
  const isBehind = isOutdated(now, languageOf(translation));
  const then = isBehind ? await formerOf(self, translation.modified_gmt) : null;
  const [{ readText }, { hunksOf }] = await Promise.all([import('../markdown/read.ts'), import('../markdown/fit.ts')]);
  const blocksOf = (name: string, text: string): string[] =>
    name === 'content' ? readText(text).blocks.map(({ source }) => source) : text === '' ? [] : [text];
  const fields = texts.flatMap((name) => {
    const own = now[name]?.raw;
    if (own === undefined) return [];
    const blocks = blocksOf(name, own);
    const before = then?.[name]?.raw;
    const parts: Part[] = [];
    let at = 0;
    for (const { from, to, parts: was } of before === undefined ? [] : hunksOf(blocks, blocksOf(name, before))) {
      parts.push(...blocks.slice(at, from).map((text) => ({ text, before: null })));
      parts.push({ text: blocks.slice(from, to).join('\n\n'), before: was.join('\n\n') });
      at = to;
    }
    parts.push(...blocks.slice(at).map((text) => ({ text, before: null })));
    return parts.length === 0 ? [] : [{ name, parts }];
  });
  return { etag: headers.get('ETag'), lang: languageOf(now), isOutdated: isBehind, fields };
}

/** What it was at a time; null where nothing says so. */
async function formerOf(self: string, gmt: string): Promise<Texts | null> {
  const all = await askAll<Texts & { readonly modified_gmt: string }>(`${self}/revisions`, { context: 'edit' });
  return (
    all.filter(({ modified_gmt }) => modified_gmt <= gmt).sort((a, b) => (a.modified_gmt < b.modified_gmt ? 1 : -1))[0] ?? null
  );
}
