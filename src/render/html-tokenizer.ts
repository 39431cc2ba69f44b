/**
 * Markup in pieces: tags and comments on one side, text on the other. The cut is the reference's: a `<` begins a tag
 * wherever it stands, and a tag ends with the next `>` or with the text. So no text piece ever contains a `<`.
 */

interface Piece {
  readonly kind: 'text' | 'tag' | 'comment';
  readonly raw: string;
}

/** The pieces of a text in order, none of them empty; joined they are the text. Cost: linear. */
export function piecesOf(markup: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (let open = markup.indexOf('<'); open !== -1; open = markup.indexOf('<', at)) {
    if (open > at) pieces.push({ kind: 'text', raw: markup.slice(at, open) });
    const comment = markup.startsWith('<!--', open);
    const end = comment ? markup.indexOf('-->', open + 4) : markup.indexOf('>', open);
    at = end === -1 ? markup.length : end + (comment ? 3 : 1);
    pieces.push({ kind: comment ? 'comment' : 'tag', raw: markup.slice(open, at) });
  }
  if (at < markup.length) pieces.push({ kind: 'text', raw: markup.slice(at) });
  return pieces;
}

/** Name of a tag in lower case, with `/` before it when it closes; '' when it has none. */
export function tagName(raw: string): string {
  return /^<(\/?[a-z][^\s/>]*)/i.exec(raw)?.[1]?.toLowerCase() ?? '';
}

/** The markup with its text changed, except within the elements that `verbatim` names. */
export function changeText(markup: string, verbatim: RegExp, change: (text: string) => string): string {
  let out = '';
  let inside = '';
  for (const { kind, raw } of piecesOf(markup)) {
    if (kind === 'tag') {
      const name = tagName(raw);
      if (inside === '' && verbatim.test(name)) inside = name;
      else if (name === `/${inside}`) inside = '';
    }
    out += kind === 'text' && inside === '' ? change(raw) : raw;
  }
  return out;
}
