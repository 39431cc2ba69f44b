/**
 * The JSON of an answer, also where a program of the source has put a notice of its own in front of it or behind it, as misconfigured
 * servers do.
 */

interface ParsedAnswer {
  /** Undefined: there is no JSON. */
  readonly value: unknown;
  /** Text around it was skipped. */
  readonly hasNotice: boolean;
}

/** Characters in which the answer has to begin, and places that are tried. */
const maxNotice = 64 * 1024;
const maxTries = 40;
/** A page is no answer, whatever stands in its scripts. */
const page = /<(?:!doctype|html|head|body|script|style)[\s>]/i;

export function parseAnswer(text: string): ParsedAnswer {
  const plain = text.replace(/^\ufeff/, '');
  const whole = parsed(plain);
  if (whole !== undefined) return { value: whole, hasNotice: false };
  let tries = 0;
  for (const { 0: opening, index } of plain.slice(0, maxNotice).matchAll(/[[{]/g)) {
    if (++tries > maxTries || page.test(plain.slice(0, index))) break;
    const end = plain.lastIndexOf(opening === '[' ? ']' : '}') + 1;
    const value = end > index && plain.length - end <= maxNotice ? parsed(plain.slice(index, end)) : undefined;
    if (value !== undefined && typeof value === 'object' && !page.test(plain.slice(end))) return { value, hasNotice: true };
  }
  return { value: undefined, hasNotice: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
