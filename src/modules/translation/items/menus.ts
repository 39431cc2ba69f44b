/**
 * Menus as what jobs are of: their labels are units, and the translation is a menu of its own beside the original, `main.de.yaml` beside
 * `main.yaml`. Its items say which ones they translate, so that what was added, moved or taken out by hand stays.
 */
import { type Draft, integer } from '../../../kernel/model/field.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import type { Extension } from '../../../kernel/module.ts';
import { writeRecord } from '../../../kernel/site/record-file.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import type { Translated } from '../../languages/record.ts';
import { prepareTranslation } from '../../languages/index.ts';
import type { MenuRecord } from '../../menus/record.ts';
import type { JobPart, SubjectPlan } from '../jobs/record.ts';
import { looseFormat } from './modes.ts';
import type { Actor } from '../../../kernel/model/access.ts';

export type Menu = MenuRecord & Pick<Translated, 'lang' | 'translationOf'>;
type Texts = ReadonlyMap<string, string>;
/** As the file has it. */
type Raw = Readonly<Record<string, unknown>>;

const labels = ['title', 'attr_title', 'description'] as const;

interface Translating {
  readonly id: number;
  readonly translates: number;
}

/** The key `translates` of items. */
export const menuItems: Extension = {
  fields: {
    _translates: {
      file: {
        key: 'translates',
        form: { type: 'integer', description: 'Id of the item of another menu that it is the translation of.' },
        read(raw: unknown, draft: Draft<Translating>) {
          draft.translates = raw === undefined || raw === null ? 0 : integer.parse(raw, 'translates');
        },
        print: ({ translates }: Translating) => translates || undefined,
      },
    },
  },
};

export function isMenu(item: object): item is Menu {
  return (item as Partial<Menu>).taxonomy === 'nav_menu';
}

function below({ items }: Raw): readonly Raw[] {
  return Array.isArray(items) ? items.filter(isMap) : [];
}

function* everyItem(items: readonly Raw[]): Generator<Raw> {
  for (const item of items) {
    yield item;
    yield* everyItem(below(item));
  }
}

/** Items that are shown in some of these languages. */
function itemsOf({ items }: Menu, codes: readonly string[]): readonly Raw[] {
  const keep = (list: readonly Raw[]): readonly Raw[] =>
    list
      .filter(({ lang }) => lang === undefined || lang === '' || codes.includes(lang as string))
      .map((item) => ({ ...item, items: keep(below(item)) }));
  return keep(items);
}

const partOf = (item: Raw, key: string): string => `items/${Number(item.translates ?? item.id ?? 0)}/${key}`;

/** Labels that items have themselves; those of others are the titles of what they lead to. */
export function menuTexts(menu: Menu): readonly Pick<JobPart, 'id' | 'format' | 'text'>[] {
  return [...everyItem(itemsOf(menu, [menu.lang]))].flatMap((item) =>
    labels.flatMap((key) => {
      const text = item[key];
      return typeof text === 'string' ? [{ id: partOf(item, key), format: looseFormat(text), text }] : [];
    }),
  );
}

/** What a translation is out of date after a change of, beside texts: which items there are. */
export function menuShape(menu: Menu): readonly string[] {
  return [...everyItem(itemsOf(menu, [menu.lang]))].map(({ id }) => `item ${Number(id ?? 0)}`);
}

/** The file of a menu in a language: a new one, or the one that there is with the texts of a job. */
export function planMenu(
  site: PlanningSite,
  source: Menu,
  present: Menu | undefined,
  code: string,
  texts: Texts,
  user: Actor,
): SubjectPlan {
  const fields = site.termFields.get('nav_menu') ?? {};
  const named = { name: texts.get('name') ?? source.name, description: texts.get('description') ?? source.description };
  const items = translatedItems(site, source, present, code, texts);
  if (present) return { changes: [writeRecord(site, fields, { ...present, ...named, items }, present)], item: present.id };
  const { input, changes = [], once } = prepareTranslation({ site, user }, source as never, code, named);
  const id = site.nextId('terms');
  const plain = site.refs.marks?.plain(source.path) ?? source.path;
  const place = (mark: string): string => plain.replace(/(?=\.\w+$)/, mark);
  const path = site.store.knows(place(`.${code}`)) ? place(`-${id}.${code}`) : place(`.${code}`);
  const after = { ...source, ...input, id, path, etag: '', items, locations: [], autoAdd: false, aliases: [] };
  return { changes: [writeRecord(site, fields, after), ...changes], item: id, ...(once ? { once } : {}) };
}

interface Node {
  readonly raw: Raw;
  nodes: Node[];
}

/** Items of the translation: those that there are with the new labels, and those that the original has got since, where they belong. */
function translatedItems(
  site: PlanningSite,
  source: Menu,
  present: Menu | undefined,
  code: string,
  texts: Texts,
): readonly Raw[] {
  const wanted = itemsOf(source, [source.lang, code]);
  const originals = new Map([...everyItem(wanted)].map((item) => [Number(item.id), item]));
  const known = new Map<number, Node>();
  const top: Node = { raw: {}, nodes: present ? read(present.items) : [] };
  add(wanted, top);
  return print(top.nodes);

  /** What an original that is gone had below it takes its place. */
  function read(list: readonly Raw[]): Node[] {
    return list.flatMap((raw) => {
      const nodes = read(below(raw));
      const id = Number(raw.translates ?? 0);
      if (id > 0 && !originals.has(id)) return nodes;
      const original = originals.get(id);
      const node: Node = { raw: original ? labelled(raw, original) : raw, nodes };
      if (original) known.set(id, node);
      return [node];
    });
  }

  function add(list: readonly Raw[], holder: Node): void {
    let before: Node | undefined;
    for (const original of list) {
      const id = Number(original.id);
      let node = known.get(id);
      if (node === undefined) {
        const { id: _, items: __, parent: ___, order: ____, lang: _____, ...own } = original;
        node = { raw: labelled({ ...own, id: site.nextId('posts'), translates: id }, original), nodes: [] };
        known.set(id, node);
        const at = before === undefined ? 0 : holder.nodes.indexOf(before) + 1;
        // If the item before it was moved, it comes last.
        holder.nodes.splice(before !== undefined && at === 0 ? holder.nodes.length : at, 0, node);
      }
      before = node;
      add(below(original), node);
    }
  }

  function labelled(raw: Raw, original: Raw): Raw {
    // Items of the language have their own labels.
    if (original.lang === code) return raw;
    const own = labels.flatMap((key) =>
      typeof original[key] === 'string' ? [[key, texts.get(partOf({ id: original.id }, key)) ?? original[key]] as const] : [],
    );
    return { ...raw, ...Object.fromEntries(own) };
  }
}

function print(nodes: readonly Node[]): readonly Raw[] {
  return nodes.map(({ raw: { items: _, ...raw }, nodes: inner }) => ({
    ...raw,
    ...(inner.length === 0 ? {} : { items: print(inner) }),
  }));
}
