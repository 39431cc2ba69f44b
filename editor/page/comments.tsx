/** Comments that wait, and all others: approved, held back, marked as spam, put into the trash. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiError, ask, namespace } from './api.ts';
import { dateText } from './list.tsx';
import { Pages } from './media.tsx';
import { may, plain, type Text } from './records.ts';
import { say } from './words.ts';

interface Comment {
  readonly id: number;
  readonly author_name: string;
  readonly date: string;
  readonly status: string;
  readonly link: string;
  readonly content: Text;
  readonly _links: Readonly<Record<string, readonly { href: string; targetHints?: { allow: readonly string[] } }[]>>;
}

const statuses = ['hold', 'approve', 'spam', 'trash'] as const;

export function Comments() {
  const [status, setStatus] = useState<string>('hold');
  const [page, setPage] = useState(1);
  const [found, setFound] = useState<{ comments: readonly Comment[]; pages: number } | null>(null);
  const [turn, setTurn] = useState(0);
  const [told, setTold] = useState('');
  useEffect(() => {
    let isCurrent = true;
    ask<Comment[]>(`${namespace}/comments`, { query: { context: 'edit', status, page, per_page: 20 } }).then(
      ({ data, headers }) => isCurrent && setFound({ comments: data, pages: Number(headers.get('X-CMS-TotalPages') ?? 1) }),
      (error: ApiError) => isCurrent && setTold(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [status, page, turn]);
  const names: Readonly<Record<string, string>> = {
    hold: say('Waiting'),
    approve: say('Approved'),
    spam: say('Spam'),
    trash: say('Trash'),
  };
  const actions: Readonly<Record<string, string>> = {
    approve: say('Approve'),
    hold: say('Hold back'),
    spam: say('Mark as spam'),
    trash: say('Move to trash'),
  };
  const put = async ({ id, author_name }: Comment, next: string): Promise<void> => {
    try {
      await ask(`${namespace}/comments/${id}`, { method: 'POST', body: { status: next } });
      setTold(`${author_name}: ${names[next]}`);
      setTurn((count) => count + 1);
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  return (
    <>
      <div class="head">
        <h1>{say('Comments')}</h1>
      </div>
      <div class="bar">
        <label for="comment-status">{say('Status')}</label>
        <select
          id="comment-status"
          value={status}
          onChange={({ currentTarget }) => {
            setStatus(currentTarget.value);
            setPage(1);
          }}
        >
          {statuses.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </select>
      </div>
      <p role="status">{told}</p>
      {found?.comments.length === 0 && <p>{say('Nothing was found.')}</p>}
      <ul class="comments">
        {found?.comments.map((comment) => (
          <li key={comment.id}>
            <p>
              <strong dir="auto">{comment.author_name}</strong>, <a href={comment.link}>{dateText(comment.date)}</a>
            </p>
            {/* As text: nothing that a visitor wrote is markup here. */}
            <p class="words" dir="auto">
              {comment.content.raw ?? plain(comment.content.rendered)}
            </p>
            {may(comment, 'PUT') && (
              <div class="row">
                {statuses
                  .filter((one) => one !== status && !(one === 'hold' && status !== 'approve'))
                  .map((one) => (
                    <button key={one} type="button" onClick={() => void put(comment, one)}>
                      {actions[one]}
                    </button>
                  ))}
              </div>
            )}
          </li>
        ))}
      </ul>
      {found && found.pages > 1 && <Pages page={page} pages={found.pages} onTurn={setPage} />}
    </>
  );
}
