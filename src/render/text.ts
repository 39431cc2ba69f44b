/**
 * Text and markup, the small conversions: tags out, entities in and out. Linear in the length of the text, never throws.
 */
import { dropElements, stripTags } from '../kernel/model/tags.ts';

/**
 * Named entities of HTML 4 and `apos`, the ones the reference knows: runs of names from a code point on.
 * A number starts a run; `-` skips a code point.
 */
const entityRuns = `
160 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute
Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute
THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde
ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
34 quot 38 amp apos 60 lt 62 gt 338 OElig oelig 352 Scaron scaron 376 Yuml 402 fnof 710 circ 732 tilde
913 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi
Omega 945 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon
phi chi psi omega 977 thetasym upsih 982 piv 8194 ensp emsp 8201 thinsp 8204 zwnj zwj lrm rlm 8211 ndash mdash
8216 lsquo rsquo sbquo 8220 ldquo rdquo bdquo 8224 dagger Dagger bull 8230 hellip 8240 permil 8242 prime Prime
8249 lsaquo rsaquo 8254 oline 8260 frasl 8364 euro 8465 image 8472 weierp 8476 real 8482 trade 8501 alefsym
8592 larr uarr rarr darr harr 8629 crarr 8656 lArr uArr rArr dArr hArr 8704 forall 8706 part exist 8709 empty 8711 nabla
isin notin 8715 ni 8719 prod 8721 sum minus 8727 lowast 8730 radic 8733 prop infin 8736 ang 8743 and or cap cup int
8756 there4 8764 sim 8773 cong 8776 asymp 8800 ne equiv 8804 le ge 8834 sub sup nsub 8838 sube supe 8853 oplus
8855 otimes 8869 perp 8901 sdot 8968 lceil rceil lfloor rfloor 10216 lang rang 9674 loz 9824 spades 9827 clubs
9829 hearts diams`;

/** Entity name → character. */
export const namedEntities: ReadonlyMap<string, string> = readRuns(entityRuns);

/** Text without tags, and without the contents of script and style elements; outer white space trimmed. */
export function plainText(html: string): string {
  return trimSpace(stripTags(dropElements(html, ['script', 'style'])));
}

/** Numeric references and the named entities of HTML 4 as characters; what is neither stays. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return namedEntities.get(name) ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : all;
  });
}

/** Whether a code point may stand in a document: no controls but tab and line ends, no surrogates, no U+FFFE/F. */
export function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

/** Text without what is between `<` and the next `>`, wherever they stand. */
export function withoutTags(html: string): string {
  return withoutParts(html, '<', '>');
}

/** Text with `instead` for each part from `begin` to the next `end`; a part that has no end stays. Cost: linear. */
export function withoutParts(text: string, begin: string, end: string, instead = ''): string {
  let out = '';
  let at = 0;
  for (let open = text.indexOf(begin); open !== -1; open = text.indexOf(begin, at)) {
    const close = text.indexOf(end, open + begin.length);
    if (close === -1) break;
    out += text.slice(at, open) + instead;
    at = close + end.length;
  }
  return out + text.slice(at);
}

/** Text without white space and NUL at its ends; no-break spaces and the like stay, as in the reference's language. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t\n\r\0\v'.includes(text[start] as string)) start++;
  while (end > start && ' \t\n\r\0\v'.includes(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

function readRuns(runs: string): Map<string, string> {
  const map = new Map<string, string>();
  let code = 0;
  for (const word of runs.trim().split(/\s+/)) {
    if (/^\d/.test(word)) {
      code = Number(word);
      continue;
    }
    if (word !== '-') map.set(word, String.fromCodePoint(code));
    code++;
  }
  return map;
}
