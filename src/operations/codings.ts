/**
 * Which codings a client takes: `Accept-Encoding` with its weights. Source: RFC 9110, 12.5.3.
 */

/** What answers are compressed by, the better first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

export interface Accepted {
  /** The one to answer with; null: none, the answer goes as it is. */
  readonly best: Coding | null;
  takes(coding: Coding): boolean;
}

/** Whoever says nothing may be sent what he has named himself, and is sent nothing compressed. */
const unsaid: Accepted = { best: null, takes: () => true };
/** Headers that were read; clients send few different ones. */
const read = new Map<string, Accepted>();
const maxRead = 200;

/** Of what weighs the same, the coding before the plain form, and the better one before the other. */
export function readAccepted(header: string | string[] | undefined): Accepted {
  if (header === undefined) return unsaid;
  const text = String(header);
  const known = read.get(text);
  if (known) return known;
  const weights = weightsIn(text);
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [first] = [...codings].sort((one, other) => weightOf(other) - weightOf(one));
  const isBetter = first !== undefined && weightOf(first) > 0 && weightOf(first) >= (weights.get('identity') ?? 0);
  const accepted: Accepted = { best: isBetter ? first : null, takes: (coding) => weightOf(coding) > 0 };
  if (read.size >= maxRead) read.clear();
  if (text.length <= 200) read.set(text, accepted);
  return accepted;
}

/** By lower-case name; one whose weight is none is not taken. */
function weightsIn(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of text.split(',')) {
    const [name = '', ...params] = part.split(';').map((one) => one.trim().toLowerCase());
    const said = params.find((one) => /^q\s*=/.test(one))?.replace(/^q\s*=\s*/, '');
    const weight = said === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(said) ? Number(said) : 0;
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}
