/**
 * XLIFF as text. Line ends and characters that readers change are written as references or codes, so that what comes back is what went
 * out.
 */
import { table } from '../../../kernel/model/maps.ts';
import { isCharacter } from '../../../render/text.ts';
import type { CodePiece, Piece, TargetPiece } from '../units/record.ts';
import { namespaces, type XliffFile, type XliffState, type XliffUnit, type XliffVersion } from './record.ts';

export function writeXliff(file: XliffFile, version: XliffVersion): string {
  const lines = version === '1.2' ? lines12(file) : lines20(file);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`;
}

/** A reader gives a CR of the text back as LF, unless it is a reference. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

function attribute(value: string): string {
  return escapeXml(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** A character that no document may hold; '' for every other code. */
function hexOf(raw: string): string {
  const code = raw.codePointAt(0) as number;
  const isOne = raw.length === String.fromCodePoint(code).length;
  return isOne && !isCharacter(code) ? code.toString(16).toUpperCase().padStart(4, '0') : '';
}

function lines12({ original, sourceLang, targetLang, kind, href, units }: XliffFile): readonly string[] {
  const reference = href === '' ? [] : [`   <reference><external-file href="${attribute(href)}"/></reference>`];
  return [
    `<xliff version="1.2" xmlns="${namespaces['1.2']}">`,
    ` <file original="${attribute(original)}" source-language="${attribute(sourceLang)}" target-language="${attribute(targetLang)}" datatype="plaintext">`,
    '  <header>',
    `   <phase-group><phase phase-name="post_type" process-name="post_type"><note>${escapeXml(kind)}</note></phase></phase-group>`,
    ...reference,
    '  </header>',
    '  <body>',
    ...units.flatMap(unit12),
    '  </body>',
    ' </file>',
    '</xliff>',
  ];
}

const states12: Readonly<Record<XliffState, string>> = table({
  untranslated: 'state="needs-translation"',
  memory: 'state="needs-review-translation" state-qualifier="tm-suggestion"',
  fuzzy: 'state="needs-review-translation" state-qualifier="leveraged-tm"',
  translated: 'state="translated"',
  'needs-review': 'state="needs-review-translation"',
  final: 'state="signed-off"',
});

function unit12({ id, datatype, note, source, target, state }: XliffUnit): readonly string[] {
  const codes = codesOf(source);
  const name = attribute(id);
  const approved = state === 'final' ? ' approved="yes"' : '';
  return [
    `   <trans-unit id="${name}" resname="${name}" restype="string" datatype="${datatype}"${approved} xml:space="preserve">`,
    `    <source>${inline12(source, codes)}</source>`,
    ...(target === null ? [] : [`    <target ${states12[state]}>${inline12(target, codes)}</target>`]),
    ...(note === '' ? [] : [`    <note>${escapeXml(note)}</note>`]),
    '   </trans-unit>',
  ];
}

type Codes = ReadonlyMap<string, CodePiece>;

function codesOf(source: readonly Piece[]): Codes {
  return new Map(source.flatMap((piece) => (piece.kind === 'text' ? [] : [[`${piece.kind} ${piece.id}`, piece]])));
}

const elements12 = table({ open: 'bpt', close: 'ept', alone: 'ph' } as const);

function inline12(pieces: readonly (Piece | TargetPiece)[], codes: Codes): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'text') return escapeXml(piece.text);
      const raw = codes.get(`${piece.kind} ${piece.id}`)?.raw ?? '';
      const hex = hexOf(raw);
      if (hex !== '') return `<x id="${piece.id}" ctype="x-char" equiv-text="${hex}"/>`;
      return `<${elements12[piece.kind]} id="${piece.id}">${escapeXml(raw)}</${elements12[piece.kind]}>`;
    })
    .join('');
}

const states20: Readonly<Record<XliffState, string>> = table({
  untranslated: 'state="initial"',
  memory: 'state="translated" subState="lang:memory"',
  fuzzy: 'state="initial" subState="lang:fuzzy"',
  translated: 'state="translated"',
  'needs-review': 'state="translated" subState="lang:review"',
  final: 'state="final"',
});

function lines20({ original, sourceLang, targetLang, kind, href, units }: XliffFile): readonly string[] {
  const notes = [`   <note category="post_type">${escapeXml(kind)}</note>`];
  if (href !== '') notes.push(`   <note category="reference">${escapeXml(href)}</note>`);
  return [
    `<xliff version="2.0" xmlns="${namespaces['2.0']}" srcLang="${attribute(sourceLang)}" trgLang="${attribute(targetLang)}">`,
    ` <file id="f1" original="${attribute(original)}" canResegment="no">`,
    '  <notes>',
    ...notes,
    '  </notes>',
    ...units.flatMap((unit, at) => unit20(unit, at + 1)),
    ' </file>',
    '</xliff>',
  ];
}

function unit20({ id, note, source, target, state }: XliffUnit, number: number): readonly string[] {
  const codes = [...codesOf(source).values()];
  const data = new Map(codes.flatMap((code, at) => (hexOf(code.raw) === '' ? [[`${code.kind} ${code.id}`, `d${at + 1}`]] : [])));
  const rows = codes.flatMap((code) => {
    const name = data.get(`${code.kind} ${code.id}`);
    return name === undefined ? [] : [`    <data id="${name}" xml:space="preserve">${escapeXml(code.raw)}</data>`];
  });
  return [
    `  <unit id="u${number}" name="${attribute(id)}" xml:space="preserve">`,
    ...(note === '' ? [] : [`   <notes><note>${escapeXml(note)}</note></notes>`]),
    ...(rows.length === 0 ? [] : ['   <originalData>', ...rows, '   </originalData>']),
    `   <segment ${states20[state]}>`,
    `    <source xml:space="preserve">${inline20(source, data, codesOf(source))}</source>`,
    ...(target === null ? [] : [`    <target xml:space="preserve">${inline20(target, data, codesOf(source))}</target>`]),
    '   </segment>',
    '  </unit>',
  ];
}

function inline20(pieces: readonly (Piece | TargetPiece)[], data: ReadonlyMap<string, string>, codes: Codes): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'text') return escapeXml(piece.text);
      const { kind, id } = piece;
      if (kind === 'close') return '</pc>';
      if (kind === 'open')
        return `<pc id="${id}" dataRefStart="${data.get(`open ${id}`)}" dataRefEnd="${data.get(`close ${id}`)}">`;
      const name = data.get(`alone ${id}`);
      if (name !== undefined) return `<ph id="${id}" dataRef="${name}"/>`;
      return `<ph id="${id}" equiv="U+${hexOf(codes.get(`alone ${id}`)?.raw ?? '')}"/>`;
    })
    .join('');
}
