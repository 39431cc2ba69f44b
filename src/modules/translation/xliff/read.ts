/**
 * XLIFF as it comes back. Nothing outside of the document is looked at: no DTD, no entity but XML's own; length and depth are bounded.
 */
import { table } from '../../../kernel/model/maps.ts';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import type { CodePiece, TargetPiece } from '../units/record.ts';
import {
  namespaces,
  type ReadUnit,
  type ReadXliff,
  XliffError,
  type XliffPosition,
  type XliffState,
  type XliffVersion,
} from './record.ts';

const maxDepth = 100;
const maxUnits = 100_000;
/** Their contents say what a code was in the file it came from. */
const native = new Set(['bpt', 'ept', 'it', 'ph']);
const codes: Readonly<Record<string, CodePiece['kind']>> = table({
  ...{ bpt: 'open', bx: 'open', sc: 'open', g: 'open', pc: 'open' },
  ...{ ept: 'close', ex: 'close', ec: 'close' },
  ...{ ph: 'alone', x: 'alone', it: 'alone' },
});
const unfinished12 = new Set(['new', 'needs-translation', 'needs-l10n', 'needs-adaptation']);

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface OpenUnit {
  readonly id: string;
  readonly approved: boolean;
  source: string;
  /** Undefined: no target has been seen. */
  target?: TargetPiece[];
  /** Segments that have no target though they have a source. */
  bare: number;
  states: XliffState[];
  readonly strangers: string[];
  readonly position: XliffPosition;
}

interface Reading {
  readonly stack: (Element | null)[];
  version?: XliffVersion;
  file?: Omit<ReadXliff, 'version' | 'units'>;
  languages: readonly [string, string];
  unit?: OpenUnit;
  /** Where text goes. */
  into: 'source' | 'target' | null;
  /** Elements that are open within a code whose contents say nothing. */
  silent: number;
  segment: { hasTarget: boolean; state: XliffState; text: string };
  readonly units: ReadUnit[];
}

/** @throws XliffError when it is not well-formed, or not one file of XLIFF 1.2 or 2.0 */
export function readXliff(text: string): ReadXliff {
  const reading: Reading = {
    stack: [],
    languages: ['', ''],
    into: null,
    silent: 0,
    segment: { hasTarget: false, state: 'translated', text: '' },
    units: [],
  };
  const parser = new SaxesParser({ xmlns: true, position: true });
  const refuse = (message: string): never => {
    throw new XliffError(message, { line: parser.line, column: parser.column + 1 });
  };
  parser.on('doctype', () => refuse('a DOCTYPE is not accepted'));
  parser.on('error', ({ message }) => refuse(message.replace(/^\d+:\d+: /, '')));
  parser.on('opentag', (tag) => {
    if (reading.stack.length >= maxDepth) refuse(`elements are nested more than ${maxDepth} deep`);
    const fault = open(reading, tag, () => positionOf(text, tag.name, parser));
    if (fault !== null) refuse(fault);
    if (reading.units.length > maxUnits) refuse(`there are more than ${maxUnits} units`);
  });
  parser.on('closetag', () => close(reading));
  parser.on('text', (value) => addText(reading, value));
  parser.on('cdata', (value) => addText(reading, value));
  parser.write(text).close();
  const { version, file, units } = reading;
  if (version === undefined) throw new XliffError('there is no xliff element of version 1.2 or 2.0');
  if (file === undefined) throw new XliffError('there is no file element');
  return { version, ...file, units };
}

const known: ReadonlySet<string> = new Set(Object.values(namespaces));

function elementOf({ local, attributes, uri }: SaxesTagNS): Element | null {
  if (uri !== '' && !known.has(uri)) return null;
  const own: Record<string, string> = {};
  for (const { prefix, local: name, value } of Object.values(attributes as Readonly<Record<string, SaxesAttributeNS>>))
    if (prefix === '' && name !== '__proto__') own[name] = value;
  return { name: local, attributes: own };
}

/** Where the tag begins that has just been read. */
function positionOf(
  text: string,
  name: string,
  { position, line }: { readonly position: number; readonly line: number },
): XliffPosition {
  const start = Math.max(0, text.lastIndexOf(`<${name}`, position));
  const within = text.slice(start, position).match(/\n|\r(?!\n)/g)?.length ?? 0;
  const before = Math.max(text.lastIndexOf('\n', start), text.lastIndexOf('\r', start));
  return { line: line - within, column: start - before };
}

/** @returns what is wrong; null: nothing */
function open(reading: Reading, tag: SaxesTagNS, position: () => XliffPosition): string | null {
  const element = elementOf(tag);
  const parent = reading.stack.at(-1);
  reading.stack.push(element);
  if (reading.silent > 0) {
    reading.silent++;
    return null;
  }
  if (element === null) return strange(reading, tag.name);
  const { name, attributes } = element;
  if (reading.into !== null) return openInline(reading, element);
  if (name === 'xliff' && reading.stack.length === 1) return openRoot(reading, tag, attributes);
  if (name === 'file' && parent?.name === 'xliff') return openFile(reading, attributes);
  if (name === 'trans-unit' || name === 'unit') {
    const id = (name === 'unit' ? attributes.name : attributes.id) ?? attributes.id ?? '';
    const isApproved = attributes.approved === 'yes';
    reading.unit = { id, approved: isApproved, source: '', bare: 0, states: [], strangers: [], position: position() };
  } else if (name === 'segment' || name === 'ignorable')
    reading.segment = { hasTarget: false, state: state20(attributes), text: '' };
  else if (reading.unit && isText(reading, name, parent)) {
    reading.into = name as 'source' | 'target';
    if (name === 'target') {
      reading.unit.target ??= [];
      reading.segment.hasTarget = true;
      if (reading.version === '1.2') reading.segment.state = state12(attributes, reading.unit.approved);
    }
  }
  return null;
}

/** Alternatives and other suggestions of tools have sources and targets as well. */
function isText({ version }: Reading, name: string, parent: Element | null | undefined): boolean {
  if (name !== 'source' && name !== 'target') return false;
  return version === '1.2' ? parent?.name === 'trans-unit' : parent?.name === 'segment' || parent?.name === 'ignorable';
}

function openRoot(
  reading: Reading,
  { uri }: SaxesTagNS,
  { version = '', srcLang = '', trgLang = '' }: Element['attributes'],
): string | null {
  const is2 = uri === namespaces['2.0'] || /^2\./.test(version);
  if (!is2 && !/^1\./.test(version)) return `version ${JSON.stringify(version)} is neither 1.2 nor 2.0`;
  reading.version = is2 ? '2.0' : '1.2';
  reading.languages = [srcLang, trgLang];
  return null;
}

function openFile(reading: Reading, attributes: Element['attributes']): string | null {
  if (reading.file) return 'a document of one job has one file element';
  const { original = '', 'source-language': source, 'target-language': target } = attributes;
  const [srcLang, trgLang] = reading.languages;
  reading.file = { original, sourceLang: source ?? srcLang, targetLang: target ?? trgLang };
  return null;
}

function openInline(reading: Reading, { name, attributes }: Element): null {
  const { unit, into, version } = reading;
  if (name === 'mrk' || name === 'sm' || name === 'em' || name === 'sub') return null;
  if (name === 'cp') {
    addText(reading, String.fromCodePoint(Number.parseInt(attributes.hex ?? '', 16) || 0xfffd));
    return null;
  }
  const kind = codes[name];
  if (kind === undefined || unit === undefined) return strange(reading, name);
  const id = Number((version === '2.0' ? attributes.startRef : attributes.rid) ?? attributes.id);
  if (into === 'target') unit.target?.push({ kind, id });
  if (native.has(name) && version === '1.2') reading.silent = 1;
  return null;
}

function strange({ unit, into }: Reading, name: string): null {
  if (into === 'target') unit?.strangers.push(name);
  return null;
}

function close(reading: Reading): void {
  const element = reading.stack.pop();
  if (reading.silent > 1) {
    reading.silent--;
    return;
  }
  reading.silent = 0;
  if (!element) return;
  const { name, attributes } = element;
  const { unit, into } = reading;
  if (into !== null && (name === 'g' || name === 'pc')) {
    if (into === 'target') unit?.target?.push({ kind: 'close', id: Number(attributes.id) });
    return;
  }
  if (name === into) reading.into = null;
  if (unit && name === 'segment') endSegment(reading, unit);
  if (unit && (name === 'trans-unit' || name === 'unit')) {
    if (name === 'trans-unit') endSegment(reading, unit);
    reading.units.push(unitOf(unit));
    delete reading.unit;
  }
}

function endSegment(reading: Reading, unit: OpenUnit): void {
  const { hasTarget, state, text } = reading.segment;
  if (!hasTarget && unit.source.trim() !== '') unit.bare++;
  if (hasTarget && text.trim() === '' && unit.source.trim() !== '') unit.bare++;
  if (hasTarget) unit.states.push(state);
  reading.segment = { hasTarget: false, state: 'translated', text: '' };
}

/** The least of its segments says how far a unit is. */
const ranks: readonly XliffState[] = ['untranslated', 'fuzzy', 'memory', 'needs-review', 'translated', 'final'];

function unitOf({ id, source, target, bare, states, strangers, position }: OpenUnit): ReadUnit {
  const isThere = target !== undefined && bare === 0;
  const least = Math.min(...states.map((state) => ranks.indexOf(state)), ranks.length - 1);
  return {
    id,
    source,
    target: isThere ? target : null,
    state: isThere ? (ranks[least] as XliffState) : 'untranslated',
    strangers,
    position,
  };
}

function addText(reading: Reading, text: string): void {
  const { unit, into, silent } = reading;
  if (!unit || into === null || silent > 0) return;
  if (into === 'source') unit.source += text;
  else {
    unit.target?.push({ kind: 'text', text });
    reading.segment.text += text;
  }
}

function state12({ state = 'translated', 'state-qualifier': qualifier }: Element['attributes'], isApproved: boolean): XliffState {
  if (unfinished12.has(state)) return 'untranslated';
  if (state.startsWith('needs-review'))
    return qualifier === 'tm-suggestion' ? 'memory' : qualifier === 'leveraged-tm' ? 'fuzzy' : 'needs-review';
  return state === 'signed-off' || state === 'final' || isApproved ? 'final' : 'translated';
}

function state20({ state, subState }: Element['attributes']): XliffState {
  if (subState === 'lang:memory') return 'memory';
  if (subState === 'lang:fuzzy') return 'fuzzy';
  if (subState === 'lang:review') return 'needs-review';
  if (state === 'initial') return 'untranslated';
  return state === 'final' ? 'final' : 'translated';
}
