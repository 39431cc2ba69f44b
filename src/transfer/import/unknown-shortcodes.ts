/**
 * Shortcodes in imported texts that nobody shows here: `[contact-form id="1"]`. They stay as text; the report names each with how often
 * it was met and the first files that have it.
 */
import { shortcodes } from '../../render/shortcodes.ts';
import type { Place } from './items.ts';
import type { ImportLog } from './report.ts';

export interface UnknownShortcodes {
  /** @param file  of the content folder */
  look(text: string, markup: 'html' | 'md', file: string, place: Place): void;
  report(to: ImportLog): void;
}

interface Met {
  count: number;
  readonly files: Set<string>;
  readonly place: Place;
}

const shownFiles = 5;
/** Names that are told apart; a text that is full of brackets has none. */
const mostNames = 500;
const known: ReadonlySet<string> = new Set([...shortcodes, 'sic']);
const shortcode = /(\[?)\[([a-z][\w-]{2,60})((?:\s[^[\]\n]{0,2000})?)\](?![(:])/gi;
const hasValues = /\s[\w-]+\s*=\s*\S/;

export function createUnknownShortcodes(): UnknownShortcodes {
  const met = new Map<string, Met>();
  return {
    look(text, markup, file, place) {
      if (!text.includes('[')) return;
      for (const [, before, name = '', attributes = ''] of outsideCode(text).matchAll(shortcode)) {
        // Markdown has brackets of its own, and a word or two in brackets may be just that.
        const isOne =
          hasValues.test(attributes) || (markup === 'html' && /^[\s/]*$/.test(attributes) && /^[a-z\d_-]+$/.test(name));
        if (before !== '' || known.has(name.toLowerCase()) || !isOne) continue;
        const one = met.get(name);
        if (one) {
          one.count++;
          if (one.files.size < shownFiles) one.files.add(file);
        } else if (met.size < mostNames) met.set(name, { count: 1, files: new Set([file]), place });
      }
    },
    report(to) {
      for (const [name, { count, files, place }] of [...met].sort((a, b) => b[1].count - a[1].count)) {
        const message = `kept as text, ${count === 1 ? 'once' : `${count} times`}: ${[...files].join(', ')}`;
        to.remark({ severity: 'note', rule: 'unknown-shortcode', message, what: `shortcode [${name}]`, place });
      }
    },
  };
}

/** Cost: linear. One pattern for both ends would look for the same end from every beginning, where there is none. */
function outsideCode(text: string): string {
  const opening = /<(pre|code|script|style)\b|<!--|`(?:``)?/gi;
  const without = new Set<string>();
  let out = '';
  let at = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const kind = (found[1] ?? found[0]).toLowerCase();
    let end = kind === '`' || without.has(kind) ? -1 : endOf(kind, text, opening.lastIndex);
    if (end === -1) without.add(kind);
    // Three that nothing closes are two with nothing in them, and one.
    if (end === -1 && kind.startsWith('`')) end = endInLine(text, found.index + 1);
    if (end === -1) continue;
    out += text.slice(at, found.index);
    at = end;
    opening.lastIndex = end;
  }
  return out + text.slice(at);
}

/** Index behind the end of code or a comment; -1 when it has none. @param from  behind the sign that begins it */
function endOf(kind: string, text: string, from: number): number {
  const close = kind === '<!--' ? /-->/g : kind === '```' ? /```/g : new RegExp(`</${kind}>`, 'gi');
  close.lastIndex = /^[<`]/.test(kind) ? from : text.indexOf('>', from) + 1;
  return close.lastIndex > 0 && close.test(text) ? close.lastIndex : -1;
}

function endInLine(text: string, from: number): number {
  const close = text.indexOf('`', from);
  return close === -1 || text.slice(from, close).includes('\n') ? -1 : close + 1;
}
