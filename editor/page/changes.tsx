/** What is not committed yet, who wrote it, and a commit of it. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { say } from './words.ts';

interface Changed {
  readonly path: string;
  readonly kind: string;
  readonly by?: string;
}

interface Answer {
  readonly uncommitted?: readonly Changed[];
  readonly may_commit?: boolean;
  readonly commits: readonly { readonly id: string; readonly date: string; readonly author: string; readonly subject: string }[];
  readonly diff?: string;
}

const run = (ability: string): string => `cms-abilities/v1/abilities/cms/${ability}/run`;

function kindName(kind: string): string {
  return kind === 'added' ? say('new') : kind === 'deleted' ? say('removed') : say('changed');
}

export function Changes() {
  const [found, setFound] = useState<Answer | null>(null);
  const [shown, setShown] = useState<{ path: string; diff: string } | null>(null);
  const [message, setMessage] = useState('');
  const [told, setTold] = useState('');
  const [fault, setFault] = useState('');
  const fail = (error: unknown): void => setFault((error as Error).message);
  const look = (): Promise<void> => ask<Answer>(run('changes')).then(({ data }) => setFound(data), fail);
  useEffect(() => void look(), []);
  const show = async (path: string): Promise<void> => {
    try {
      const { data } = await ask<Answer>(run('changes'), { query: { 'input[path]': path } });
      setShown({ path, diff: data.diff ?? '' });
    } catch (error) {
      fail(error);
    }
  };
  const commit = async (): Promise<void> => {
    setFault('');
    try {
      const { data } = await ask<{ commit: string }>(run('commit'), { method: 'POST', body: { input: { message } } });
      setTold(
        data.commit === '' ? say('There is nothing to commit.') : say('Committed as {id}.', { id: data.commit.slice(0, 8) }),
      );
      setMessage('');
      setShown(null);
      await look();
    } catch (error) {
      fail(error);
    }
  };
  const files = found?.uncommitted ?? [];
  return (
    <>
      <h1>{say('Changes')}</h1>
      <p role="status">{told}</p>
      {fault !== '' && <p role="alert">{fault}</p>}
      {found && files.length === 0 && <p>{say('Everything is committed.')}</p>}
      <ul class="comments">
        {files.map(({ path, kind, by }) => (
          <li key={path} class="row">
            <button type="button" aria-pressed={shown?.path === path} onClick={() => void show(path)}>
              <span dir="ltr">{path}</span>
            </button>
            <span>{kindName(kind)}</span>
            <span>{by ?? ''}</span>
          </li>
        ))}
      </ul>
      {shown && (
        <section aria-label={say('Changes in {path}', { path: shown.path })}>
          <pre class="words" dir="auto">
            {shown.diff}
          </pre>
        </section>
      )}
      {files.length > 0 && found?.may_commit && (
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            void commit();
          }}
        >
          <label for="commit-message">{say('Commit message')}</label>
          <input
            id="commit-message"
            required
            maxLength={200}
            value={message}
            dir="auto"
            onInput={({ currentTarget }) => setMessage(currentTarget.value)}
          />
          <button type="submit" class="main">
            {say('Commit all')}
          </button>
        </form>
      )}
    </>
  );
}
