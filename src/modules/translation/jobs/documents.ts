/**
 * Jobs as documents of XLIFF, and what comes back in them.
 *
 * Errors   lang_xliff_malformed, lang_xliff_invalid, lang_xliff_mismatch, lang_too_large, lang_job_no_units
 * Source   reference on languages, 12
 */
import { table } from '../../../kernel/model/maps.ts';
import { createHash } from 'node:crypto';
import { fail } from '../../../kernel/errors.ts';
import { createUnitCodec, faultOf, plainOf, type UnitCodec } from '../units/index.ts';
import type { Piece, TargetPiece, TextFormat } from '../units/record.ts';
import { readXliff, writeXliff } from '../xliff/index.ts';
import { type ReadXliff, XliffError, type XliffPosition, type XliffState, type XliffVersion } from '../xliff/record.ts';
import type { JobContext } from './lookup.ts';
import type { JobPart, JobRecord, JobUnit, StatusRecord, UnitState } from './record.ts';

const maxBytes = 5 * 1024 * 1024;
const datatypes: Readonly<Record<TextFormat, string>> = table({
  plain: 'plaintext',
  html: 'html',
  blocks: 'html',
  markdown: 'x-markdown',
});

/** What a document calls its job. */
function originalOf(job: Pick<JobRecord, 'id'>, status: Pick<StatusRecord, 'item'>): string {
  return `${job.id}-${createHash('md5').update(`${job.id}${status.item}`).digest('hex')}`;
}

/** @throws RestError lang_job_no_units */
export function documentOf({ site, subjects }: JobContext, job: JobRecord, status: StatusRecord, version: XliffVersion): string {
  if (job.parts.every(({ units }) => units.length === 0)) fail('lang_job_no_units');
  return writeXliff(
    {
      original: originalOf(job, status),
      sourceLang: status.source,
      targetLang: status.target,
      kind: status.element.replace(/^(?:post|tax)_/, ''),
      href: subjects.get(status.type)?.present(status)?.href ?? site.url,
      units: job.parts.flatMap((part) => {
        const codec = createUnitCodec(part.format, part.text);
        return part.units.map((unit) => {
          const source = codec.pieces(unit);
          const target = unit.target === null ? null : targetPieces(part, unit, source, unit.target);
          return {
            id: unit.id,
            note: unit.label,
            datatype: datatypes[part.format],
            source,
            target,
            state: target ? stateOf(unit.state) : 'untranslated',
          };
        });
      }),
    },
    version,
  );
}

function stateOf(state: UnitState): XliffState {
  return state === '' ? 'untranslated' : state;
}

/** A stored translation with the source's codes; null where it has others. */
export function targetPieces(
  part: JobPart,
  unit: JobUnit,
  source: readonly Piece[],
  target: string,
): readonly TargetPiece[] | null {
  // Link labels are those of the whole text.
  const text = part.text.slice(0, unit.at[0]) + target + part.text.slice(unit.at[1]);
  const codec: UnitCodec = createUnitCodec(part.format, text);
  const pieces = codec.pieces({ at: [unit.at[0], unit.at[0] + target.length], kind: unit.kind });
  const left = source.flatMap((piece) => (piece.kind === 'text' ? [] : [piece]));
  const found: TargetPiece[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      found.push({ kind: 'text', text: piece.text });
      continue;
    }
    const at = left.findIndex((code) => code.kind === piece.kind && [code.raw, code.inTarget, code.asTag].includes(piece.raw));
    const [code] = at === -1 ? [] : left.splice(at, 1);
    if (!code) return null;
    found.push({ kind: code.kind, id: code.id });
  }
  return faultOf(source, found) === null ? found : null;
}

/** @throws RestError lang_too_large, lang_xliff_malformed */
export function parseDocument(text: string): ReadXliff {
  if (Buffer.byteLength(text) > maxBytes) fail('lang_too_large', { limit: maxBytes });
  try {
    return readXliff(text);
  } catch (error) {
    if (!(error instanceof XliffError)) throw error;
    const { line, column } = error.position ?? {};
    const place = line === undefined ? '' : `line ${line}, column ${column}: `;
    return fail(
      'lang_xliff_malformed',
      error.position === null ? {} : { line, column },
      `The document cannot be read as XLIFF: ${place}${error.message}.`,
    );
  }
}

/** The job that a document says it is of; null: none. */
export function jobIdOf({ original }: ReadXliff): number | null {
  const [, id] = /^([1-9]\d{0,9})-[\da-f]{32}$/.exec(original) ?? [];
  return id === undefined ? null : Number(id);
}

/** What came back of a unit. */
export interface Delivered {
  readonly target: string | null;
  readonly state: UnitState;
}

interface Delivery {
  readonly units: ReadonlyMap<string, Delivered>;
  /** Ids that the job does not have. */
  readonly ignored: readonly string[];
}

/**
 * What a document brings for a job, every unit checked.
 * @throws RestError lang_xliff_mismatch for another job's; lang_xliff_invalid naming each unit and what is wrong with it
 */
export function deliveryOf({ site }: JobContext, job: JobRecord, status: StatusRecord, document: ReadXliff): Delivery {
  if (document.original !== originalOf(job, status))
    fail(
      'lang_xliff_mismatch',
      { original: document.original },
      `The document is of ${JSON.stringify(document.original)}, not of job ${job.id}.`,
    );
  for (const [name, given, code] of [
    ['source', document.sourceLang, status.source],
    ['target', document.targetLang, status.target],
  ] as const)
    if (!isLanguage(given, code, site.languages.of(code)?.locale ?? code))
      fail(
        'lang_xliff_invalid',
        { [`${name}_language`]: given, expected: code },
        `The ${name} language of the document is ${JSON.stringify(given)}, that of the job ${JSON.stringify(code)}.`,
      );
  const read = readUnits(job, document);
  if (read.faults.length > 0)
    fail(
      'lang_xliff_invalid',
      { units: read.faults },
      `The document cannot be used: ${read.faults
        .slice(0, 10)
        .map(({ id, reason }) => `${id}: ${reason}`)
        .join(', ')}${read.faults.length > 10 ? ` and ${read.faults.length - 10} more` : ''}.`,
    );
  return read;
}

function isLanguage(given: string, code: string, locale: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replaceAll('_', '-');
  return [code, locale].some((one) => plain(one) === plain(given));
}

/** Where a unit stands in the document, unless it is missing. */
interface UnitFault extends Partial<XliffPosition> {
  readonly id: string;
  readonly reason: string;
}

function readUnits(job: JobRecord, document: ReadXliff): Delivery & { readonly faults: readonly UnitFault[] } {
  const faults: UnitFault[] = [];
  const given = new Map<string, ReadXliff['units'][number]>();
  for (const unit of document.units) {
    if (given.has(unit.id)) faults.push({ id: unit.id, reason: 'duplicate_unit', ...unit.position });
    given.set(unit.id, unit);
  }
  const units = new Map<string, Delivered>();
  for (const part of job.parts) {
    const codec = createUnitCodec(part.format, part.text);
    for (const unit of part.units) {
      const found = given.get(unit.id);
      given.delete(unit.id);
      const reason = found ? faultIn(found, codec.pieces(unit)) : 'missing_unit';
      if (!found || reason !== null) {
        faults.push({ id: unit.id, reason: reason ?? '', ...found?.position });
        continue;
      }
      const { target, state } = found;
      const isThere = target !== null && state !== 'untranslated';
      units.set(unit.id, isThere ? { target: codec.print(unit, target), state } : { target: null, state: '' });
    }
  }
  return { units, ignored: [...given.keys()], faults };
}

function faultIn(found: ReadXliff['units'][number], source: readonly Piece[]): string | null {
  const bare = (text: string): string => text.replace(/\s+/g, '');
  if (bare(found.source) !== bare(plainOf(source))) return 'other_source';
  if (found.strangers.length > 0) return 'unknown_element';
  return found.target === null ? null : faultOf(source, found.target);
}
