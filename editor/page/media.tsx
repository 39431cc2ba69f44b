/** Pictures and files of the library: to look through, to choose from, to add to. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type ApiError, ask, namespace } from './api.ts';
import { Button } from './button.tsx';
import { Crop } from './crop.tsx';
import { Dialog } from './dialog.tsx';
import { Folders } from './folders.tsx';
import { useOnce } from './once.ts';
import { type Medium, plain, thumbnail } from './records.ts';
import { say } from './words.ts';

/** @param folder  of the library in which it will be */
export async function upload(file: File, folder = 0): Promise<Medium> {
  const { data } = await ask<Medium>(`${namespace}/media`, {
    method: 'POST',
    query: { fldv: folder > 0 ? folder : undefined },
    body: file,
    headers: {
      'Content-Type': file.type || 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${file.name.replace(/["\\\r\n]/g, '_').replace(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    },
  });
  return data;
}

export async function describe(medium: Medium, alt: string): Promise<Medium> {
  if (alt === medium.alt_text) return medium;
  return (await ask<Medium>(`${namespace}/media/${medium.id}`, { method: 'POST', body: { alt_text: alt } })).data;
}

interface LibraryProps {
  /** What is done with one that was chosen; without it, they are shown to be looked at. */
  readonly onChoose?: (medium: Medium) => void;
  readonly mayUpload: boolean;
  readonly images?: boolean;
  /** Whether the server has folders for it. */
  readonly hasFolders?: boolean;
}

export function Library({ onChoose, mayUpload, images = false, hasFolders = false }: LibraryProps) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [found, setFound] = useState<{ media: readonly Medium[]; pages: number } | null>(null);
  const [added, setAdded] = useState(0);
  const [chosen, setChosen] = useState<Medium | null>(null);
  const [alt, setAlt] = useState('');
  const [folder, setFolder] = useState(-1);
  const [isCropping, setCropping] = useState(false);
  const [told, setTold] = useState('');
  const ids = useId();
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        ask<Medium[]>(`${namespace}/media`, {
          query: {
            context: 'edit',
            per_page: 24,
            page,
            search,
            media_type: images ? 'image' : undefined,
            folder: hasFolders ? folder : undefined,
          },
        }).then(
          ({ data, headers }) => isCurrent && setFound({ media: data, pages: Number(headers.get('X-CMS-TotalPages') ?? 1) }),
          (error: ApiError) => isCurrent && setTold(error.message),
        );
      },
      search === '' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [search, page, added, images, folder]);
  const choose = (medium: Medium): void => {
    setChosen(medium);
    setAlt(medium.alt_text);
  };
  const take = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      setTold(say('Uploading {name}…', { name: file.name }));
      try {
        choose(await upload(file, folder));
        setTold(say('{name} is in the library.', { name: file.name }));
        setAdded((count) => count + 1);
      } catch (error) {
        setTold(`${file.name}: ${(error as Error).message}`);
      }
    }
  };
  const [isBusy, once] = useOnce();
  const done = async (): Promise<void> => {
    if (!chosen) return;
    try {
      const described = await describe(chosen, alt);
      setTold(say('Saved.'));
      setChosen((now) => (now?.id === described.id ? described : now));
      onChoose?.(described);
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  return (
    <section
      class="library"
      aria-label={say('Library')}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (mayUpload) void take([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <div class="bar">
        <label for={`${ids}s`}>{say('Search')}</label>
        <input
          id={`${ids}s`}
          type="search"
          value={search}
          onInput={(event) => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
        />
        {mayUpload && (
          <label class="button">
            {say('Upload')}
            <input
              type="file"
              multiple
              class="aside"
              accept={images ? 'image/*' : undefined}
              onChange={(event) => void take([...(event.currentTarget.files ?? [])])}
            />
          </label>
        )}
      </div>
      {hasFolders && mayUpload && (
        <Folders
          folder={folder}
          chosen={chosen?.id ?? null}
          onShow={(id) => {
            setFolder(id);
            setPage(1);
          }}
          onMoved={() => setAdded((count) => count + 1)}
        />
      )}
      <p role="status">{told}</p>
      {found?.media.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="media">
        {found?.media.map((medium) => (
          <li key={medium.id}>
            <button type="button" aria-pressed={chosen?.id === medium.id} onClick={() => choose(medium)}>
              {medium.mime_type.startsWith('image/') ? (
                <img src={thumbnail(medium)} alt="" loading="lazy" />
              ) : (
                <span aria-hidden="true">▤</span>
              )}
              <span dir="auto">{plain(medium.title.rendered)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found && found.pages > 1 && <Pages page={page} pages={found.pages} onTurn={setPage} />}
      {chosen && (
        <form
          class="chosen"
          onSubmit={(event) => {
            event.preventDefault();
            void once(done);
          }}
        >
          <label for={`${ids}a`}>{say('Alternative text: what the image shows, for people who do not see it')}</label>
          <input id={`${ids}a`} value={alt} dir="auto" onInput={(event) => setAlt(event.currentTarget.value)} />
          <Button class="main" isOff={isBusy}>
            {onChoose ? say('Use {name}', { name: plain(chosen.title.rendered) }) : say('Save')}
          </Button>
          {mayUpload && /^image\/(?:jpeg|png|webp|avif|gif)$/.test(chosen.mime_type) && (
            <button type="button" onClick={() => setCropping(true)}>
              {say('Crop and rotate')}
            </button>
          )}
        </form>
      )}
      {isCropping && chosen && (
        <Crop
          medium={chosen}
          onClose={() => setCropping(false)}
          onDone={(made) => {
            setCropping(false);
            choose(made);
            setTold(say('{name} is in the library.', { name: plain(made.title.rendered) }));
            setAdded((count) => count + 1);
          }}
        />
      )}
    </section>
  );
}

export function LibraryDialog(props: LibraryProps & { readonly onClose: () => void }) {
  return (
    <Dialog title={say('Library')} onClose={props.onClose}>
      <Library {...props} />
    </Dialog>
  );
}

export function Pages({ page, pages, onTurn }: { page: number; pages: number; onTurn: (page: number) => void }) {
  return (
    <nav class="pages" aria-label={say('Pagination')}>
      <Button isOff={page <= 1} onClick={() => onTurn(page - 1)}>
        {say('Back')}
      </Button>
      <span>{say('Page {page} of {pages}', { page, pages })}</span>
      <Button isOff={page >= pages} onClick={() => onTurn(page + 1)}>
        {say('Next')}
      </Button>
    </nav>
  );
}
