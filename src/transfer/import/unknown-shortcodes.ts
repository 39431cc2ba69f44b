/**
 * Shortcodes in imported texts that nobody shows here: `[contact-form id="1"]`. They stay as text; the report names each with how often
 * it was met and the first files that have it.
 */
import { shortcodes } from '../../render/shortcodes.ts';
import type { Place } from './items.ts';
import type { Report } from './report.ts';

export interface UnknownShortcodes {
  /** @param file  of the content folder */
  look(text: string, markup: 'html' | 'md', file: string, place: Place): void;
  report(to: Report): void;
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

function outsideCode(text: string): string {
  return text.replace(/<(pre|code|script|style)\b[^>]*>[\s\S]*?<\/\1>|<!--[\s\S]*?-->|```[\s\S]*?```|`[^`\n]*`/gi, '');
}
