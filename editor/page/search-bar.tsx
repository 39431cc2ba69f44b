/** What a list is narrowed to: words that are looked for, and one choice. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { say } from './words.ts';

interface SearchBarProps {
  readonly search: string;
  onSearch(words: string): void;
  /** Of the choice. */
  readonly label: string;
  readonly chosen: string;
  /** Values and what they are called. */
  readonly choices: readonly (readonly [value: string, name: string])[];
  onChoose(value: string): void;
  readonly children?: ComponentChildren;
}

export function SearchBar({ search, onSearch, label, chosen, choices, onChoose, children }: SearchBarProps) {
  const id = useId();
  return (
    <search class="bar">
      <label for={`${id}s`}>{say('Search')}</label>
      <input
        id={`${id}s`}
        type="search"
        dir="auto"
        value={search}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <label for={`${id}c`}>{label}</label>
      <select id={`${id}c`} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {children}
    </search>
  );
}
