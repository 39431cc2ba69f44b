/** Places of the page, as queries of its address: `?edit=posts/12`. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { say } from './words.ts';

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

interface Unsaved {
  readonly is: () => boolean;
  readonly question: string;
}
/** Of what is shown: asked before another place is, whichever way leads there. */
let unsaved: Unsaved | null = null;
export const mayLeave = (): boolean => !unsaved?.is() || confirm(unsaved.question);

/** Nobody leaves what is not saved without having been asked. */
export function useGuard(isDirty: () => boolean, question = say('Leave without saving?')): void {
  const latest = useRef(isDirty);
  latest.current = isDirty;
  useEffect(() => {
    const own: Unsaved = { is: () => latest.current(), question };
    unsaved = own;
    return () => {
      if (unsaved === own) unsaved = null;
    };
  }, []);
}

/** Whether what asks is still shown: an answer may come when another place is. */
export function useShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  return () => isShown.current;
}

addEventListener('beforeunload', (event) => {
  if (unsaved?.is()) event.preventDefault();
});

const moved = new Set<() => void>();
export function whenMoved(call: () => void): () => void {
  moved.add(call);
  return () => moved.delete(call);
}
const tell = (): void => {
  for (const call of moved) call();
};

/** Which of the history of this tab is shown. */
let nth = typeof history.state === 'number' ? history.state : 0;
let shown = location.search;
history.replaceState(nth, '');
addEventListener('popstate', ({ state }) => {
  // Another part of the same page has none.
  if (typeof state !== 'number') return history.replaceState(++nth, '');
  const by = nth - state;
  if (location.search !== shown) {
    // The browser is there already.
    if (!mayLeave()) return history.go(by);
    shown = location.search;
    tell();
  }
  nth = state;
});

interface GoOptions {
  readonly replace?: boolean;
  /** The page shows it already. */
  readonly quiet?: boolean;
  /** What is not saved is not asked for. */
  readonly isSure?: boolean;
}

export function go(place: Place, { replace = false, quiet = false, isSure = replace }: GoOptions = {}): void {
  if (!isSure && !mayLeave()) return;
  const url = `?${new URLSearchParams(place as Record<string, string>)}`;
  if (replace) history.replaceState(nth, '', url);
  else history.pushState(++nth, '', url);
  shown = location.search;
  if (!quiet) tell();
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
