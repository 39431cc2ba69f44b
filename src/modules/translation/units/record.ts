/**
 * Text units: what of a text is to be translated, and what in it must stay as it is. A unit is a range of the text; markup within it
 * is codes, each of which a translation has exactly once. Nothing is parsed and printed again: what is not translated keeps its bytes.
 *
 * Source: reference on languages, 12.4.
 */

/** How a text is written. `blocks`: markup with delimiters of blocks. */
export type TextFormat = (typeof textFormats)[number];
export const textFormats = ['plain', 'html', 'blocks', 'markdown'] as const;

export interface UnitRange {
  /** From and up to which character. */
  readonly at: readonly [number, number];
  /** `attribute`: a text within the JSON of a block; `value`: one of a word in brackets; `markup`: markup within Markdown. */
  readonly kind: 'text' | 'attribute' | 'value' | 'markup';
  /** What the site calls it; absent: nothing. */
  readonly label?: string;
}

/** A label of something within what has another. */
export function labelled(outer: string, inner: string): { readonly label?: string } {
  const label = [outer, inner].filter((one) => one !== '').join(': ');
  return label === '' ? {} : { label };
}

/** A stretch of text as a reader sees it, or a code. Both halves of a pair have one id, counted from 1. */
export type Piece = TextPiece | CodePiece;

interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  /** As the source has it. */
  readonly raw: string;
}

export interface CodePiece {
  readonly kind: 'open' | 'close' | 'alone';
  readonly id: number;
  /** What stands for it in the source. */
  readonly raw: string;
  /** What stands for it in a translation, where that is something else. */
  readonly inTarget?: string;
  /** The same in tags, where marks would mean something else beside other letters. */
  readonly asTag?: string;
  /** Between the halves is the value of an attribute: text alone. */
  readonly isAttribute?: true;
}

/** What a translation is made of: texts and ids of the source's codes. */
export type TargetPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: CodePiece['kind']; readonly id: number };

/** A code before its pair is known: `name` is what both halves of one have in common. */
export type Token =
  | { readonly kind: 'text'; readonly text: string; readonly raw: string }
  | ({ readonly kind: 'open' | 'close' | 'alone'; readonly name: string } & Omit<CodePiece, 'kind' | 'id'>);

/** Numbers codes and pairs them: halves without the other one stand alone. */
export function paired(tokens: readonly Token[]): readonly Piece[] {
  const [only] = tokens;
  if (tokens.length === 1 && only?.kind === 'text') return [only];
  const partners = partnersOf(tokens);
  const ids = new Map<number, number>();
  let last = 0;
  const pieces: Piece[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'text') {
      const before = pieces.at(-1);
      if (before?.kind === 'text')
        pieces[pieces.length - 1] = { kind: 'text', text: before.text + token.text, raw: before.raw + token.raw };
      else pieces.push(token);
      continue;
    }
    const { name: _, kind, ...code } = token;
    const partner = partners.get(at);
    const id = (partner === undefined ? undefined : ids.get(partner)) ?? ++last;
    ids.set(at, id);
    pieces.push({ ...code, kind: partner === undefined ? 'alone' : kind, id });
  }
  return pieces;
}

/** Place of a half → place of the other; pairs are nested. */
function partnersOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: { readonly name: string; readonly at: number }[] = [];
  const waiting = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'open') {
      open.push({ name: token.name, at });
      waiting.set(token.name, (waiting.get(token.name) ?? 0) + 1);
    }
    if (token.kind !== 'close' || !waiting.get(token.name)) continue;
    for (let top = open.pop(); top; top = open.pop()) {
      waiting.set(top.name, (waiting.get(top.name) as number) - 1);
      if (top.name !== token.name) continue;
      partners.set(top.at, at).set(at, top.at);
      break;
    }
  }
  return partners;
}

/** Whether there is anything to translate: letters, digits, or a sign that stands for a number. */
export function hasText(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => piece.kind === 'text' && /[\p{L}\p{N}#]/u.test(piece.text));
}
