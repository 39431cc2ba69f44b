/** Things of lists of the interface by their names: those that are chosen, and those that a search finds. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { plain, type Text } from './records.ts';
import { say } from './words.ts';

export interface Named {
  readonly id: number;
  readonly title?: Text | string;
  readonly name?: string;
}

type Query = Readonly<Record<string, string | number | undefined>>;

export const nameOf = ({ id, title, name }: Named): string =>
  plain(typeof title === 'string' ? title : (title?.rendered ?? name)) || `#${id}`;

export interface Names {
  readonly known: ReadonlyMap<number, string>;
  readonly found: readonly Named[];
  learn(all: readonly Named[]): void;
}

/**
 * @param routes  of the lists
 * @param ids     of those that are chosen
 * @param search  what is looked for; null: nothing
 */
export function useNames(routes: readonly string[], ids: readonly number[], search: Query | null): Names {
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const [found, setFound] = useState<readonly Named[]>([]);
  const learn = (all: readonly Named[]): void =>
    setKnown((before) => new Map([...before, ...all.map((one) => [one.id, nameOf(one)] as const)]));
  const list = async (query: Query): Promise<readonly Named[]> => {
    const answers = await Promise.all(
      routes.map((route) =>
        ask<Named[]>(route, { query: { ...query, _fields: 'id,title,name' } }).then(
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
  const wanted = search && JSON.stringify(search);
  useEffect(() => {
    if (search === null) return setFound([]);
    let isCurrent = true;
    const timer = setTimeout(() => {
      void list(search).then((all) => {
        if (!isCurrent) return;
        learn(all);
        setFound(all);
      });
    }, 250);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  return { known, found, learn };
}

interface ChosenProps extends Pick<Names, 'known'> {
  readonly ids: readonly number[];
  /** Absent where nothing may be taken away. */
  readonly onChange?: ((ids: readonly number[]) => void) | undefined;
}

/** Those that are chosen, each with a button that takes it away. */
export function Chosen({ ids, known, onChange }: ChosenProps) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <span dir="auto">{known.get(id) ?? `#${id}`}</span>
          {onChange && (
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
  );
}
