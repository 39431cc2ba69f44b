/**
 * The two routes that most resources have: a collection that is listed and added to, and its items, which are read, changed and
 * removed.
 */
import type { Args } from './args.ts';
import type { Namespace } from './types.ts';
import { CREATE, DELETE, type Endpoint, READ, type Route, UPDATE } from './types.ts';

type Verb = Pick<Endpoint, 'args' | 'allow' | 'handle' | 'lists'>;

interface Resource {
  /** Path of the collection; items are below it, by number. */
  readonly base: string;
  readonly schema: NonNullable<Route['schema']>;
  readonly batch?: boolean;
  /** Arguments that all endpoints of an item have. */
  readonly item: Args;
  readonly list: Verb;
  readonly create: Verb;
  readonly read: Verb;
  readonly update: Verb;
  readonly remove: Verb;
}

export function collectionRoutes(resource: Resource): Namespace['routes'] {
  const { base, schema, item, list, create, read, update, remove } = resource;
  const batch = resource.batch ? { batch: true } : {};
  const ofItem = (verb: Verb): Verb => ({ ...verb, args: { ...item, ...verb.args } });
  return [
    {
      path: base,
      schema,
      endpoints: [
        { methods: READ, ...list, ...batch },
        { methods: CREATE, ...create, ...batch },
      ],
    },
    {
      path: `${base}/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        { methods: READ, ...ofItem(read), ...batch },
        { methods: UPDATE, ...ofItem(update), ...batch },
        { methods: DELETE, ...ofItem(remove), ...batch },
      ],
    },
  ];
}
