/**
 * Keys of the records of an export: their ids, and for those whose id came before, the id and which time it is. The same item
 * once more is told from another one that has its id.
 */
import { hash } from '../../../kernel/store/bytes.ts';
import type { Element } from './tree.ts';

type Kind = 'post' | 'menu-link' | 'comment';

export interface Keys {
  /** @param name  its id, or what else it is known by @returns null when the same came before */
  of(kind: Kind, name: string, element: Element): string | null;
}

/** Texts that one of the passes does not read, and records that have keys of their own. */
const without: ReadonlySet<string> = new Set(['content:encoded', 'wp:comment_content', 'wp:comment']);

export function createKeys(): Keys {
  /** Digests of what has a name, in order. */
  const met = new Map<string, string[]>();
  return {
    of(kind, name, element) {
      const digest = digestOf(element);
      const others = met.get(`${kind} ${name}`);
      if (others === undefined) {
        met.set(`${kind} ${name}`, [digest]);
        return name;
      }
      if (others.includes(digest)) return null;
      others.push(digest);
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
