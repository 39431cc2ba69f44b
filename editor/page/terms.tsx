/** The terms of an item in one taxonomy: chosen by name, made when there is none of it. */
import { useEffect, useId, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { plain, type Taxonomy, type Term } from './records.ts';
import { say } from './words.ts';

interface TermsProps {
  readonly taxonomy: Taxonomy;
  readonly ids: readonly number[];
  readonly mayAssign: boolean;
  readonly mayCreate: boolean;
  onChange(ids: readonly number[]): void;
}

export function Terms({ taxonomy: { name, rest_base, rest_namespace }, ids, mayAssign, mayCreate, onChange }: TermsProps) {
  const route = `${rest_namespace}/${rest_base}`;
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const [found, setFound] = useState<readonly Term[]>([]);
  const [text, setText] = useState('');
  const [told, setTold] = useState('');
  const own = useId();
  const learn = (terms: readonly Term[]): void =>
    setKnown((before) => new Map([...before, ...terms.map((term) => [term.id, plain(term.name)] as const)]));
  const missing = ids.filter((id) => !known.has(id)).join(',');
  useEffect(() => {
    if (missing !== '')
      void ask<Term[]>(route, { query: { include: missing, per_page: 100 } }).then(
        ({ data }) => learn(data),
        () => {},
      );
  }, [missing]);
  useEffect(() => {
    if (!mayAssign) return;
    const timer = setTimeout(() => {
      void ask<Term[]>(route, { query: { search: text, per_page: 20, orderby: 'count', order: 'desc' } }).then(
        ({ data }) => {
          setFound(data);
          learn(data);
        },
        () => {},
      );
    }, 200);
    return () => clearTimeout(timer);
  }, [text]);
  const add = async (): Promise<void> => {
    const wanted = text.trim();
    if (wanted === '') return;
    const same = found.find((term) => plain(term.name).toLowerCase() === wanted.toLowerCase());
    try {
      if (!same && !mayCreate) return setTold(say('There is no “{name}”.', { name: wanted }));
      const term = same ?? (await ask<Term>(route, { method: 'POST', body: { name: wanted } })).data;
      learn([term]);
      if (!ids.includes(term.id)) onChange([...ids, term.id]);
      setTold(say('Added: {name}', { name: plain(term.name) }));
      setText('');
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  return (
    <fieldset class="terms">
      <legend>{say(name)}</legend>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <span dir="auto">{known.get(id) ?? `#${id}`}</span>
            {mayAssign && (
              <button
                type="button"
                class="quiet"
                aria-label={say('Remove {name}', { name: known.get(id) ?? id })}
                onClick={() => onChange(ids.filter((one) => one !== id))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayAssign && (
        <div class="row">
          <label class="aside" for={own}>
            {say('Add to {name}', { name: say(name) })}
          </label>
          <input
            id={own}
            list={`${own}l`}
            value={text}
            dir="auto"
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              void add();
            }}
          />
          <datalist id={`${own}l`}>
            {found
              .filter(({ id }) => !ids.includes(id))
              .map((term) => (
                <option key={term.id} value={plain(term.name)} />
              ))}
          </datalist>
          <button type="button" onClick={() => void add()}>
            {say('Add')}
          </button>
        </div>
      )}
      <p role="status">{told}</p>
    </fieldset>
  );
}
