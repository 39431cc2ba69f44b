/** Places of the page, as queries of its address: `?edit=posts/12`. */
import type { ComponentChildren } from 'preact';

export interface Place {
  readonly list?: string;
  readonly edit?: string;
  readonly new?: string;
  /** Of a taxonomy, or one of them: `category/12`. */
  readonly terms?: string;
  readonly media?: string;
  readonly comments?: string;
  readonly menus?: string;
  readonly changes?: string;
  /** Where in an item to begin. */
  readonly at?: string;
  readonly words?: string;
  readonly block?: string;
  readonly picture?: string;
  readonly people?: string;
  readonly settings?: string;
}

export function placeNow(): Place {
  return Object.fromEntries(new URLSearchParams(location.search)) as Place;
}

/** Asked before another place is shown: whether what is here may go. */
let mayLeave: () => boolean = () => true;
export function guard(ask: (() => boolean) | null): void {
  mayLeave = ask ?? (() => true);
}

const moved = new Set<() => void>();
export function whenMoved(call: () => void): () => void {
  moved.add(call);
  const back = (): void => call();
  addEventListener('popstate', back);
  return () => {
    moved.delete(call);
    removeEventListener('popstate', back);
  };
}

export function go(place: Place, { replace = false, quiet = false } = {}): void {
  if (!replace && !mayLeave()) return;
  const url = `?${new URLSearchParams(place as Record<string, string>)}`;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  if (!quiet) for (const call of moved) call();
}

interface GoProps {
  readonly to: Place;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Of its words. */
  readonly lang?: string;
  readonly 'aria-current'?: 'page' | undefined;
}

export function Go({ to, children, ...rest }: GoProps) {
  return (
    <a
      {...rest}
      href={`?${new URLSearchParams(to as Record<string, string>)}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
