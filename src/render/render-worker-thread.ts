/** The thread of `render-worker.ts`: receives a text and returns what readers see of it. */
import { parentPort } from 'node:worker_threads';
import { showContent, showExcerpt, type Text } from './render-post.ts';

export interface Wanted {
  readonly text: Text;
  /** Words of a generated excerpt; null when no excerpt is wanted. */
  readonly excerptWords: number | null;
}

export interface RenderedTexts {
  readonly content: string;
  readonly excerpt: string | null;
}

parentPort?.on('message', ({ number, wanted }: { readonly number: number; readonly wanted: Wanted }) => {
  const { text, excerptWords } = wanted;
  const content = showContent(text);
  const excerpt = excerptWords === null ? null : showExcerpt(text, excerptWords, () => content, true);
  parentPort?.postMessage({ number, shown: { content, excerpt } satisfies RenderedTexts });
});
