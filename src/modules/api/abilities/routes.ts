/**
 * Abilities, `cms-abilities/v1`: what the server can do for a machine, what each takes and gives, and running it.
 *
 * Shape    categories, abilities, and whatever an ability gives
 * Access   lists: whoever may read; running: by the ability's own rule
 * Errors   rest_forbidden, rest_ability_category_not_found, rest_ability_not_found, rest_ability_invalid_method,
 *          ability_invalid_input, ability_missing_input_schema, rest_ability_cannot_execute
 * Source   conformance scenario other-namespaces; behaviour of the reference 6.9
 */
import { categories } from './abilities.ts';
import { allAbilities } from './all.ts';
import { type Ability, type AbilityCategory, methodOf } from './record.ts';
import {
  type Context,
  everywhere,
  type JsonType,
  of,
  resourceSchema,
  type Schema,
  type Schemas,
  viewAndEdit,
} from '../../../kernel/model/schema.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { contextArg, listed, pageArg, paging, perPageArg } from '../../../kernel/rest/collection.ts';
import { dialects } from '../../../kernel/rest/dialect.ts';
import { createProjector, type Item } from '../../../kernel/rest/item.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Answer, type Call, needs, READ, type Refusal, type AccessRule } from '../../../kernel/rest/types.ts';
import type { Method, Params } from '../../../kernel/rest/request.ts';
import { coerceValue } from '../../../kernel/rest/coerce.ts';
import { validateValue } from '../../../kernel/rest/validate.ts';
import { fail } from '../../../kernel/errors.ts';

const name = 'cms-abilities/v1';
const anyMethod: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const known = new WeakMap<Site, ReadonlyMap<string, readonly Ability[]>>();

const listArgs: Args = { context: contextArg(), page: pageArg, per_page: { ...perPageArg, default: 50 } };
const annotation = (description: string): Schema => of(['boolean', 'null'], description, { default: null });

const metaProperties: Schemas = {
  annotations: of('object', 'Annotations for the ability.', {
    properties: {
      readonly: annotation('Whether the ability changes nothing.'),
      destructive: annotation('Whether the ability takes something away.'),
      idempotent: annotation('Whether running the ability again changes nothing more.'),
    },
  }),
  public: of('boolean', 'Whether clients may know of the ability.'),
  show_in_rest: of('boolean', 'Whether the interface has the ability.'),
};

const filterArgs: Args = {
  category: of('string', 'Limit results to abilities in specific ability category.'),
  namespace: of('string', 'Limit results to abilities whose name starts with this and a slash.'),
  meta: of('object', 'Limit results to abilities with these meta values.', { properties: metaProperties }),
};
const nameArg = of('string', 'Unique identifier for the ability.', { pattern: '^[a-zA-Z0-9\\-\\/]+$' });

/** @param site  with all that its modules add */
export function createAbilityRoutes(site: Site): Namespace {
  known.set(site, new Map(dialects.map((dialect) => [dialect.prefix, allAbilities(site, dialect)])));
  return {
    name,
    routes: [
      {
        path: `/${name}/categories`,
        schema: () => schemaOf('ability-category', categoryFields),
        endpoints: [{ methods: READ, args: listArgs, allow: mayRead, handle: listCategories }],
      },
      {
        path: `/${name}/categories/(?P<slug>[a-z0-9]+(?:-[a-z0-9]+)*)`,
        schema: () => schemaOf('ability-category', categoryFields),
        endpoints: [
          {
            methods: READ,
            args: {
              slug: of('string', 'Unique identifier for the ability category.', { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }),
            },
            allow: mayRead,
            handle: readCategory,
          },
        ],
      },
      {
        path: `/${name}/abilities/(?P<name>[a-zA-Z0-9\\-\\/]+?)/run`,
        schema: () => runSchema,
        endpoints: [
          {
            methods: anyMethod,
            args: { name: nameArg, input: of(anyType, 'Input parameters for the ability execution.', { default: null }) },
            scopedAs: ({ site, request }, { name }) =>
              named(abilitiesOf({ site, request }), name)?.asks ? 'GET' : request.method,
            allow: mayRun,
            handle: run,
          },
        ],
      },
      {
        path: `/${name}/abilities`,
        schema: () => schemaOf('ability', abilityFields),
        endpoints: [
          {
            methods: READ,
            args: { ...listArgs, ...filterArgs },
            allow: mayRead,
            handle: listAbilities,
          },
        ],
      },
      {
        path: `/${name}/abilities/(?P<name>[a-zA-Z0-9\\-\\/]+)`,
        schema: () => schemaOf('ability', abilityFields),
        endpoints: [{ methods: READ, args: { name: nameArg }, allow: mayRead, handle: readAbility }],
      },
    ],
  };
}

const anyType = ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'] as const;

/** A read-only field. */
function field<T>(
  contexts: readonly Context[],
  type: JsonType,
  description: string,
  get: (one: T) => unknown,
  more: Schema = {},
) {
  return { schema: { description, type, ...more, context: contexts, readonly: true }, get };
}

const categoryFields = {
  slug: field(everywhere, 'string', 'Unique identifier for the category.', (category: AbilityCategory) => category.slug),
  label: field(everywhere, 'string', 'Display label for the category.', (category: AbilityCategory) => category.label),
  description: field(viewAndEdit, 'string', 'Description of the category.', (category: AbilityCategory) => category.description),
  meta: field(viewAndEdit, 'object', 'Meta information about the category.', () => []),
};

const abilityFields = {
  name: field(everywhere, 'string', 'Unique identifier for the ability.', (ability: Ability) => ability.name),
  label: field(everywhere, 'string', 'Display label for the ability.', (ability: Ability) => ability.label),
  description: field(viewAndEdit, 'string', 'Description of the ability.', (ability: Ability) => ability.description),
  category: field(everywhere, 'string', 'Ability category this ability belongs to.', (ability: Ability) => ability.category),
  input_schema: field(viewAndEdit, 'object', 'JSON Schema for the ability input.', (ability: Ability) => ability.input ?? []),
  output_schema: field(viewAndEdit, 'object', 'JSON Schema for the ability output.', (ability: Ability) => ability.output),
  meta: field(viewAndEdit, 'object', 'Meta information about the ability.', metaOf, { properties: metaProperties }),
};

const projectCategory = createProjector<AbilityCategory, null>({
  fields: categoryFields,
  links: ({ slug }, _view, { urls }) => ({
    self: [{ href: urls.rest(`/${name}/categories/${slug}`) }],
    collection: [{ href: urls.rest(`/${name}/categories`) }],
    abilities: [{ href: urls.rest(`/${name}/abilities?category=${slug}`) }],
  }),
});

const projectAbility = createProjector<Ability, null>({
  fields: abilityFields,
  links: (ability, _view, { urls }) => {
    const self = urls.rest(`/${name}/abilities/${ability.name}`);
    return {
      self: [{ href: self }],
      collection: [{ href: urls.rest(`/${name}/abilities`) }],
      'cms:action-run': [{ href: `${self}/run` }],
    };
  },
});

const runSchema: Schema & Params = resourceSchema('ability-execution', {
  result: { description: 'The result of the ability execution.', type: anyType, context: everywhere, readonly: true },
});

function schemaOf(title: string, fields: Readonly<Record<string, { readonly schema: Schema }>>): Schema & Params {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, { schema }]) => [field, schema]));
  return resourceSchema(title, properties);
}

function metaOf({ annotations }: Ability) {
  return { annotations, public: true, show_in_rest: true };
}

/** Whether a value has what is wanted of it, members of members too. */
function agrees(value: unknown, wanted: unknown): boolean {
  if (!isMap(wanted)) return wanted === undefined || value === wanted;
  return isMap(value) && Object.entries(wanted).every(([key, want]) => Object.hasOwn(value, key) && agrees(value[key], want));
}

function abilitiesOf({ site, request }: Pick<Call, 'site' | 'request'>): readonly Ability[] {
  return known.get(site)?.get(request.dialect.prefix) ?? [];
}

function listCategories(call: Call): Answer {
  return page(
    call,
    categories.filter((category) => category.listed),
    (category) => projectCategory(category, null, call),
  );
}

function readCategory(call: Call): Item {
  const category = categories.find(({ slug }) => slug === call.params.slug);
  return category ? projectCategory(category, null, call) : fail('rest_ability_category_not_found');
}

/** All abilities of the listed categories, or those of the one asked for. */
function listAbilities(call: Call): Answer {
  // Reduced to a key, as the reference does.
  const asked = scalarText(call.params.category)
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '');
  const wanted = new Set(asked === '' ? categories.filter((category) => category.listed).map(({ slug }) => slug) : [asked]);
  const namespace = scalarText(call.params.namespace);
  return page(
    call,
    abilitiesOf(call).filter(
      (ability) =>
        wanted.has(ability.category) &&
        (namespace === '' || ability.name.startsWith(`${namespace}/`)) &&
        agrees(metaOf(ability), call.params.meta),
    ),
    (ability) => projectAbility(ability, null, call),
  );
}

function readAbility(call: Call): Item {
  return projectAbility(find(call) ?? fail('rest_ability_not_found'), null, call);
}

function run(call: Call): Promise<unknown> {
  const ability = find(call) as Ability;
  const given = inputOf(call, ability);
  // A query has texts alone.
  return ability.run(call, given === null || !ability.input ? given : coerceValue(given, ability.input, 'input'));
}

function find(call: Call): Ability | undefined {
  return named(abilitiesOf(call), call.params.name);
}

function named(abilities: readonly Ability[], name: unknown): Ability | undefined {
  return abilities.find((ability) => ability.name === name);
}

function page<T>(call: Call, all: readonly T[], item: (one: T) => Item): Answer {
  const paged = paging(call);
  const { offset, perPage } = paged;
  return listed(call, all.slice(offset, offset + perPage).map(item), all.length, { ...paged, isUnchecked: true });
}

const mayRead = needs('read');

const mayRun: AccessRule = (call) => {
  const ability = find(call);
  if (!ability) return 'rest_ability_not_found';
  const method = methodOf(ability.annotations);
  if (call.request.method !== method)
    return { code: 'rest_ability_invalid_method', message: `This ability is run with ${method}.` };
  return (
    refuseInput(inputOf(call, ability), ability) ?? (ability.may(call.site, call.user) ? null : 'rest_ability_cannot_execute')
  );
};

/** From the query for methods without a body, else from the JSON body. */
function inputOf({ request }: Call, { input }: Ability): unknown {
  const given = request.method === 'GET' || request.method === 'DELETE' ? request.query.input : request.json?.input;
  return given ?? input?.default ?? null;
}

function refuseInput(value: unknown, { input, name: ability }: Ability): Refusal | null {
  if (!input)
    return value === null ? null : { code: 'ability_missing_input_schema', message: `Ability "${ability}" takes no input.` };
  const problem = validateValue(value, input, 'input');
  return problem
    ? { code: 'ability_invalid_input', message: `Ability "${ability}" has invalid input. Reason: ${problem.message}` }
    : null;
}
