/** Former states of an item: what has changed since, and a way back. */
import { diffComm } from 'node-diff3';
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, askAll } from './api.ts';
import { Dialog } from './dialog.tsx';
import { fieldName } from './fields.ts';
import { dateText } from './list.tsx';
import type { Text } from './records.ts';
import type { Values } from './changes.ts';
import { say } from './words.ts';

interface Revision {
  readonly id: number;
  readonly date: string;
  readonly author: number;
  readonly title?: Text;
  readonly content?: Text;
  readonly excerpt?: Text;
}

interface RevisionsProps {
  /** Route of the item. */
  readonly self: string;
  readonly present: Values;
  onRestore(values: Values): void;
  onClose(): void;
}

const texts = ['title', 'content', 'excerpt'] as const;

export function Revisions({ self, present, onRestore, onClose }: RevisionsProps) {
  const [all, setAll] = useState<readonly Revision[] | null>(null);
  const [chosen, setChosen] = useState<Revision | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    askAll<Revision>(`${self}/revisions`, { context: 'edit' }).then(setAll, (error: ApiError) => setFault(error.message));
  }, []);
  const former = (revision: Revision): Values =>
    Object.fromEntries(texts.flatMap((name) => (name in present && revision[name] ? [[name, revision[name]?.raw ?? '']] : [])));
  return (
    <Dialog title={say('Revisions')} onClose={onClose}>
      {fault !== '' && <p role="alert">{fault}</p>}
      {all?.length === 0 && <p>{say('None yet.')}</p>}
      <ul class="revisions">
        {all?.map((revision) => (
          <li key={revision.id}>
            <button type="button" aria-pressed={chosen === revision} onClick={() => setChosen(revision)}>
              {dateText(revision.date)}
            </button>
          </li>
        ))}
      </ul>
      {chosen && (
        <section aria-label={say('Changes since then')}>
          {texts.map((name) => {
            const [before, after] = [former(chosen)[name], present[name]];
            if (before === undefined || before === after) return null;
            return (
              <div key={name}>
                <h3>{fieldName(name)}</h3>
                <Difference before={String(before)} after={String(after)} />
              </div>
            );
          })}
          {texts.every((name) => former(chosen)[name] === undefined || former(chosen)[name] === present[name]) && (
            <p>{say('Nothing has changed.')}</p>
          )}
          <button type="button" class="main" onClick={() => onRestore({ ...present, ...former(chosen) })}>
            {say('Restore this revision')}
          </button>
        </section>
      )}
    </Dialog>
  );
}

/** Lines that went and came, with one around them. */
function Difference({ before, after }: { before: string; after: string }) {
  const parts = diffComm(before.split('\n'), after.split('\n'));
  return (
    <div class="difference" dir="auto">
      {parts.map(({ common, buffer1 = [], buffer2 = [] }, at) =>
        common ? (
          <p key={at}>{common.length > 4 ? `${common[0]}\n…\n${common.at(-1)}` : common.join('\n')}</p>
        ) : (
          <div key={at}>
            {buffer1.length > 0 && <del>{buffer1.join('\n') || '¶'}</del>}
            {buffer2.length > 0 && <ins>{buffer2.join('\n') || '¶'}</ins>}
          </div>
        ),
      )}
    </div>
  );
}
