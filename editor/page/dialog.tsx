/** A dialog, as browsers have them: focus stays in it, Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { say } from './words.ts';

export function Dialog({ title, children, onClose }: { title: string; children: ComponentChildren; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // It may stand in a form, which is not sent with those in it.
    <dialog ref={ref} aria-label={title} onClose={onClose} onSubmit={(event) => event.stopPropagation()}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={() => ref.current?.close()}>
          {say('Close')}
        </button>
      </header>
      {children}
    </dialog>
  );
}
