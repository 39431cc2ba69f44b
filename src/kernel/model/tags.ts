/**
 * Markup to text without a parser: where a tag ends, and text without tags.
 */

/**
 * Text without tags and comments, the way the reference's language does it: `<` before white space is text, a `>`
 * in a quoted attribute does not end the tag, an open tag takes the rest. Contents of elements stay.
 */
export function stripTags(html: string): string {
  let out = '';
  let at = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    if (' \t\n\v\f\r'.includes(html.charAt(open + 1) || 'end')) {
      out += html.slice(at, open + 1);
      at = open + 1;
      continue;
    }
    out += html.slice(at, open);
    at = endOfTag(html, open);
  }
  return out + html.slice(at);
}

/** Text without the named elements and all that is in them; an element that is not closed keeps its contents. */
export function dropElements(html: string, names: readonly string[]): string {
  const opening = new RegExp(`<(${names.join('|')})`, 'gi');
  const closings = new Map(names.map((name) => [name, new RegExp(`</${name}>`, 'gi')]));
  let out = '';
  let at = 0;
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const name = (match[1] as string).toLowerCase();
    const closing = closings.get(name);
    if (!closing) continue;
    const end = html.indexOf('>', match.index);
    closing.lastIndex = end;
    if (end === -1 || !closing.test(html)) {
      closings.delete(name);
      continue;
    }
    out += html.slice(at, match.index);
    at = closing.lastIndex;
    opening.lastIndex = at;
  }
  return out + html.slice(at);
}

/** Index behind the tag, comment or instruction that opens at `open`; the length of the text when it is not closed. */
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return behind(html, '-->', open + 4);
  if (html.startsWith('<?', open)) return behind(html, '?>', open + 2);
  // Within a declaration (`<![CDATA[`) another `<` opens nothing.
  const isDeclaration = html.startsWith('<!', open);
  let quote = '';
  let depth = 0;
  for (let at = open + 1; at < html.length; at++) {
    const char = html[at] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '<' && !isDeclaration) depth++;
    else if (char === '>' && depth-- === 0) return at + 1;
  }
  return html.length;
}

function behind(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found === -1 ? html.length : found + end.length;
}
