/** One thing, or several, of a list of the interface: searched by name, and chosen. */
import { useEffect, useId, useState } from 'preact/hooks';
import { namespace } from './api.ts';
import { Chosen, useNames } from './names.tsx';
import { say } from './words.ts';

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

export function Picker({ label, routes, ids, isMultiple = false, without, onChange }: PickerProps) {
  const own = useId();
  const [text, setText] = useState('');
  const [told, setTold] = useState('');
  const { known, found } = useNames(routes, ids, text === '' ? null : { search: text, per_page: 10, exclude: without });
  useEffect(() => {
    if (text !== '') setTold(say('{total} found', { total: found.length }));
  }, [found]);
  const choose = (id: number): void => {
    onChange(isMultiple ? [...new Set([...ids, id])] : [id], known.get(id));
    setText('');
    setTold(say('Added: {name}', { name: known.get(id) ?? id }));
    document.getElementById(own)?.focus();
  };
  return (
    <fieldset class="terms">
      <legend>{label}</legend>
      <Chosen ids={ids} known={known} onChange={onChange} />
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
