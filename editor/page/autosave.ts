/** What is written and not saved, kept on the server: for the preview, and for whoever goes on at another machine. */
import { ask } from './api.ts';
import type { Item, Text } from './records.ts';
import type { Values } from './changes.ts';

const texts = ['title', 'content', 'excerpt'] as const;

interface Autosave {
  readonly parent: number;
  readonly author: number;
  readonly modified_gmt: string;
  readonly preview_link?: string;
  readonly title?: Text;
  readonly content?: Text;
  readonly excerpt?: Text;
}

export interface Autosaved {
  readonly preview: string;
  /** One's own draft is the file itself. */
  readonly isInPlace: boolean;
}

/** Whether there is anything of it that an autosave keeps. */
export function hasTexts(changes: Values): boolean {
  return texts.some((name) => name in changes);
}

/** @throws ApiError: 412 where somebody else has changed one's own draft */
export async function autosave(self: string, values: Values, headers: Readonly<Record<string, string>>): Promise<Autosaved> {
  const body = Object.fromEntries(texts.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
  const { data } = await ask<Autosave>(`${self}/autosaves`, { method: 'POST', query: { context: 'edit' }, body, headers });
  return { preview: data.preview_link ?? '', isInPlace: data.parent === 0 };
}

/** What somebody has kept and not saved, elsewhere; null for nothing newer than the item. */
export async function autosaveOf(
  self: string,
  item: Item,
  values: Values,
  person: number,
): Promise<{ values: Values; at: number } | null> {
  const { data } = await ask<readonly Autosave[]>(`${self}/autosaves`, { query: { context: 'edit' } });
  const own = data.find(({ author, modified_gmt }) => author === person && modified_gmt > item.modified_gmt);
  if (!own) return null;
  const kept = texts.flatMap((name) => (name in values && own[name] ? [[name, own[name]?.raw ?? '']] : []));
  return { values: { ...values, ...Object.fromEntries(kept) }, at: Date.parse(`${own.modified_gmt}Z`) };
}
