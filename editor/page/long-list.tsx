/**
 * A list of any length that scrolls: of its parts, those near what is seen are in the page, and the one that has the focus; gaps as
 * high as the others stand for these. Its rows say where in the whole they are.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows of a part: what is asked for at once. */
export const partSize = 40;

interface LongListProps<T> {
  readonly total: number;
  /** By their places, from 0; missing ones are not there yet. */
  readonly parts: ReadonlyMap<number, readonly T[]>;
  /** Called with the parts that are near what is seen. */
  onNear(parts: readonly number[]): void;
  readonly row: (one: T) => ComponentChildren;
}

export function LongList<T extends { readonly id: number }>({ total, parts, onNear, row }: LongListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  /** In pixels, as far as parts have been seen. */
  const heights = useRef(new Map<number, number>());
  const [near, setNear] = useState<readonly number[]>([0]);
  const count = Math.ceil(total / partSize);
  const sizeOf = (part: number): number => Math.min(partSize, total - part * partSize);
  const heightOf = (part: number): number => {
    const known = heights.current.get(part);
    if (known !== undefined) return known;
    const [[some, height] = [0, 60 * partSize]] = heights.current;
    return (height / Math.max(1, sizeOf(some))) * sizeOf(part);
  };

  // After each change of what is there.
  useLayoutEffect(() => {
    const edges = new Map<number, { top: number; bottom: number }>();
    for (const one of list.current?.querySelectorAll<HTMLElement>('[data-part]') ?? []) {
      const { top, bottom } = one.getBoundingClientRect();
      const part = Number(one.dataset.part);
      edges.set(part, { top: edges.get(part)?.top ?? top, bottom });
    }
    for (const [part, { top, bottom }] of edges) heights.current.set(part, bottom - top);
  });

  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const focused = document.activeElement?.closest<HTMLElement>('[data-part]');
      const wanted = new Set(focused && list.current?.contains(focused) ? [Number(focused.dataset.part)] : []);
      let top = list.current?.getBoundingClientRect().top ?? 0;
      for (let part = 0; part < count; part++) {
        const bottom = top + heightOf(part);
        if (bottom > -innerHeight && top < 2 * innerHeight) wanted.add(part);
        top = bottom;
      }
      const next = [...wanted].sort((a, b) => a - b);
      setNear((before) => (before.join() === next.join() ? before : next));
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [count, parts]);
  useEffect(() => onNear(near), [near]);

  const rows: ComponentChildren[] = [];
  let gap = 0;
  const close = (before: number): void => {
    if (gap > 0) rows.push(<li key={`gap ${before}`} class="gap" aria-hidden="true" style={{ height: `${gap}px` }} />);
    gap = 0;
  };
  for (let part = 0; part < count; part++) {
    const those = near.includes(part) ? parts.get(part) : undefined;
    if (!those) {
      gap += heightOf(part);
      continue;
    }
    close(part);
    those.forEach((one, at) => {
      rows.push(
        <li key={one.id} data-part={part} aria-setsize={total} aria-posinset={part * partSize + at + 1}>
          {row(one)}
        </li>,
      );
    });
  }
  close(count);
  return (
    <ul class="items" ref={list}>
      {rows}
    </ul>
  );
}
