/**
 * Terms: categories, tags, and those of every other taxonomy.
 *
 * Shape    an item of the taxonomy's fields; lists are sorted by name
 * Access   everyone; writing by the taxonomy's capabilities
 * Errors   rest_term_invalid, rest_forbidden_context, rest_cannot_create, rest_cannot_update, rest_cannot_delete,
 *          rest_trash_not_supported, rest_taxonomy_not_hierarchical, rest_post_invalid_id, and those of `plan.ts`
 * Source   specification 4.1, 4.4; conformance scenario categories
 */
import { canCreateTerm } from './access.ts';
import type { Site } from '../../kernel/site/site.ts';
import { createTermView } from './view.ts';
import { createTerm, deleteTerm, type TermInput, updateTerm } from './plan.ts';
import { fail } from '../../kernel/errors.ts';
import { type Extended, extendedBy } from '../../kernel/extended.ts';
import { schemasOf } from '../../kernel/model/field.ts';
import { of, resourceSchema, type Schema } from '../../kernel/model/schema.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { Taxonomy } from '../types/record.ts';
import type { TermFields, TermRecord, TermView } from './record.ts';
import { termNamed } from '../named-ids/record.ts';
import { type Arg, argsForCreate, argsForUpdate, metaAsSent } from '../../kernel/rest/args.ts';
import { cleanText } from '../../kernel/rest/coerce.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Link, type Links, wholeState } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { answer, type Answer, type Call, type Refusal, type Rule } from '../../kernel/rest/types.ts';
import type { Params } from '../../kernel/rest/request.ts';
import { collectionRoutes } from '../../kernel/rest/collection-routes.ts';
import type { TermResource, TermWriter } from './resource.ts';
import { listTerms, mayListTerms, termListArgs } from './list.ts';
import { inState } from '../../kernel/rest/preconditions.ts';
import { changesOf, created, isGiven, removed, requireForce } from '../../kernel/rest/write-input.ts';

/** What a taxonomy of its own kind (menus) does in another way. */
interface TermOptions {
  /** What modules add. */
  readonly extension?: Extended;
  /** Hooks for arguments that its fields add. */
  readonly args?: Readonly<Record<string, Partial<Arg>>>;
  readonly view?: (site: Site, call: Call) => TermView;
  readonly links?: (term: TermRecord, call: Call, resource: TermResource) => Links;
  /** Makes, changes and removes a term. @returns the id of the term written */
  readonly write?: TermWriter;
  /** Who may read terms, where that is not everyone. */
  readonly allow?: Rule;
}

/** Collection and item routes of a taxonomy's terms. */
export function termRoutes(taxonomy: Taxonomy, fields: TermFields, options: TermOptions = {}): Namespace['routes'] {
  const properties = schemasOf(fields);
  const resource = createResource(taxonomy, fields, options);
  const hooks = { ...inputHooks, parent: { named: termNamed(taxonomy.name) }, ...options.args };
  const schema = (call: Call): Schema & Params => ({
    ...schemaOf(call, taxonomy, properties),
    ...resource.extension.schema(call),
  });
  return collectionRoutes({
    base: resource.base,
    schema,
    batch: true,
    item: { id: of('integer', 'Unique identifier for the term.') },
    list: {
      args: termListArgs(taxonomy),
      lists: [taxonomy.name, 'term'],
      allow: mayListTerms(resource),
      handle: (call) => listTerms(call, resource),
    },
    create: { args: argsForCreate(properties, hooks), allow: mayCreate(taxonomy), handle: (call) => create(call, resource) },
    read: { args: { context: contextArg() }, allow: mayRead(resource), handle: (call) => read(call, resource) },
    update: { args: argsForUpdate(properties, hooks), allow: mayUpdate(resource), handle: (call) => update(call, resource) },
    remove: { args: { force: forceArg }, allow: mayDelete(resource), handle: (call) => remove(call, resource) },
  });
}

const forceArg: Arg = of('boolean', 'Required to be true, as terms do not support trashing.', { default: false });

/** What is sent for a text is made one, null too: an emptied name is refused, not passed over. */
const inputHooks: Readonly<Record<string, Partial<Arg>>> = {
  name: { coerce: (value) => cleanText(textOf(value)) },
  slug: { coerce: (value) => slugify(textOf(value)) },
  description: { coerce: (value) => textOf(value) },
  meta: metaAsSent,
};

function createResource(taxonomy: Taxonomy, fields: TermFields, options: TermOptions): TermResource {
  const links = options.links ?? ((term: TermRecord, call: Call) => termLinks(call, resource, term));
  const project = createProjector<TermRecord, TermView>({
    isWhole: true,
    fields,
    links: (term, _view, call) => ({ ...links(term, call, resource), ...resource.extension.links(term, call) }),
    cacheVersion: wholeState,
  });
  const viewOf =
    options.view ?? ((site: Site, call: Call) => createTermView(site, (name) => call.request.dialect.wireName(name)));
  const resource: TermResource = {
    taxonomy,
    fields,
    extension: options.extension ?? extendedBy([]),
    base: `/${taxonomy.restNamespace}/${taxonomy.restBase}`,
    item: (term, call) => project(term, viewOf(call.site, call), call),
    find: ({ site }, id) => {
      const term = site.terms.get(Number(id));
      return term?.taxonomy === taxonomy.name ? term : fail('rest_term_invalid');
    },
    allow: options.allow ?? (() => null),
    write: options.write ?? createWriter(taxonomy, options.extension, (call, id) => resource.find(call, id)),
  };
  return resource;
}

/** Writes terms as files of their own. */
function createWriter(taxonomy: Taxonomy, extension = extendedBy([]), find: TermResource['find']): TermWriter {
  const present = (call: Call, id: number): TermRecord => inState(call, find(call, id));
  return {
    create: (call, input) => createTerm(call.site, taxonomy, () => extension.prepareWrite(input, call)),
    update: (call, id, input) =>
      updateTerm(
        call.site,
        taxonomy,
        () => present(call, id),
        (before) => extension.prepareWrite(input, call, before),
      ),
    remove: (call, id) => deleteTerm(call.site, taxonomy, () => present(call, id)),
  };
}

function read(call: Call, resource: TermResource, id = Number(call.params.id)): Answer {
  const term = resource.find(call, id);
  return answer(resource.item(term, call), { state: term.etag });
}

async function create(call: Call, resource: TermResource): Promise<Answer> {
  const id = await resource.write.create(call, inputOf(call, resource));
  const { data, state } = read(call, resource, id);
  // From here on the request counts as one in that context, which shows in `Allow` (observed).
  Object.assign(call, { context: 'edit' });
  return created(call, `${resource.base}/${id}`, data, state);
}

async function update(call: Call, resource: TermResource): Promise<Answer> {
  const before = resource.find(call, call.params.id);
  await resource.write.update(call, before.id, inputOf(call, resource, before));
  return read(call, resource, before.id);
}

async function remove(call: Call, resource: TermResource): Promise<unknown> {
  const term = resource.find(call, call.params.id);
  requireForce(call, 'Terms');
  return removed(resource.item(term, call), () => resource.write.remove(call, term.id));
}

/** The change a write stands for. @throws RestError rest_taxonomy_not_hierarchical, rest_term_invalid */
function inputOf(call: Call, { taxonomy, fields }: TermResource, before?: TermRecord): TermInput {
  const { parent } = call.params;
  if (isGiven(parent)) {
    if (!taxonomy.hierarchical) fail('rest_taxonomy_not_hierarchical');
    if (parent !== 0 && call.site.terms.get(parent)?.taxonomy !== taxonomy.name)
      fail('rest_term_invalid', { status: 400 }, 'Parent term does not exist.');
  }
  return changesOf<TermRecord>(call, fields, before) as TermInput;
}

const mayRead =
  (resource: TermResource): Rule =>
  (call) => {
    const term = resource.find(call, call.params.id);
    if (call.context === 'edit' && !call.can('edit_term', term)) return editRefusal('edit');
    return resource.allow(call);
  };

const mayCreate =
  (taxonomy: Taxonomy): Rule =>
  ({ site, user }) =>
    canCreateTerm(site.access, user, taxonomy)
      ? null
      : { code: 'rest_cannot_create', message: 'Sorry, you are not allowed to create terms in this taxonomy.' };

const mayUpdate =
  (resource: TermResource): Rule =>
  (call) =>
    call.can('edit_term', resource.find(call, call.params.id))
      ? null
      : { code: 'rest_cannot_update', message: 'Sorry, you are not allowed to edit this term.' };

const mayDelete =
  (resource: TermResource): Rule =>
  (call) =>
    call.can('delete_term', resource.find(call, call.params.id))
      ? null
      : { code: 'rest_cannot_delete', message: 'Sorry, you are not allowed to delete this term.' };

function editRefusal(what: string): Refusal {
  return { code: 'rest_forbidden_context', message: `Sorry, you are not allowed to ${what} terms in this taxonomy.` };
}

/** Links of a term, also to the lists of items that have it. */
export function termLinks({ site, urls, request }: Call, { base, taxonomy }: TermResource, term: TermRecord): Links {
  const { dialect } = request;
  const links: Record<string, readonly Link[]> = {
    self: [{ href: urls.rest(`${base}/${term.id}`) }],
    collection: [{ href: urls.rest(base) }],
    about: [{ href: urls.rest(`/cms/v2/taxonomies/${taxonomy.name}`) }],
  };
  if (site.terms.get(term.parent)) links.up = [{ embeddable: true, href: urls.rest(`${base}/${term.parent}`) }];
  const lists = taxonomy.types.flatMap((name) => {
    const type = site.types.get(name);
    if (!type?.showInRest) return [];
    const items = urls.rest(`/${type.restNamespace}/${type.restBase}`);
    return [{ href: `${items}?${dialect.wireName(taxonomy.restBase)}=${term.id}` }];
  });
  return lists.length > 0 ? { ...links, 'cms:post_type': lists } : links;
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
