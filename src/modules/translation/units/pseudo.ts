/**
 * A pseudo-language: every letter with a mark, every text longer and in brackets, so that a front end shows what it takes from
 * elsewhere, cuts off or lacks in its font.
 */
import type { Piece, TargetPiece } from './record.ts';

const plain = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz';
const marked = 'ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž';
const letters = new Map([...plain].map((letter, at) => [letter, [...marked][at] as string]));

/** The pieces of a source as its pseudo-translation has them. */
export function pseudo(source: readonly Piece[]): readonly TargetPiece[] {
  const target: TargetPiece[] = source.map((piece) =>
    piece.kind === 'text'
      ? { kind: 'text', text: piece.text.replace(/[A-Za-z]/g, (letter) => letters.get(letter) as string) }
      : piece,
  );
  const length = source.reduce((sum, piece) => sum + (piece.kind === 'text' ? piece.text.trim().length : 0), 0);
  const padding = '·'.repeat(Math.ceil(length / 4));
  return [{ kind: 'text', text: '⟦' }, ...target, { kind: 'text', text: `${padding}⟧` }];
}
