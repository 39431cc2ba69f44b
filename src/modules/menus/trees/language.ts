/**
 * Languages of menu items. An item with a language is only for that one; others are shown in all languages and link to the translation of their
 * target.
 */
import { text } from '../../../kernel/model/field.ts';
import type { Extension } from '../../../kernel/module.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { languageOf } from '../../languages/record.ts';
import { isReachable, targetId } from '../index.ts';
import type { MenuItemRecord, MenuRecord } from '../record.ts';

interface InLanguage extends MenuItemRecord {
  /** '' for every language. */
  readonly lang: string;
}

/** An item created by a client has the language of the request (recorded). */
export const itemLanguage: Extension = {
  fields: {
    _lang: {
      file: {
        key: 'lang',
        form: { type: 'string', description: 'Code of the only language in which the item is shown.' },
        read(raw: unknown, draft: { lang: string }) {
          draft.lang = raw === undefined ? '' : text.parse(raw, 'lang');
        },
        print: ({ lang }: InLanguage) => lang || undefined,
      },
    },
  },
  prepareWrite(write, call, before) {
    const code = languageIn(call);
    if (before !== undefined || code === null || call.site.languages.codes.length < 2) return write;
    return { ...write, input: { ...write.input, lang: code } };
  },
};

/** A menu, or its counterpart in the call's language: `main.de.yaml` next to `main.yaml`. */
export function menuIn(call: Call, menu: MenuRecord): MenuRecord {
  const code = languageIn(call);
  const other = code === null ? 0 : call.site.translations.idIn('terms', menu.id, code);
  return other === 0 ? menu : (call.site.terms.get(other) as MenuRecord);
}

/** Menus in the call's language: of a translated menu the one in that language, else the original. */
export function menusIn(call: Call, menus: readonly MenuRecord[]): readonly MenuRecord[] {
  if (languageIn(call) === null) return menus;
  const { translations } = call.site;
  return menus.filter((menu) => menuIn(call, translations.original(menu as never) as unknown as MenuRecord).id === menu.id);
}

export function itemsIn(call: Call, items: readonly MenuItemRecord[]): readonly MenuItemRecord[] {
  const code = languageIn(call);
  if (code === null) return items;
  return items
    .filter((item) => [code, '', undefined].includes((item as Partial<InLanguage>).lang))
    .map((item) => translated(call, item, code));
}

/** With the readable translation of its target, if there is one. */
function translated({ site, user }: Call, item: MenuItemRecord, code: string): MenuItemRecord {
  const table = item.itemType === 'post_type' ? 'posts' : item.itemType === 'taxonomy' ? 'terms' : null;
  const id = table === null ? 0 : targetId(site, item);
  const other = table === null || id === 0 ? 0 : site.translations.idIn(table, id, code);
  if (other === 0 || other === id) return item;
  const same = { ...item, ref: other };
  return isReachable(site, user, same) ? same : item;
}

/** The language code of a call; null on a site without languages. */
function languageIn(call: Call): string | null {
  return (call.site as Partial<Site>).languages === undefined ? null : languageOf(call);
}
