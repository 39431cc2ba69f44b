/** What is done with several at once: one after the other, so that each is told of by itself. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { useOnce } from './once.ts';
import { say } from './words.ts';

/** What can be done with one of them, and so with several. */
export interface Action<T> {
  readonly name: string;
  readonly isDangerous?: boolean;
  /** Whether it is offered for one. */
  suits(one: T): boolean;
  /** Asked before; nothing for what can be undone. */
  readonly question?: (count: number) => string;
  run(one: T): Promise<unknown>;
}

export type Run<T> = (name: string, change: Action<T>['run']) => Promise<void>;

interface BulkProps<T> {
  /** Those that can be chosen. */
  readonly all: readonly T[];
  /** What they are called, if not those of a page. */
  readonly allName?: string;
  readonly chosen: ReadonlySet<number>;
  readonly actions: readonly Action<T>[];
  nameOf(one: T): string;
  onChoose(ids: ReadonlySet<number>): void;
  onDone(): void;
  /** More that is done with those that are chosen. */
  readonly more?: (those: readonly T[], run: Run<T>, isBusy: boolean) => ComponentChildren;
}

export function Bulk<T extends { readonly id: number }>({
  all,
  allName = say('Select all on this page'),
  chosen,
  actions,
  nameOf,
  onChoose,
  onDone,
  more,
}: BulkProps<T>) {
  const [told, setTold] = useState('');
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [isBusy, once] = useOnce();
  const whole = useRef<HTMLInputElement>(null);
  const those = all.filter(({ id }) => chosen.has(id));
  const run: Run<T> = (name, change) => once(() => eachOf(name, change));
  const eachOf: Run<T> = async (name, change) => {
    const failed: string[] = [];
    for (const one of those) {
      try {
        await change(one);
      } catch (error) {
        failed.push(`${nameOf(one)}: ${(error as Error).message}`);
      }
    }
    setFaults(failed);
    setTold(say('{action}: {count} done.', { action: name, count: those.length - failed.length }));
    onChoose(new Set());
    // The button that had the focus is not there any more.
    whole.current?.focus();
    onDone();
  };
  return (
    <>
      <fieldset class="bulk">
        <legend class="aside">{say('Bulk action')}</legend>
        <label class="check">
          <input
            ref={whole}
            type="checkbox"
            checked={those.length > 0 && those.length === all.length}
            indeterminate={those.length > 0 && those.length < all.length}
            onChange={({ currentTarget }) => onChoose(new Set(currentTarget.checked ? all.map(({ id }) => id) : []))}
          />
          {allName}
        </label>
        {actions
          .filter(({ suits }) => those.length > 0 && those.every(suits))
          .map(({ name, isDangerous, question, run: change }) => (
            <Button
              key={name}
              class={isDangerous ? 'danger' : ''}
              isOff={isBusy}
              onClick={() => {
                if (!question || confirm(question(those.length))) void run(name, change);
              }}
            >
              {name}
            </Button>
          ))}
        {those.length > 0 && more?.(those, run, isBusy)}
        <span role="status">{those.length > 0 ? say('{count} selected', { count: those.length }) : told}</span>
      </fieldset>
      {faults.length > 0 && (
        <div role="alert">
          {faults.map((fault) => (
            <p key={fault} dir="auto">
              {fault}
            </p>
          ))}
        </div>
      )}
    </>
  );
}

/** The mark that chooses one of a list. */
export function Choose({
  id,
  name,
  isOffered,
  chosen,
  onChoose,
}: {
  id: number;
  name: string;
  isOffered: boolean;
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
}) {
  return (
    <input
      type="checkbox"
      aria-label={say('Select “{title}”', { title: name })}
      disabled={!isOffered}
      checked={chosen.has(id)}
      onChange={({ currentTarget }) => {
        const ids = new Set(chosen);
        if (currentTarget.checked) ids.add(id);
        else ids.delete(id);
        onChoose(ids);
      }}
    />
  );
}
