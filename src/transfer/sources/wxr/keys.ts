/**
 * Keys of the records of an export: their ids, and for those whose id came before, the id and which time it is. The same item
 * once more is told from another one that has its id; in another file of the same site, where it may have changed, by its guid.
 */
import { hash } from '../../../kernel/store/bytes.ts';
import { wordOf } from './element.ts';
import type { Element } from './tree.ts';

type Kind = 'post' | 'menu-link' | 'comment';

export interface WxrKeys {
  /** @param name  its id, or what else it is known by @returns null when the same came before */
  of(kind: Kind, name: string, element: Element, file: string): string | null;
}

/** Texts that one of the passes does not read, and records that have keys of their own. */
const without: ReadonlySet<string> = new Set(['content:encoded', 'wp:comment_content', 'wp:comment']);

export function createKeys(): WxrKeys {
  /** What has a name, in order. */
  const met = new Map<string, { readonly digest: string; readonly guid: string; readonly file: string }[]>();
  return {
    of(kind, name, element, file) {
      const one = { digest: digestOf(element), guid: wordOf(element, 'guid'), file };
      const others = met.get(`${kind} ${name}`);
      if (others === undefined) {
        met.set(`${kind} ${name}`, [one]);
        return name;
      }
      const isSame = (other: typeof one): boolean => other.file !== file && other.guid !== '' && other.guid === one.guid;
      if (others.some((other) => other.digest === one.digest || isSame(other))) return null;
      others.push(one);
      return `${name} again ${others.length}`;
    },
  };
}

function digestOf(element: Element): string {
  return hash(Buffer.from(JSON.stringify(shapeOf(element)))).slice(0, 16);
}

/** What a record says, wherever in the file it stands. */
function shapeOf({ name, attributes, text, children }: Element): unknown {
  return [name, attributes, text.trim(), children.filter((child) => !without.has(child.name)).map(shapeOf)];
}
