/** What a list can be narrowed to besides its search: who wrote it, when, and its terms. */
import { useEffect, useId, useState } from 'preact/hooks';
import { askAll, namespace } from './api.ts';
import { fieldName } from './fields.ts';
import { plain, type Taxonomy, type Term } from './records.ts';
import { say } from './words.ts';

/** As the parameters of the list have them. */
export type Filter = Readonly<Record<string, string>>;

interface FiltersProps {
  readonly filter: Filter;
  readonly taxonomies: readonly Taxonomy[];
  readonly hasAuthors: boolean;
  onChange(filter: Filter): void;
}

export function Filters({ filter, taxonomies, hasAuthors, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const count = Object.values(filter).filter((value) => value !== '').length;
  return (
    <details class="filters" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{count === 0 ? say('More filters') : say('More filters: {count} set', { count })}</summary>
      {isOpen && <Choices {...{ filter, taxonomies, hasAuthors, onChange }} />}
    </details>
  );
}

function Choices({ filter, taxonomies, hasAuthors, onChange }: FiltersProps) {
  const id = useId();
  const set = (name: string, value: string): void => onChange({ ...filter, [name]: value });
  return (
    <div class="bar">
      {hasAuthors && (
        <Choice
          label={fieldName('author')}
          route={`${namespace}/users`}
          query={{ capabilities: 'edit_posts' }}
          value={filter.author ?? ''}
          onChange={(value) => set('author', value)}
        />
      )}
      {taxonomies.map(({ slug, name, rest_base, rest_namespace }) => (
        <Choice
          key={slug}
          label={say(name)}
          route={`${rest_namespace}/${rest_base}`}
          value={filter[rest_base] ?? ''}
          onChange={(value) => set(rest_base, value)}
        />
      ))}
      {(['after', 'before'] as const).map((side) => (
        <label key={side} for={`${id}${side}`}>
          {side === 'after' ? say('From the day') : say('To the day')}
          <input
            id={`${id}${side}`}
            type="date"
            value={filter[side] ?? ''}
            onChange={({ currentTarget }) => set(side, currentTarget.value)}
          />
        </label>
      ))}
      <button type="button" onClick={() => onChange({})}>
        {say('Clear filters')}
      </button>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly value: string;
  onChange(value: string): void;
}

/** Not there for who may not list what is chosen from. */
function Choice({ label, route, query = {}, value, onChange }: ChoiceProps) {
  const id = useId();
  const [all, setAll] = useState<readonly Term[]>([]);
  useEffect(() => {
    void askAll<Term>(route, { ...query, _fields: 'id,name' }).then(setAll, () => {});
  }, []);
  if (all.length === 0) return null;
  return (
    <label for={id}>
      {label}
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{say('All')}</option>
        {all.map((one) => (
          <option key={one.id} value={String(one.id)}>
            {plain(one.name)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Days include themselves. */
export function queryOf({ after, before, ...terms }: Filter): Filter {
  return {
    ...terms,
    ...(after ? { after: lastSecondBefore(after) } : {}),
    ...(before ? { before: `${dayAfter(before)}T00:00:00` } : {}),
  };
}

const dayMs = 86_400_000;
const shifted = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
const dayAfter = (day: string): string => shifted(day, 1);
const lastSecondBefore = (day: string): string => `${shifted(day, -1)}T23:59:59`;
