/**
 * Types and taxonomies of a source that the site does not know: what `site.yaml` has to say of them, under names and folders
 * that are valid and free. Whatever the items use is declared, so that files keep it.
 */
import { declaredBy } from '../../modules/types/declarations.ts';
import { declare, type Declarations } from '../../validate/declarations.ts';
import { fileKeys } from '../../kernel/model/field.ts';
import { contentFolders, isReservedKind, itemNames, routeBases } from '../../modules/types/reserved-names.ts';
import { standardTaxonomies } from '../../modules/types/taxonomies.ts';
import { standardTypes } from '../../modules/types/types.ts';
import type { Entry } from '../../kernel/store/types.ts';
import { mapOf } from '../../kernel/model/maps.ts';
import type { DeclarationItem } from './items.ts';
import type { ImportLog } from './report.ts';
import { labelOf, type SourceScan, type TypeUsage } from './source-scan.ts';

export interface Naming {
  /** Name in the source → name on the site; null: the site has no place for it. */
  readonly types: ReadonlyMap<string, string | null>;
  readonly taxonomies: ReadonlyMap<string, string | null>;
  /** The declarations of the site with those that are added. */
  readonly model: Declarations;
  /** Keys of `site.yaml` that change: `types`, `taxonomies`; nothing when nothing is added. */
  readonly data: Readonly<Record<string, unknown>>;
}

type Row = Record<string, unknown>;

/** Types that are parts of something else, or former states: they come with what they belong to, or not at all. */
const never = new Set(['revision', 'nav_menu_item']);
const standardSupports = ['title', 'editor', 'author', 'excerpt', 'revisions', 'custom-fields'];

/**
 * @param site  `site.yaml` as it is
 * @param known  the declarations it makes
 */
export function nameKinds(sourceScan: SourceScan, site: Entry | undefined, known: Declarations, report: ImportLog): Naming {
  const said = new Map(sourceScan.declarations.map((item) => [`${item.kind} ${item.name}`, item]));
  const types = new Map<string, string | null>();
  const taxonomies = new Map<string, string | null>();
  const newTypes: Record<string, Row> = {};
  const newTaxonomies: Record<string, Row> = {};
  const bases = new Set([
    ...routeBases,
    ...contentFolders,
    ...known.types.flatMap((type) => [type.folder, type.restBase, type.name]),
  ]);
  for (const taxonomy of known.taxonomies) bases.add(taxonomy.restBase);
  const keys = new Set([...itemNames, ...[...known.postFields.values()].flatMap((fields) => fileKeys(fields))]);

  /** The name a kind gets here: its own as far as that can be, and the same in every run. */
  const nameFor = (name: string, length: number, given: ReadonlySet<string>, isBuiltIn: (name: string) => boolean): string => {
    const valid = validName(name, length);
    return valid === name && !isBuiltIn(name) ? name : free(valid, (wanted) => isBuiltIn(wanted) || given.has(wanted), length);
  };
  const typeNames = new Set<string>();
  for (const name of properFirst(sourceScan.typeUsage.keys(), 20)) {
    if (never.has(name)) types.set(name, null);
    else if (standardTypes.some((type) => type.name === name)) types.set(name, name);
    else {
      const valid = nameFor(
        name,
        20,
        typeNames,
        (wanted) => isReservedKind(wanted) || standardTypes.some((type) => type.name === wanted),
      );
      typeNames.add(valid);
      types.set(name, valid);
      if (known.types.some((type) => type.name === valid)) continue;
      newTypes[valid] = typeRow(valid, said.get(`type ${name}`), sourceScan.typeUsage.get(name), bases);
      renamed('type', name, valid);
    }
  }
  const taxonomyNames = new Set<string>();
  for (const name of properFirst(taxonomiesOf(sourceScan, types), 32)) {
    // What a format is stands in the post itself.
    if (name === 'post_format') taxonomies.set(name, null);
    else if (standardTaxonomies.some((taxonomy) => taxonomy.name === name)) taxonomies.set(name, name);
    else {
      const isBuiltIn = (wanted: string): boolean =>
        isReservedKind(wanted) || standardTaxonomies.some((one) => one.name === wanted || one.folder === wanted);
      const valid = nameFor(name, 32, taxonomyNames, isBuiltIn);
      taxonomyNames.add(valid);
      taxonomies.set(name, valid);
      if (known.taxonomies.some((taxonomy) => taxonomy.name === valid)) continue;
      const isTree = sourceScan.terms.some(({ taxonomy, parent }) => taxonomy === name && parent);
      newTaxonomies[valid] = taxonomyRow(valid, said.get(`taxonomy ${name}`), isTree, bases, keys);
      renamed('taxonomy', name, valid);
    }
  }
  for (const [name, { taxonomies: used }] of sourceScan.typeUsage) {
    const type = types.get(name);
    if (!type) continue;
    const wanted = [...used].flatMap((taxonomy) => taxonomies.get(taxonomy) ?? []);
    if (Object.hasOwn(newTypes, type)) (newTypes[type] as Row).taxonomies = union((newTypes[type] as Row).taxonomies, wanted);
    else {
      const declared = known.types.find((one) => one.name === type)?.taxonomies ?? [];
      for (const taxonomy of wanted)
        if (!declared.includes(taxonomy) && newTaxonomies[taxonomy])
          (newTaxonomies[taxonomy] as Row).types = union((newTaxonomies[taxonomy] as Row).types, [type]);
    }
  }
  const data = {
    ...(Object.keys(newTypes).length > 0 ? { types: { ...mapOf(site?.data.types), ...newTypes } } : {}),
    ...(Object.keys(newTaxonomies).length > 0 ? { taxonomies: { ...mapOf(site?.data.taxonomies), ...newTaxonomies } } : {}),
  };
  if (Object.keys(data).length === 0) return { types, taxonomies, model: known, data };
  const entry = { ...(site ?? blank), data: { ...site?.data, ...data } };
  const declared = declaredBy(entry, standardTypes, standardTaxonomies);
  for (const { message } of declared.problems)
    report.remark({ severity: 'lost', rule: 'declaration', message, what: 'site.yaml', place: null });
  for (const name of [...Object.keys(newTypes), ...Object.keys(newTaxonomies)])
    report.count({ kind: 'other', of: Object.hasOwn(newTypes, name) ? 'type' : 'taxonomy' }, 'new');
  return { types, taxonomies, model: declare({ ...declared, modules: known.modules.list, entry }), data };

  function renamed(kind: 'type' | 'taxonomy', name: string, valid: string): void {
    if (name === valid) return;
    const item = said.get(`${kind} ${name}`);
    report.remark({
      severity: 'changed',
      rule: 'renamed-kind',
      message: `renamed to ${valid}: its own name is taken or invalid`,
      what: item ? labelOf(item) : `${kind} ${name}`,
      place: item?.place ?? null,
    });
  }
}

/** Those of terms and of items, except what only the design of another system knows. */
function taxonomiesOf(sourceScan: SourceScan, types: ReadonlyMap<string, string | null>): Set<string> {
  const names = new Set<string>();
  for (const [type, { taxonomies }] of sourceScan.typeUsage) {
    const isDesign = /^cms_/.test(type) && types.get(type) === type;
    for (const name of taxonomies) if (!isDesign || standardTaxonomies.some((one) => one.name === name)) names.add(name);
  }
  const used = new Set([...sourceScan.typeUsage.values()].flatMap(({ taxonomies }) => [...taxonomies]));
  for (const { taxonomy } of sourceScan.terms) if (names.has(taxonomy) || !used.has(taxonomy)) names.add(taxonomy);
  return names;
}

function typeRow(name: string, item: DeclarationItem | undefined, uses: TypeUsage | undefined, bases: Set<string>): Row {
  const { rest_base: base, supports, taxonomies: _, ...said } = (item?.declaration ?? {}) as Row;
  const rest = freeBase(base, name, bases);
  const features = union(Array.isArray(supports) ? supports.map(String) : standardSupports, [...(uses?.features ?? [])]);
  return {
    plural: label(name),
    singular: label(name),
    ...said,
    ...(rest === name ? {} : { rest_base: rest }),
    ...(said.hierarchical === undefined && uses?.hierarchical ? { hierarchical: true } : {}),
    supports: features,
  };
}

function taxonomyRow(
  name: string,
  item: DeclarationItem | undefined,
  isTree: boolean,
  bases: Set<string>,
  keys: ReadonlySet<string>,
): Row {
  const { rest_base: base, types: _, ...said } = (item?.declaration ?? {}) as Row;
  const taken = new Set([...bases, ...keys]);
  const rest = freeBase(base, name, taken, '-terms');
  bases.add(rest);
  return {
    plural: label(name),
    singular: label(name),
    ...said,
    ...(rest === name ? {} : { rest_base: rest }),
    ...(said.hierarchical === undefined && isTree ? { hierarchical: true } : {}),
  };
}

/** A route and folder, or key, that nothing else has. */
function freeBase(wanted: unknown, name: string, taken: Set<string>, suffix = '-items'): string {
  const asked = typeof wanted === 'string' && /^[a-z0-9_-]+$/.test(wanted) ? wanted : name;
  const candidates = [asked, name, `${name}${suffix}`];
  const found = candidates.find((candidate) => !taken.has(candidate)) ?? free(`${name}${suffix}`, (one) => taken.has(one), 60);
  taken.add(found);
  return found;
}

/** Names that can stay as they are come before those that have to change. */
function properFirst(names: Iterable<string>, length: number): string[] {
  const all = [...names];
  const isProper = (name: string): boolean => validName(name, length) === name;
  return [...all.filter(isProper), ...all.filter((name) => !isProper(name))];
}

function validName(name: string, length: number): string {
  const valid = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, length);
  return valid === '' ? 'kind' : valid;
}

function free(name: string, isTaken: (name: string) => boolean, length: number): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const wanted = name.slice(0, length - suffix.length) + suffix;
    if (!isTaken(wanted)) return wanted;
  }
}

/** `press_release` as people read it: Press release. */
function label(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function union(some: unknown, more: readonly string[]): string[] {
  return [...new Set([...(Array.isArray(some) ? some.map(String) : []), ...more])];
}

const blank: Entry = { path: 'site.yaml', kind: 'yaml', data: {}, body: '', etag: '', size: 0, mtimeMs: 0 };
