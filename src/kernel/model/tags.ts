/**
 * Markup to text without a parser: where a tag ends, and text without tags.
 */

/**
 * Text without tags and comments, the way the reference's language does it: `<` before white space is text, a `>`
 * in a quoted attribute does not end the tag, an open tag takes the rest. Contents of elements stay.
 */
export function stripTags(html: string): string {
  let out = '';
  let place: Place = { at: 0, depth: 0 };
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', place.at)) {
    const isTag = begins(html, open);
    const text = html.slice(place.at, isTag ? open : open + 1);
    const left = withoutEnds(text, place.depth);
    out += left.text;
    place = isTag ? endOfTag(html, open, left.depth) : { at: open + 1, depth: left.depth };
  }
  return out + withoutEnds(html.slice(place.at), place.depth).text;
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

interface Place {
  readonly at: number;
  /** How many `<` were met within tags: as many `>` end no tag, and are no text. */
  readonly depth: number;
}

/** Whether a `<` begins a tag. */
function begins(html: string, open: number): boolean {
  return !' \t\n\v\f\r'.includes(html.charAt(open + 1) || 'end');
}

function withoutEnds(text: string, depth: number): { readonly text: string; readonly depth: number } {
  if (depth === 0) return { text, depth };
  let left = depth;
  const shown = text.replace(/>/g, () => (left-- > 0 ? '' : '>'));
  return { text: shown, depth: Math.max(0, left) };
}

type Kind = 'tag' | 'instruction' | 'declaration' | 'comment';

/** Behind the tag, comment or instruction that opens at `open`; the length of the text when it is not closed. */
function endOfTag(html: string, open: number, before: number): Place {
  let kind: Kind = 'tag';
  let quote = '';
  let depth = before;
  for (let at = open + 1; at < html.length; at++) {
    const char = html[at] as string;
    if (kind === 'comment') {
      if (char === '>' && quote === '' && html.endsWith('--', at)) return { at: at + 1, depth };
    } else if (char === '>') {
      if (depth > 0) depth--;
      else if (quote === '' && (kind !== 'instruction' || html[at - 1] === '?')) return { at: at + 1, depth };
    } else if (char === '"' || char === "'") {
      const isEscaped = kind !== 'tag' && html[at - 1] === '\\';
      if (!isEscaped && (quote === '' || quote === char)) quote = quote === '' ? char : '';
    } else if (kind === 'declaration') {
      if (char === '-' && html.startsWith('!-', at - 2)) kind = 'comment';
      else if (/e/i.test(char) && /^doctyp$/i.test(html.slice(at - 6, at))) kind = 'tag';
    } else if (kind === 'tag') {
      if (char === '<' && quote === '' && begins(html, at)) depth++;
      else if (char === '!' && html[at - 1] === '<') kind = 'declaration';
      else if (char === '?' && html[at - 1] === '<' && !html.startsWith('xml', at + 1)) kind = 'instruction';
    }
  }
  return { at: html.length, depth };
}
