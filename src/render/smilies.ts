/**
 * Smilies: `:)` and its kin, standing alone between spaces, as emoji. Not in code, preformatted text, scripts, styles and
 * text areas. Source: observed behaviour of the reference (6.9).
 */
import { changeText } from './html-tokenizer.ts';

const faces = table(`
🙂 :) :-) :smile:    🙁 :( :-( :sad:     😉 ;) ;-) :wink:    😀 :D :-D :grin:    😛 :P :-P :razz:    😮 :o :-o :eek:
😕 :? :-? :???:      😡 :x :-x :mad:     😐 :| :-| :neutral: 😎 8-) :cool:       😯 8O 8-O :shock:   😳 :oops:
😥 :cry:             😆 :lol:            👿 :evil:           😈 :twisted:        🙄 :roll:           ❗ :!:
❓ :?:               💡 :idea:           ➡ :arrow:`);

const space = '[\\r\\n\\t \\u00a0]|&nbsp;';
const face = new RegExp(`(?<=${space}|^)(?:${[...faces.keys()].map(escapePattern).join('|')})(?=${space}|$)`, 'gm');

const verbatim = /^(?:code|pre|style|script|textarea)$/;

/** Markup with smilies as emoji. Cost: linear. */
export function smilies(markup: string): string {
  return changeText(markup, verbatim, (text) => text.replace(face, (found) => faces.get(found) as string));
}

function table(rows: string): Map<string, string> {
  const map = new Map<string, string>();
  let emoji = '';
  for (const word of rows.trim().split(/\s+/)) {
    if (/^\P{ASCII}/u.test(word)) emoji = word;
    else map.set(word, emoji);
  }
  return map;
}

function escapePattern(text: string): string {
  return text.replace(/[().*?|]/g, '\\$&');
}
