/** Comments that wait, and all others: approved, held back, marked as spam, put into the trash, answered and corrected. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type ApiError, ask, namespace } from './api.ts';
import { type Action, Bulk, Choose } from './bulk.tsx';
import { Button } from './button.tsx';
import { dateText } from './list.tsx';
import { Pages } from './media.tsx';
import { useOnce } from './once.ts';
import { may, plain, type Text } from './records.ts';
import { SearchBar } from './search-bar.tsx';
import { say } from './words.ts';

interface Comment {
  readonly id: number;
  readonly post: number;
  readonly author_name: string;
  readonly author_email?: string;
  readonly author_url: string;
  readonly date: string;
  readonly status: string;
  readonly link: string;
  readonly content: Text;
  readonly _links: Readonly<Record<string, readonly { href: string; targetHints?: { allow: readonly string[] } }[]>>;
  readonly _embedded?: { readonly up?: readonly { readonly title?: Text }[] };
}

const statuses = ['hold', 'approve', 'spam', 'trash'] as const;
/** As a comment has it, where it is not as a list is asked for it. */
const held: Readonly<Record<string, string>> = { approve: 'approved' };

function actions(): readonly Action<Comment>[] {
  const to =
    (status: string) =>
    ({ id }: Comment): Promise<unknown> =>
      ask(`${namespace}/comments/${id}`, { method: 'POST', body: { status } });
  const when =
    (...states: readonly string[]) =>
    (comment: Comment): boolean =>
      states.includes(comment.status) && may(comment, 'PUT');
  return [
    { name: say('Approve'), suits: when('hold'), run: to('approve') },
    { name: say('Unapprove'), suits: when('approved'), run: to('hold') },
    { name: say('Not spam'), suits: when('spam'), run: to('unspam') },
    { name: say('Restore'), suits: when('trash'), run: to('untrash') },
    { name: say('Mark as spam'), suits: when('hold', 'approved'), run: to('spam') },
    { name: say('Move to trash'), isDangerous: true, suits: when('hold', 'approved', 'spam'), run: to('trash') },
    {
      name: say('Delete permanently'),
      isDangerous: true,
      suits: (comment) => ['spam', 'trash'].includes(comment.status) && may(comment, 'DELETE'),
      question: (count) => say('Delete {count} permanently? This cannot be undone.', { count }),
      run: ({ id }) => ask(`${namespace}/comments/${id}`, { method: 'DELETE', query: { force: 'true' } }),
    },
  ];
}

export function Comments() {
  const [status, setStatus] = useState<string>('hold');
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [found, setFound] = useState<{ comments: readonly Comment[]; pages: number } | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [turn, setTurn] = useState(0);
  const [told, setTold] = useState('');
  const [open, setOpen] = useState<{ id: number; what: 'reply' | 'edit' } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () => {
        ask<Comment[]>(`${namespace}/comments`, {
          query: { context: 'edit', status, search, page, per_page: 20, _embed: 'up' },
        }).then(
          ({ data, headers }) => {
            if (!isCurrent) return;
            setFound({ comments: data, pages: Number(headers.get('X-CMS-TotalPages') ?? 1) });
            // The last of a page was taken away.
            if (data.length === 0 && page > 1) setPage(page - 1);
          },
          (error: ApiError) => isCurrent && setTold(error.message),
        );
      },
      search === '' ? 0 : 250,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [status, search, page, turn]);
  const names: Readonly<Record<string, string>> = {
    hold: say('Waiting'),
    approve: say('Approved'),
    spam: say('Spam'),
    trash: say('Trash'),
  };
  const again = (): void => setTurn((count) => count + 1);
  const run = async (action: Action<Comment>, comment: Comment): Promise<void> => {
    try {
      await action.run(comment);
      setTold(`${comment.author_name}: ${action.name}`);
      // The button that had the focus goes with the comment.
      document.getElementById('content')?.focus();
      again();
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  const shown = found?.comments.filter((comment) => comment.status === (held[status] ?? status)) ?? [];
  return (
    <>
      <div class="head">
        <h1>{say('Comments')}</h1>
      </div>
      <SearchBar
        search={search}
        onSearch={(words) => {
          setSearch(words);
          setPage(1);
        }}
        label={say('Status')}
        chosen={status}
        choices={statuses.map((one) => [one, names[one] ?? one])}
        onChoose={(one) => {
          setStatus(one);
          setChosen(new Set());
          setPage(1);
        }}
      />
      <Bulk
        all={shown}
        chosen={chosen}
        actions={actions()}
        nameOf={({ author_name }) => author_name}
        onChoose={setChosen}
        onDone={again}
      />
      <p role="status">{told}</p>
      {found?.comments.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="comments">
        {shown.map((comment) => (
          <li key={comment.id}>
            <p class="row">
              <Choose id={comment.id} name={comment.author_name} isOffered chosen={chosen} onChoose={setChosen} />
              <span>
                <strong dir="auto">{comment.author_name}</strong>, <a href={comment.link}>{dateText(comment.date)}</a>
              </span>
              <span dir="auto">{plain(comment._embedded?.up?.[0]?.title?.rendered)}</span>
            </p>
            {open?.id === comment.id && open.what === 'edit' ? (
              <Correct
                comment={comment}
                onDone={(sentence) => {
                  setOpen(null);
                  setTold(sentence);
                  again();
                }}
              />
            ) : (
              // As text: nothing that a visitor wrote is markup here.
              <p class="words" dir="auto">
                {comment.content.raw ?? plain(comment.content.rendered)}
              </p>
            )}
            <div class="row">
              {actions()
                .filter(({ suits }) => suits(comment))
                .map((action) => (
                  <button
                    key={action.name}
                    type="button"
                    class={action.isDangerous ? 'danger' : ''}
                    onClick={() => {
                      if (!action.question || confirm(action.question(1))) void run(action, comment);
                    }}
                  >
                    {action.name}
                  </button>
                ))}
              {may(comment, 'PUT') &&
                (['reply', 'edit'] as const)
                  .filter((what) => what === 'edit' || ['hold', 'approved'].includes(comment.status))
                  .map((what) => (
                    <button
                      key={what}
                      type="button"
                      aria-expanded={open?.id === comment.id && open.what === what}
                      onClick={() => setOpen(open?.id === comment.id && open.what === what ? null : { id: comment.id, what })}
                    >
                      {what === 'reply' ? say('Reply') : say('Edit')}
                    </button>
                  ))}
            </div>
            {open?.id === comment.id && open.what === 'reply' && (
              <Reply
                comment={comment}
                onDone={(sentence) => {
                  setOpen(null);
                  setTold(sentence);
                  again();
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {found && found.pages > 1 && <Pages page={page} pages={found.pages} onTurn={setPage} />}
    </>
  );
}

interface AnswerProps {
  readonly comment: Comment;
  onDone(sentence: string): void;
}

/** An answer to what waits approves it: nobody reads an answer to nothing. */
function Reply({ comment, onDone }: AnswerProps) {
  const name = comment.author_name;
  const send = async ({ content }: Fields): Promise<string> => {
    if (comment.status === 'hold')
      await ask(`${namespace}/comments/${comment.id}`, { method: 'POST', body: { status: 'approve' } });
    await ask(`${namespace}/comments`, {
      method: 'POST',
      body: { post: comment.post, parent: comment.id, content, status: 'approve' },
    });
    return say('Reply to {name} published.', { name });
  };
  return (
    <Fill
      first={{ content: '' }}
      labels={{ content: say('Reply to {name}', { name }) }}
      button={comment.status === 'hold' ? say('Approve and reply') : say('Reply')}
      send={send}
      onDone={onDone}
    />
  );
}

function Correct({ comment, onDone }: AnswerProps) {
  const { author_name, author_url } = comment;
  const first: Fields = { author_name, author_url, content: comment.content.raw ?? '' };
  const save = async (values: Fields): Promise<string> => {
    const changed = Object.entries(values).filter(([name, value]) => first[name] !== value);
    if (changed.length === 0) return say('Nothing has changed.');
    await ask(`${namespace}/comments/${comment.id}`, { method: 'POST', body: Object.fromEntries(changed) });
    return say('Saved.');
  };
  return (
    <Fill
      first={first}
      labels={{ author_name: say('Name'), author_url: say('Website'), content: say('Comment') }}
      button={say('Save')}
      send={save}
      onDone={onDone}
    />
  );
}

type Fields = Readonly<Record<string, string>>;

interface FillProps {
  readonly first: Fields;
  readonly labels: Fields;
  readonly button: string;
  /** @returns what is told when it is done. @throws Error with what is told otherwise */
  send(values: Fields): Promise<string>;
  onDone(sentence: string): void;
}

/** A form below a comment. */
function Fill({ first, labels, button, send, onDone }: FillProps) {
  const id = useId();
  const [values, setValues] = useState(first);
  const [fault, setFault] = useState('');
  const [isBusy, once] = useOnce();
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        void once(() => send(values).then(onDone, (error: Error) => setFault(error.message)));
      }}
    >
      {Object.entries(values).map(([name, value]) => {
        const given = {
          id: `${id}${name}`,
          value,
          onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
            setValues({ ...values, [name]: currentTarget.value }),
        };
        return (
          <div key={name}>
            <label for={given.id}>{labels[name]}</label>
            {name === 'content' ? (
              <textarea {...given} rows={5} required dir="auto" />
            ) : (
              <input {...given} dir={name === 'author_url' ? 'ltr' : 'auto'} />
            )}
          </div>
        );
      })}
      {fault !== '' && <p role="alert">{fault}</p>}
      <Button class="main" isOff={isBusy}>
        {button}
      </Button>
    </form>
  );
}
