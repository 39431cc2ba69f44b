/** The terms of posts: the field of each taxonomy, and the list parameters. */
import { type FileFacet, forms, referenceOf } from '../../../kernel/model/field.ts';
import { of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Arg, Args } from '../../../kernel/rest/args.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { termsNamed } from '../named-ids/record.ts';
import type { PostType, Taxonomy } from '../../types/record.ts';
import type { PostField, PostRecord, PostResource } from './record.ts';

export function termField(type: PostType, taxonomy: Taxonomy): readonly [string, PostField] {
  const { name } = taxonomy;
  const key = taxonomy.showInRest ? taxonomy.restBase : name;
  const file: FileFacet<PostRecord> = {
    key,
    form: forms.references,
    read(raw, draft, { refs }) {
      const fallback = raw === undefined && type.name === 'post' ? refs.defaultTerm(name) : 0;
      const ids = raw === undefined ? [fallback] : list(raw).map((ref) => refs.termId(name, referenceOf(ref, key)));
      draft.terms = Object.assign({}, draft.terms, { [name]: [...new Set(ids)].filter((id) => id > 0) });
    },
    print(post, { refs }) {
      const ids = post.terms[name] ?? [];
      return ids.length === 0 && !refs.defaultTerm(name) ? undefined : ids.map((id) => refs.termRef(name, id));
    },
  };
  const index = { equal: (post: PostRecord) => post.terms[name] ?? [] };
  if (!taxonomy.showInRest) return [`_${name}`, { file, index }];
  const schema: Schema = of('array', `The terms assigned to the post in the ${name.replace(/^cms_/, '')} taxonomy.`, {
    items: { type: 'integer' },
    context: viewAndEdit,
  });
  const set: PostField['set'] = (value, draft) => {
    draft.terms = { ...draft.terms, [name]: value as readonly number[] };
  };
  return [taxonomy.restBase, { schema, get: (post, view) => view.terms(post, name), set, file, index }];
}

export function termArgs(taxonomies: readonly Taxonomy[]): Args {
  return {
    ...(taxonomies.length > 0 ? { tax_relation: taxRelation } : {}),
    ...Object.fromEntries(
      taxonomies.flatMap(({ name, restBase, hierarchical }): [string, Arg][] => {
        const some = termArg('Limit result set to items with specific terms assigned.', hierarchical, true);
        const none = termArg('Limit result set to items except those with specific terms assigned.', hierarchical, false);
        const named = termsNamed(name);
        return [
          [restBase, { ...some, named }],
          [`${restBase}_exclude`, { ...none, named }],
        ];
      }),
    ),
  };
}

interface TermQuery {
  readonly terms: readonly number[];
  readonly include_children?: boolean;
  readonly operator?: 'AND' | 'OR';
}

/** The term clauses of a list request. Exclusions always apply; with `tax_relation=OR` one inclusion is enough. */
export function termClauses(call: Call, { taxonomies }: PostResource): Clause[] {
  const wanted: Clause[] = [];
  const unwanted: Clause[] = [];
  for (const { name, restBase } of taxonomies) {
    const named = ({ terms, include_children: below }: TermQuery): readonly number[] => {
      const known = [...new Set(terms.map(Math.abs))].filter((id) => call.site.terms.get(id)?.taxonomy === name);
      return below ? withChildren(call, name, known) : known;
    };
    const some = termQuery(call.params[restBase]);
    if (some && some.terms.length > 0) {
      const values = named(some);
      // With several required terms, descendants count as well, and unknown or duplicate terms match nothing (observed).
      const each = some.terms.map((id) => named({ ...some, terms: [id] }));
      const isAll =
        some.operator === 'AND' && each.every((ids) => ids.length > 0) && new Set(each.flat()).size === each.flat().length;
      if (isAll) wanted.push({ kind: 'all', index: restBase, values });
      else wanted.push({ kind: 'in', index: restBase, values: some.operator === 'AND' ? [] : values });
    }
    const none = termQuery(call.params[`${restBase}_exclude`]);
    const values = none ? named(none) : [];
    // Unknown terms exclude nothing, and are not an alternative either.
    if (values.length > 0) unwanted.push({ kind: 'in', index: restBase, values, not: true });
  }
  if (call.params.format?.length > 0) wanted.push({ kind: 'in', index: 'format', values: call.params.format });
  if (call.params.tax_relation === 'OR' && wanted.length + unwanted.length > 1) {
    return [{ kind: 'any', of: [...wanted, ...unwanted].map((clause) => [clause]) }];
  }
  return [...wanted, ...unwanted];
}

export function termQuery(value: unknown): TermQuery | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return { terms: value.map(Number) };
  const { terms = [], ...rest } = value as Partial<TermQuery>;
  return { terms: terms.map(Number), ...rest };
}

/** The terms and their descendants. */
function withChildren(call: Call, taxonomy: string, ids: readonly number[]): readonly number[] {
  const all = new Set(ids);
  for (const id of all) {
    for (const child of call.site.terms.with('parent', id)) if (call.site.terms.get(child)?.taxonomy === taxonomy) all.add(child);
  }
  return [...all];
}

const taxRelation: Schema = {
  description: 'Limit result set based on relationship between multiple taxonomies.',
  type: 'string',
  enum: ['AND', 'OR'],
};

/** Terms of a taxonomy: a list of ids, or an object with more options. */
function termArg(description: string, hierarchical: boolean, including: boolean): Arg {
  const ids: Schema = { type: 'array', items: { type: 'integer' } };
  return {
    description,
    type: ['object', 'array'],
    oneOf: [
      { title: 'Term ID List', description: 'Match terms with the listed IDs.', ...ids },
      {
        title: 'Term ID Taxonomy Query',
        description: 'Perform an advanced term query.',
        type: 'object',
        properties: {
          terms: { description: 'Term IDs.', ...ids, default: [] },
          ...(hierarchical
            ? {
                include_children: {
                  description: 'Whether to include child terms in the terms limiting the result set.',
                  type: 'boolean',
                  default: false,
                },
              }
            : {}),
          ...(including
            ? {
                operator: {
                  description: 'Whether items must be assigned all or any of the specified terms.',
                  type: 'string',
                  enum: ['AND', 'OR'],
                  default: 'OR',
                },
              }
            : {}),
        },
        additionalProperties: false,
      },
    ],
  };
}

function list(raw: unknown): readonly unknown[] {
  return raw === null ? [] : Array.isArray(raw) ? raw : [raw];
}
