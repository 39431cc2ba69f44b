/** Folders of the library: one is shown, made, named otherwise, taken away; files are put into them. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type ApiError, ask } from './api.ts';
import { Button } from './button.tsx';
import { useOnce } from './once.ts';
import { say } from './words.ts';

export interface Folder {
  readonly id: number;
  readonly title: string;
  readonly parent: number;
  readonly children: readonly Folder[];
}

interface FoldersProps {
  /** -1: all files; 0: those in none. */
  readonly folder: number;
  /** The file that is chosen, which can be put into a folder. */
  readonly chosen: number | null;
  onShow(folder: number): void;
  onMoved(): void;
}

interface Listed {
  readonly id: number;
  readonly title: string;
  readonly parent: number;
  readonly depth: number;
}

const flat = (tree: readonly Folder[], depth = 0): readonly Listed[] =>
  tree.flatMap(({ id, title, parent, children }) => [{ id, title, parent, depth }, ...flat(children, depth + 1)]);

export function Folders({ folder, chosen, onShow, onMoved }: FoldersProps) {
  const own = useId();
  const [all, setAll] = useState<readonly Listed[]>([]);
  const [name, setName] = useState('');
  const [told, setTold] = useState('');
  const load = (): Promise<void> =>
    ask<{ tree: readonly Folder[] }>('folders/v1/get-folders').then(
      ({ data }) => setAll(flat(data.tree)),
      (error: ApiError) => setTold(error.message),
    );
  useEffect(() => void load(), []);
  const present = all.find(({ id }) => id === folder);
  const [isBusy, once] = useOnce();
  const run = (route: string, body: unknown, sentence: string, done: () => void): Promise<void> =>
    once(async () => {
      try {
        await ask(`folders/v1/${route}`, { method: 'POST', body });
        await load();
        setTold(sentence);
        done();
      } catch (error) {
        setTold((error as Error).message);
      }
    });
  const options = all.map(({ id, title, depth }) => (
    <option key={id} value={String(id)}>
      {'– '.repeat(depth) + title}
    </option>
  ));
  return (
    <fieldset class="facts">
      <legend>{say('Folders')}</legend>
      <label for={`${own}f`}>{say('Current folder')}</label>
      <select id={`${own}f`} value={String(folder)} onChange={({ currentTarget }) => onShow(Number(currentTarget.value))}>
        <option value="-1">{say('All files')}</option>
        <option value="0">{say('Files without a folder')}</option>
        {options}
      </select>
      <div class="row">
        <label for={`${own}n`}>{say('Name of a folder')}</label>
        <input id={`${own}n`} dir="auto" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        <Button
          isOff={isBusy || name.trim() === ''}
          onClick={() =>
            void run('new-folder', { title: name, parent: Math.max(folder, 0) }, say('Added: {name}', { name }), () =>
              setName(''),
            )
          }
        >
          {present ? say('New folder in {name}', { name: present.title }) : say('New folder')}
        </Button>
        {present && (
          <>
            <Button
              isOff={isBusy || name.trim() === ''}
              onClick={() =>
                void run('update-folder', { id: present.id, parent: present.parent, title: name }, say('Saved.'), () =>
                  setName(''),
                )
              }
            >
              {say('Rename {name}', { name: present.title })}
            </Button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                if (!confirm(say('Delete the folder {name}? Its files stay.', { name: present.title }))) return;
                void run(
                  'delete-folder',
                  { ids: [present.id] },
                  say('{name} was deleted; its files were kept.', { name: present.title }),
                  () => onShow(-1),
                );
              }}
            >
              {say('Delete the folder')}
            </button>
          </>
        )}
      </div>
      {chosen !== null && (
        <>
          <label for={`${own}m`}>{say('Move the selected file to')}</label>
          <select
            id={`${own}m`}
            value=""
            onChange={({ currentTarget }) => {
              const to = Number(currentTarget.value);
              const title = all.find(({ id }) => id === to)?.title ?? say('no folder');
              void run('assign-folder', { folderId: to, ids: [chosen] }, say('Moved to {name}.', { name: title }), onMoved);
            }}
          >
            <option value="" hidden />
            <option value="0">{say('no folder')}</option>
            {options}
          </select>
        </>
      )}
      <p role="status">{told}</p>
    </fieldset>
  );
}
