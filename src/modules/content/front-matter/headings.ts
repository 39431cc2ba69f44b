/** What a Markdown text says above its paragraphs, outside of code. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

/** The text of the first heading of the first level. It stays in the body, where generators show it as well. */
export function firstHeading(body: string): string {
  let title = '';
  if (!/^# |\n# |\n=+[ \t]*(?:\n|$)/.test(body)) return title;
  outsideCode(body, (text) => {
    const found = title === '' ? (withMark(text) ?? /^([^\s>#-].*)\r?\n=+[ \t]*$/m.exec(text)?.[1]) : undefined;
    if (found !== undefined)
      title = found
        // What is no link is passed over, not looked for from each bracket in it.
        .replace(/\[([^\]]*)(?:\](?:\([^)]*(\)?))?)?/g, (all, words: string, end?: string) => (end ? words : all))
        .replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1')
        .trim();
    return text;
  });
  return title;
}

/** A heading behind `#`, without the signs that close it. */
function withMark(text: string): string | undefined {
  const line = /^# (.+)$/m.exec(text)?.[1];
  return line && withoutTrailing(line.replace(/^ +/, ''), ' ').replace(/(?<! ) +#+$/, '');
}

/** Applies `change` to what is not in fenced or inline code. */
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
