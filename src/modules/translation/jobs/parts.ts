/**
 * Texts of a job and its history, as their file holds them. A file is anybody's work: what does not fit names its place.
 */
import { FieldProblem, type Scalar } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { type HistoryRow, type JobPart, type JobUnit, unitStates } from './record.ts';
import { textFormats } from '../units/record.ts';
import { type JobEvent, knownStatus, transitions } from './states.ts';

export const parts: Scalar<readonly JobPart[]> = {
  form: { type: 'array', items: { type: 'object' }, description: 'Texts of the original as they were, and their translations.' },
  parse: (raw, key) => listOf(raw, key).map((one, at) => readPart(one, `${key}[${at}]`)),
  print: (all) =>
    all.map(({ id, format, text, units }) => ({
      id,
      ...(format === 'plain' ? {} : { format }),
      text: printText(text),
      ...(units.length === 0 ? {} : { units: units.map(printUnit) }),
    })),
};

export const history: Scalar<readonly HistoryRow[]> = {
  form: { type: 'array', items: { type: 'object' }, description: 'What became of it, when, and by whom.' },
  parse: (raw, key) =>
    listOf(raw, key).map((one, at) => {
      const { at: when, by, event, from, to } = mapIn(one, `${key}[${at}]`);
      if (!Object.hasOwn(transitions, String(event)))
        throw new FieldProblem(key, `${key}[${at}].event is none: ${String(event)}`);
      const user = typeof by === 'number' ? by : 0;
      return { at: String(when ?? ''), by: user, event: event as JobEvent, from: knownStatus(from), to: knownStatus(to) };
    }),
  print: (all) => all,
};

function readPart(raw: unknown, key: string): JobPart {
  const { id, format = 'plain', text, units } = mapIn(raw, key);
  const known = textFormats.find((one) => one === format);
  if (typeof id !== 'string' || id === '') throw new FieldProblem(key, `${key}.id must be a text`);
  if (known === undefined) throw new FieldProblem(key, `${key}.format is none: ${String(format)}`);
  const whole = textOf(text);
  const read = listOf(units ?? [], `${key}.units`).map((one, at) => readUnit(one, `${key}.units[${at}]`));
  let end = 0;
  for (const { id: name, at } of read) {
    if (at[0] < end || at[1] < at[0] || at[1] > whole.length)
      throw new FieldProblem(key, `${key}: the range of ${name} is not one of its text`);
    end = at[1];
  }
  return { id, format: known, text: whole, units: read };
}

function readUnit(raw: unknown, key: string): JobUnit {
  const { id, at, kind, label, target, state = '' } = mapIn(raw, key);
  const [from, to] = Array.isArray(at) ? (at as readonly unknown[]) : [];
  const known = unitStates.find((one) => one === state);
  if (
    (typeof id !== 'string' && typeof id !== 'number') ||
    typeof from !== 'number' ||
    typeof to !== 'number' ||
    known === undefined
  )
    throw new FieldProblem(key, `${key} must have an id, a range "at" and a known state`);
  const translated = target === undefined || target === null ? null : textOf(target);
  return {
    id: String(id),
    at: [from, to],
    kind: kind === 'attribute' || kind === 'value' || kind === 'markup' ? kind : 'text',
    label: typeof label === 'string' ? label : '',
    target: translated,
    state: known,
  };
}

function printUnit({ id, at, kind, label, target, state }: JobUnit): Record<string, unknown> {
  return {
    id,
    at: [...at],
    ...(kind === 'text' ? {} : { kind }),
    ...(label === '' ? {} : { label }),
    ...(target === null ? {} : { target: printText(target) }),
    ...(state === '' ? {} : { state }),
  };
}

/** A text of several lines is a list of them: files are read at each start, and lists in a tenth of the time of block texts. */
function printText(text: string): string | readonly string[] {
  return text.includes('\n') ? text.split('\n') : text;
}

function textOf(raw: unknown): string {
  if (Array.isArray(raw)) return raw.map(textOf).join('\n');
  return raw === undefined || raw === null ? '' : String(raw);
}

function listOf(raw: unknown, key: string): readonly unknown[] {
  if (raw === null) return [];
  if (Array.isArray(raw)) return raw;
  throw new FieldProblem(key, `${key} must be a list`);
}

function mapIn(raw: unknown, key: string): Readonly<Record<string, unknown>> {
  if (isMap(raw)) return raw;
  throw new FieldProblem(key, `${key} must be a map`);
}
