/**
 * Terms: categories, tags, and those of every other taxonomy.
 *
 * Shape    an item of the taxonomy's fields; lists are sorted by name
 * Access   everyone; writing by the taxonomy's capabilities
 * Errors   rest_term_invalid, rest_forbidden_context, rest_cannot_create, rest_cannot_update, rest_cannot_delete, rest_trash_not_supported,
 * rest_taxonomy_not_hierarchical, rest_post_invalid_id, and those of `plan.ts`
 * Source   specification 4.1, 4.4; conformance scenario categories
 */
import { canCreateTerm } from './access.ts';
import { createTermView, itemsWith } from './view.ts';
import { createTerm, deleteTerm, type TermInput, updateTerm } from './plan.ts';
import { fail } from '../../../kernel/errors.ts';
import { type Extended, extendedBy } from '../../../kernel/extended.ts';
import { of, resourceSchema, type Schema } from '../../../kernel/model/schema.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import type { Taxonomy } from '../../types/record.ts';
import type { TermFields, TermRecord, TermView } from './record.ts';
import { termNamed } from '../named-ids/record.ts';
import { type Arg, metaAsSent } from '../../../kernel/rest/args.ts';
import { cleanText } from '../../../kernel/rest/coerce.ts';
import { wholeState } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { anyone, type Call, type AccessRule } from '../../../kernel/rest/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import { collection, defineResource, gone, item, made, type RouteLinks } from '../../../kernel/rest/resource.ts';
import { listTerms, mayListTerms, notInEdit, termListArgs } from './list.ts';
import { inState } from '../../../kernel/rest/preconditions.ts';
import { changesOf, isAsked, isGiven, requireForce } from '../../../kernel/rest/write-input.ts';

/** How terms are written: as separate files by default. */
export interface TermWriter {
  /** @returns the id of the term */
  create(call: Call, input: TermInput): Promise<number>;
  update(call: Call, id: number, input: TermInput): Promise<unknown>;
  remove(call: Call, id: number): Promise<unknown>;
}

/** Differences of a special taxonomy (menus). */
interface TermOptions {
  readonly extension?: Extended;
  readonly args?: Readonly<Record<string, Partial<Arg>>>;
  readonly view?: (call: Call) => TermView;
  readonly links?: (term: TermRecord, call: Call) => RouteLinks;
  readonly write?: TermWriter;
  /** Who may read terms, if not everyone. */
  readonly allow?: AccessRule;
}

export function termRoutes(taxonomy: Taxonomy, fields: TermFields, options: TermOptions = {}): Namespace['routes'] {
  const { extension = extendedBy([]), allow = anyone, view = viewOf, links = termLinks } = options;
  const base = baseOf(taxonomy);
  const find = (call: Call): TermRecord => termOf(call, taxonomy, call.params.id);
  const write = options.write ?? createWriter(taxonomy, extension);
  return defineResource<TermRecord, TermView>({
    name: taxonomy.name,
    base,
    fields,
    view,
    links,
    extension,
    hooks: { ...inputHooks, parent: { named: termNamed(taxonomy.name) }, ...options.args },
    schema: (call, properties) => schemaOf(call, taxonomy, properties),
    state: ({ etag }) => etag,
    cacheVersion: wholeState,
    isWhole: true,
    batch: true,
    params: { id: of('integer', 'Unique identifier for the term.') },
    routes: [
      collection({
        read: {
          args: termListArgs(taxonomy),
          lists: [taxonomy.name, 'term'],
          allow: mayListTerms(taxonomy, allow),
          handle: (call) => listTerms(call, taxonomy, extension),
        },
        create: {
          args: 'writable',
          allow: mayCreate(taxonomy),
          context: () => 'edit',
          async handle(call) {
            const id = await write.create(call, inputOf(call, taxonomy, fields));
            return made(termOf(call, taxonomy, id), { Location: call.urls.rest(`${base}/${id}`) });
          },
        },
      }),
      item('(?P<id>[\\d]+)', {
        read: { allow: mayRead(find, allow), handle: find },
        update: {
          args: 'writable',
          allow: mayUpdate(find),
          async handle(call) {
            const before = find(call);
            await write.update(call, before.id, inputOf(call, taxonomy, fields, before));
            return find(call);
          },
        },
        remove: {
          args: { force: forceArg },
          allow: mayDelete(find),
          handle(call) {
            const term = find(call);
            requireForce(call, 'Terms');
            return gone(term, () => write.remove(call, term.id));
          },
        },
      }),
    ],
  });
}

const forceArg: Arg = of('boolean', 'Required to be true, as terms do not support trashing.', { default: false });

/** Values are cast to strings, null too: an empty name is refused, not ignored. */
const inputHooks: Readonly<Record<string, Partial<Arg>>> = {
  name: { coerce: (value) => cleanText(textOf(value)) },
  slug: { coerce: (value) => slugify(textOf(value)) },
  description: { coerce: (value) => textOf(value) },
  meta: metaAsSent,
};

const baseOf = ({ restNamespace, restBase }: Taxonomy): string => `/${restNamespace}/${restBase}`;

const viewOf = ({ site, request }: Call): TermView => createTermView(site, (name) => request.dialect.wireName(name));

/** The term with an id. @throws RestError rest_term_invalid */
function termOf({ site }: Call, taxonomy: Taxonomy, id: unknown): TermRecord {
  const term = site.terms.get(Number(id));
  return term?.taxonomy === taxonomy.name ? term : fail('rest_term_invalid');
}

/** Writes terms as separate files. */
function createWriter(taxonomy: Taxonomy, extension: Extended): TermWriter {
  const present = (call: Call, id: number): TermRecord => inState(call, termOf(call, taxonomy, id));
  return {
    create: (call, input) => createTerm(call.site, taxonomy, (site) => extension.prepareWrite(input, site, call)),
    update: (call, id, input) =>
      updateTerm(
        call.site,
        taxonomy,
        () => present(call, id),
        (site, before) => extension.prepareWrite(input, site, call, before),
      ),
    remove: (call, id) =>
      deleteTerm(call.site, taxonomy, () => {
        const term = present(call, id);
        // At the moment of its deletion: an item may have got it since its items were listed.
        if (isAsked(call, 'unused') && itemsWith(call.site, term).length > 0) fail('rest_conflict', {}, 'Items have the term.');
        return term;
      }),
  };
}

/** The input of a write. @throws RestError rest_taxonomy_not_hierarchical, rest_term_invalid */
function inputOf(call: Call, taxonomy: Taxonomy, fields: TermFields, before?: TermRecord): TermInput {
  const { parent } = call.params;
  if (isGiven(parent)) {
    if (!taxonomy.hierarchical) fail('rest_taxonomy_not_hierarchical');
    if (parent !== 0 && call.site.terms.get(parent)?.taxonomy !== taxonomy.name)
      fail('rest_term_invalid', { status: 400 }, 'Parent term does not exist.');
  }
  return changesOf<TermRecord>(call, fields, before) as TermInput;
}

type FindTerm = (call: Call) => TermRecord;

const mayRead =
  (find: FindTerm, allow: AccessRule): AccessRule =>
  (call) => {
    const term = find(call);
    return call.context === 'edit' && !call.can('edit_term', term) ? notInEdit : allow(call);
  };

const mayCreate =
  (taxonomy: Taxonomy): AccessRule =>
  ({ site, user }) =>
    canCreateTerm(site.access, user, taxonomy)
      ? null
      : { code: 'rest_cannot_create', message: 'Sorry, you are not allowed to create terms in this taxonomy.' };

const mayUpdate =
  (find: FindTerm): AccessRule =>
  (call) =>
    call.can('edit_term', find(call))
      ? null
      : { code: 'rest_cannot_update', message: 'Sorry, you are not allowed to edit this term.' };

const mayDelete =
  (find: FindTerm): AccessRule =>
  (call) =>
    call.can('delete_term', find(call))
      ? null
      : { code: 'rest_cannot_delete', message: 'Sorry, you are not allowed to delete this term.' };

/** Links of a term, including lists of its items. */
export function termLinks(term: TermRecord, { site, request }: Call): RouteLinks {
  const taxonomy = site.taxonomies.get(term.taxonomy) as Taxonomy;
  const base = baseOf(taxonomy);
  const lists = taxonomy.types.flatMap((name) => {
    const type = site.types.get(name);
    if (!type?.showInRest) return [];
    const param = request.dialect.wireName(taxonomy.restBase);
    return [{ href: `/${type.restNamespace}/${type.restBase}?${param}=${term.id}` }];
  });
  return {
    self: `${base}/${term.id}`,
    collection: base,
    about: `/cms/v2/taxonomies/${taxonomy.name}`,
    ...(site.terms.get(term.parent) && { up: { embeddable: true, href: `${base}/${term.parent}` } }),
    ...(lists.length > 0 && { 'cms:post_type': lists }),
  };
}

function schemaOf({ request }: Call, taxonomy: Taxonomy, properties: Readonly<Record<string, Schema>>): Schema & Params {
  const word = request.dialect.wireName(taxonomy.name);
  const title = taxonomy.name === 'post_tag' ? 'tag' : word;
  const spelled = properties.taxonomy ? { ...properties, taxonomy: { ...properties.taxonomy, enum: [word] } } : properties;
  return resourceSchema(title, spelled);
}

function textOf(value: unknown): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}
