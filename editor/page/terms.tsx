/** The terms of an item in one taxonomy: chosen by name, made when there is none of it. */
import { useId, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Button } from './button.tsx';
import { Chosen, nameOf, useNames } from './names.tsx';
import { useOnce } from './once.ts';
import type { Taxonomy, Term } from './records.ts';
import { say } from './words.ts';

interface TermsProps {
  readonly taxonomy: Taxonomy;
  readonly ids: readonly number[];
  readonly mayAssign: boolean;
  readonly mayCreate: boolean;
  /** Of the item, where terms have one. */
  readonly lang?: string;
  onChange(ids: readonly number[]): void;
}

export function Terms({ taxonomy: { name, rest_base, rest_namespace }, ids, mayAssign, mayCreate, lang, onChange }: TermsProps) {
  const route = `${rest_namespace}/${rest_base}`;
  const [text, setText] = useState('');
  const [told, setTold] = useState('');
  const own = useId();
  const [isBusy, once] = useOnce();
  const { known, found, learn } = useNames(
    [route],
    ids,
    mayAssign ? { search: text, per_page: 20, orderby: 'count', order: 'desc', lang_language: lang } : null,
  );
  const add = async (): Promise<void> => {
    const wanted = text.trim();
    if (wanted === '') return;
    const same = found.find((term) => nameOf(term).toLowerCase() === wanted.toLowerCase());
    try {
      if (!same && !mayCreate) return setTold(say('There is no “{name}”.', { name: wanted }));
      const term = same ?? (await ask<Term>(route, { method: 'POST', body: { name: wanted, ...(lang ? { lang } : {}) } })).data;
      learn([term]);
      if (!ids.includes(term.id)) onChange([...ids, term.id]);
      setTold(say('Added: {name}', { name: nameOf(term) }));
      setText('');
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  return (
    <fieldset class="terms">
      <legend>{say(name)}</legend>
      <Chosen ids={ids} known={known} onChange={mayAssign ? onChange : undefined} />
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
              void once(add);
            }}
          />
          <datalist id={`${own}l`}>
            {found
              .filter(({ id }) => !ids.includes(id))
              .map((term) => (
                <option key={term.id} value={nameOf(term)} />
              ))}
          </datalist>
          <Button isOff={isBusy} onClick={() => void once(add)}>
            {say('Add')}
          </Button>
        </div>
      )}
      <p role="status">{told}</p>
    </fieldset>
  );
}
