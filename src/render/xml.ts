/**
 * Writing XML 1.0: escaping, CDATA sections, elements as text. Streams are the business of who calls.
 *
 * Characters that XML cannot hold (most controls, lone surrogates, U+FFFE and U+FFFF) are left out and counted.
 */
import { table } from '../kernel/model/maps.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface Xml {
  /** Character data, fit for content and for attribute values in double quotes. */
  text(text: string): string;
  /** One or more CDATA sections; what they cannot hold (`]]>`, carriage returns) is kept by splitting them. */
  cdata(text: string): string;
  /** An element around markup that is ready; none: an empty element. Attributes that are undefined are left out. */
  element(name: string, content?: string, attributes?: Attributes): string;
}

/** @param dropped  called with the number of characters left out of one text */
export function createXml(dropped: (count: number) => void = () => {}): Xml {
  const clean = (text: string): string => {
    if (!unholdable.test(text)) return text;
    let count = 0;
    const kept = text.replace(unholdables, () => {
      count++;
      return '';
    });
    dropped(count);
    return kept;
  };
  const text = (raw: string): string => clean(raw).replace(/[&<>"\r]/g, (char) => escapes[char] as string);
  return {
    text,
    cdata: (raw) => `<![CDATA[${clean(raw).replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`,
    element(name, content, attributes = {}) {
      const start = Object.entries(attributes).reduce(
        (tag, [key, value]) => (value === undefined ? tag : `${tag} ${key}="${attribute(text(String(value)))}"`),
        `<${name}`,
      );
      return content === undefined ? `${start}/>` : `${start}>${content}</${name}>`;
    },
  };
}

const escapes: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' });

/** White space in an attribute is read as blanks unless it is a reference. */
function attribute(text: string): string {
  return text.replace(/[\t\n]/g, (char) => (char === '\t' ? '&#9;' : '&#10;'));
}

const unholdable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const unholdables = new RegExp(unholdable.source, 'gu');
