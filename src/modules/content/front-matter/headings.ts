/** Headings of Markdown, outside of code. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

/** The text of the first top-level heading. It stays in the body; `withoutHeading` removes it from the rendered text. */
export function firstHeading(body: string): string {
  let title = '';
  if (!mayHaveHeading.test(body)) return title;
  outsideCode(body, (text) => {
    const found = title === '' ? headingIn(text)?.words : undefined;
    if (found !== undefined) title = plainWords(found);
    return text;
  });
  return title;
}

/** The body without the heading used as title. */
export function withoutHeading(body: string, title: string): string {
  let isFound = false;
  return outsideCode(body, (text) => {
    const found = isFound ? undefined : headingIn(text);
    if (!found || plainWords(found.words) === '') return text;
    isFound = true;
    if (plainWords(found.words) !== title) return text;
    return text.slice(0, found.at) + text.slice(found.at + found.length).replace(/^\r?\n(?:[ \t]*\r?\n)?/, '');
  });
}

const mayHaveHeading = /^# |\n# |\n=+[ \t]*(?:\n|$)/;

interface Heading {
  readonly words: string;
  readonly at: number;
  readonly length: number;
}

function headingIn(text: string): Heading | undefined {
  const marked = /^# (.+)$/m.exec(text);
  const words = marked?.[1] ? withoutTrailing(marked[1].replace(/^ +/, ''), ' ').replace(/(?<! ) +#+$/, '') : undefined;
  if (marked && words !== undefined) return { words, at: marked.index, length: marked[0].length };
  const underlined = /^([^\s>#-].*)\r?\n=+[ \t]*$/m.exec(text);
  return underlined ? { words: underlined[1] as string, at: underlined.index, length: underlined[0].length } : undefined;
}

function plainWords(found: string): string {
  return (
    found
      // A bracket that starts no link is skipped, not searched from again (linear time).
      .replace(/\[([^\]]*)(?:\](?:\([^)]*(\)?))?)?/g, (all, words: string, end?: string) => (end ? words : all))
      .replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1')
      .trim()
  );
}

/** Applies `change` outside of fenced and inline code. */
export function outsideCode(body: string, change: (text: string) => string): string {
  const out: string[] = [];
  let text: string[] = [];
  let fence = '';
  const flush = (): void => {
    if (text.length > 0) out.push(change(text.join('\n')));
    text = [];
  };
  const lines = body.split('\n');
  for (const line of lines) {
    const mark = /^ {0,3}(?:>\s?|[-*+]\s+(?!\s)|\d+[.)]\s+(?!\s))*\s*(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line);
    if (fence === '' && mark) {
      flush();
      fence = mark[1] as string;
      out.push(line);
    } else if (fence === '') text.push(line);
    else {
      out.push(line);
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = '';
    }
  }
  flush();
  return out.join('\n');
}
