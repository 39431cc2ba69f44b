/** One thing, or several, of a list of the interface: searched by name, and chosen. */
import { useEffect, useId, useState } from 'preact/hooks';
import { ask, namespace } from './api.ts';
import { plain, type Text } from './records.ts';
import { say } from './words.ts';

interface Found {
  readonly id: number;
  readonly title?: Text | string;
  readonly name?: string;
}

interface PickerProps {
  readonly label: string;
  /** Lists in which it is: `cms/v2/pages`. */
  readonly routes: readonly string[];
  readonly ids: readonly number[];
  readonly isMultiple?: boolean;
  /** Not offered. */
  readonly without?: number | undefined;
  /** @param name  of the one that was chosen */
  onChange(ids: readonly number[], name?: string): void;
}

const nameOf = ({ id, title, name }: Found): string =>
  plain(typeof title === 'string' ? title : (title?.rendered ?? name)) || `#${id}`;

export function Picker({ label, routes, ids, isMultiple = false, without, onChange }: PickerProps) {
  const own = useId();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[]>([]);
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const [told, setTold] = useState('');
  const learn = (all: readonly Found[]): void =>
    setKnown((before) => new Map([...before, ...all.map((one) => [one.id, nameOf(one)] as const)]));
  const list = async (query: Readonly<Record<string, string | number | undefined>>): Promise<readonly Found[]> => {
    const answers = await Promise.all(
      routes.map((route) =>
        ask<Found[]>(route, { query: { ...query, _fields: 'id,title,name' } }).then(
          ({ data }) => data,
          () => [],
        ),
      ),
    );
    return answers.flat();
  };
  const missing = ids.filter((id) => !known.has(id)).join(',');
  useEffect(() => {
    if (missing !== '') void list({ include: missing, per_page: 100 }).then(learn);
  }, [missing]);
  useEffect(() => {
    if (text === '') return setFound([]);
    let isCurrent = true;
    const timer = setTimeout(() => {
      void list({ search: text, per_page: 10, exclude: without }).then((all) => {
        if (!isCurrent) return;
        setFound(all);
        learn(all);
        setTold(say('{total} found', { total: all.length }));
      });
    }, 250);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  const choose = (id: number): void => {
    onChange(isMultiple ? [...new Set([...ids, id])] : [id], known.get(id));
    setText('');
    setTold(say('Added: {name}', { name: known.get(id) ?? id }));
    document.getElementById(own)?.focus();
  };
  return (
    <fieldset class="terms">
      <legend>{label}</legend>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <span dir="auto">{known.get(id) ?? `#${id}`}</span>
            <button
              type="button"
              class="quiet"
              aria-label={say('Remove {name}', { name: known.get(id) ?? id })}
              onClick={() => onChange(ids.filter((one) => one !== id))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <label class="aside" for={own}>
        {say('Search: {name}', { name: label })}
      </label>
      <input
        id={own}
        type="search"
        value={text}
        dir="auto"
        autocomplete="off"
        placeholder={say('Search')}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <ul>
        {found
          .filter(({ id }) => !ids.includes(id))
          .map(({ id }) => (
            <li key={id}>
              <button type="button" class="quiet" dir="auto" onClick={() => choose(id)}>
                {known.get(id)}
              </button>
            </li>
          ))}
      </ul>
      <p role="status" class="aside">
        {told}
      </p>
    </fieldset>
  );
}

/** Where things of a type or taxonomy are listed. */
export function routesOf(
  names: readonly string[],
  kinds: readonly { readonly slug: string; readonly rest_base: string; readonly rest_namespace: string }[],
): readonly string[] {
  return names.flatMap((name) => {
    if (name === 'user') return [`${namespace}/users`];
    const kind = kinds.find(({ slug }) => slug === name);
    return kind ? [`${kind.rest_namespace}/${kind.rest_base}`] : [];
  });
}
