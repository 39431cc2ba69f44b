/** A text of blocks in the block editor that the operator has installed, in a frame: the text goes in and out by messages. */
import { diff3Merge } from 'node-diff3';
import { useEffect, useRef } from 'preact/hooks';
import { say } from './words.ts';

/** Its address; null where there is none. */
export const blockEditor = document.getElementById('page')?.dataset.blockEditor ?? null;

export const isBlocks = (text: string): boolean => /<!--\s+(?:wp|cms):/.test(text);

/** What was changed in the form in which a text is printed, made in its source: other lines keep their bytes. */
function fitted(source: string, printed: string, changed: string): string {
  const [mine, base, own] = [changed, printed, source].map((one) => one.split('\n')) as [string[], string[], string[]];
  return diff3Merge(mine, base, own, { excludeFalseConflicts: true })
    .flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? [])
    .join('\n');
}

interface BlocksProps {
  readonly text: string;
  readonly label: string;
  readonly handle: { current: { text(): string } | null };
  onChange(): void;
}

export function BlocksText({ text, label, handle, onChange }: BlocksProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    let present = text;
    /** What the block editor was given, and how it prints that while nobody has changed it. */
    let given = text;
    let printed = text;
    handle.current = { text: () => present };
    const hear = ({ source, origin, data }: MessageEvent<{ type?: unknown; content?: unknown } | null>): void => {
      const inner = frame.current?.contentWindow;
      if (!inner || source !== inner || origin !== location.origin) return;
      if (data?.type === 'ready') {
        // It may begin anew, with what was changed so far.
        given = printed = present;
        inner.postMessage({ type: 'content', content: given, language: document.documentElement.lang }, origin);
      } else if (data?.type === 'loaded' && typeof data.content === 'string') printed = data.content;
      else if (data?.type === 'change' && typeof data.content === 'string') {
        present = fitted(given, printed, data.content);
        onChange();
      } else if (data?.type === 'save') frame.current?.closest('form')?.requestSubmit();
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  return (
    <>
      <iframe ref={frame} class="blocks" title={label} src={blockEditor ?? ''} />
      <p class="note">{say('This is the block editor that your site has installed.')}</p>
    </>
  );
}
