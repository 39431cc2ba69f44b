/** Whoever works by keyboard stays where they are when what had the focus goes: the browser would send them to the top of the page. */

/** From a part of the page to what can have the focus in it. */
const stops = 'a[href], button, input:not([hidden]), select, textarea, summary, [contenteditable="true"]';

/** @param page  whose parts come and go */
export function keepFocus(page: HTMLElement): void {
  /** What had the focus last, and what it stands in. */
  let path: readonly Element[] = [];
  addEventListener('focusin', ({ target }) => {
    path = [];
    for (let at = target instanceof Element ? target : null; at && at !== page; at = at.parentElement) path = [...path, at];
  });
  // Whoever points elsewhere leaves it.
  addEventListener('pointerdown', () => {
    path = [];
  });
  new MutationObserver(() => {
    if (path[0]?.isConnected !== false || document.activeElement !== document.body) return;
    for (const part of path.filter((one) => one.isConnected)) {
      const next = part.id === 'content' ? part : part.querySelector<HTMLElement>(stops);
      if (!(next instanceof HTMLElement)) continue;
      next.focus({ preventScroll: part.id !== 'content' });
      if (document.activeElement === next) return;
    }
  }).observe(page, { childList: true, subtree: true });
}
