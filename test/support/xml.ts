/** XML as an independent parser reads it. */
import { SaxesParser, type SaxesTagNS } from 'saxes';

export interface XmlElement {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Character data of it and all that is in it. */
  readonly text: string;
}

/** The root of a document. @throws when it is not well-formed, or a prefix is not bound */
export function readXml(document: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  type Open = { name: string; attributes: Record<string, string>; children: Open[]; text: string };
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagNS) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const);
    const element: Open = { name, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const take = (text: string): void => {
    for (const element of open) element.text += text;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => void open.pop());
  parser.write(document).close();
  return root.children[0] as XmlElement;
}

/** Elements of a name, anywhere below. */
export function all(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

/** Their texts. */
export function texts(element: XmlElement, name: string): readonly string[] {
  return all(element, name).map(({ text }) => text);
}
