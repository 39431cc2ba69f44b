/** What a Markdown text says above its paragraphs, outside of code. */

/** The text of the first heading of the first level. It stays in the body, where generators show it as well. */
export function firstHeading(body: string): string {
  let title = '';
  if (!/^# |\n# |\n=+[ \t]*(?:\n|$)/.test(body)) return title;
  outsideCode(body, (text) => {
    const found = title === '' ? (/^# +(.+?)(?: +#+)? *$/m.exec(text) ?? /^([^\s>#-][^\n]*)\n=+[ \t]*$/m.exec(text)) : null;
    if (found)
      title = (found[1] as string)
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1')
        .trim();
    return text;
  });
  return title;
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
    const mark = /^ {0,3}(?:>\s?|[-*+]\s+|\d+[.)]\s+)*\s*(`{3,}|~{3,})([^`]*)$/.exec(line);
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
