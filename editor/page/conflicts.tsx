/** What two people have changed at once, side by side, to be decided one by one. */
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import type { Value } from './changes.ts';
import type { Choice, MergedValues } from './values.ts';
import { fieldName } from './fields.ts';
import { say } from './words.ts';

interface ConflictsProps {
  readonly merged: MergedValues;
  /** Of fields that only this page has. */
  readonly nameOf?: (field: string) => string;
  /** A value as people read it; undefined: as it is. */
  readonly textOf?: (field: string, value: Value) => string | undefined;
  onDecide(choices: readonly Choice[]): void;
}

export function Conflicts({ merged, nameOf = fieldName, textOf, onDecide }: ConflictsProps) {
  const [choices, setChoices] = useState<readonly (Choice | undefined)[]>(() => merged.conflicts.map(() => undefined));
  const choose = (at: number, choice: Choice): void => setChoices(choices.map((one, i) => (i === at ? choice : one)));
  const isDecided = choices.every((one) => one !== undefined);
  return (
    <section class="conflicts" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">{say('Someone else has changed this, too')}</h2>
      <p>{say('Everything that fits was merged. Decide about the rest; nothing is lost until you save.')}</p>
      {merged.conflicts.map(({ field, mine, theirs, part }, at) => (
        <fieldset key={`${field}${part ?? ''}`}>
          <legend>{nameOf(field)}</legend>
          <div class="sides">
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side}>
                <span>
                  <input type="radio" name={`conflict-${at}`} checked={choices[at] === side} onChange={() => choose(at, side)} />
                  {side === 'mine' ? say('Yours') : say('Theirs')}
                </span>
                <pre dir="auto">{textOf?.(field, side === 'mine' ? mine : theirs) ?? shown(side === 'mine' ? mine : theirs)}</pre>
              </label>
            ))}
            {part !== undefined && (
              <label>
                <span>
                  <input
                    type="radio"
                    name={`conflict-${at}`}
                    checked={choices[at] === 'both'}
                    onChange={() => choose(at, 'both')}
                  />
                  {say('Both, one below the other')}
                </span>
              </label>
            )}
          </div>
        </fieldset>
      ))}
      <Button class="main" isOff={!isDecided} onClick={() => onDecide(choices as readonly Choice[])}>
        {say('Continue')}
      </Button>
    </section>
  );
}

function shown(value: Value): string {
  if (value === '' || value === null) return say('(empty)');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
