/**
 * A module from outside: moods, which posts and pages have. It changes nothing in `src`, and brings of everything that a module can.
 */
import { fail } from '../../src/kernel/errors.ts';
import { plainField, text } from '../../src/kernel/model/field.ts';
import { editOnly, everywhere, of, viewAndEdit } from '../../src/kernel/model/schema.ts';
import type { Collection, CollectionRecord, Extension, Module } from '../../src/kernel/module.ts';
import { collectionFields } from '../../src/kernel/collections.ts';
import { collectionArgs, listed, paging } from '../../src/kernel/rest/collection.ts';
import { createProjector } from '../../src/kernel/rest/item.ts';
import { anyone, type Call, CREATE, READ } from '../../src/kernel/rest/types.ts';
import { writeRecord } from '../../src/kernel/site/record-file.ts';
import type { Site } from '../../src/kernel/site/site.ts';

declare module '../../src/kernel/errors.ts' {
  interface ModuleErrors {
    moods_unknown: ErrorRow;
  }
}

/** A file of `moods/`. */
interface Mood extends CollectionRecord {
  readonly label: string;
  readonly secret: string;
}

interface Moody {
  readonly mood: string;
}

const moods: Collection = {
  name: 'moods',
  title: 'Mood',
  fields: {
    label: plainField<Mood, 'label'>('label', text, '', of('string', 'What people call it.', { context: everywhere })),
    secret: plainField<Mood, 'secret'>('secret', text, '', of('string', 'A remark for editors.', { context: editOnly })),
  },
};

const fields = collectionFields(moods) as Readonly<Record<string, never>>;
const project = createProjector<Mood, null>({ fields });
const moodsOf = (site: Site) => site.records.table<Mood>('moods');
const find = (call: Call): Mood => moodsOf(call.site).by('slug', call.params.slug as string) ?? fail('moods_unknown');
const slugArg = of('string', 'An alphanumeric identifier for the item.', { pattern: '^[a-z-]+$', required: true });

function list(call: Call) {
  const { page, perPage, offset } = paging(call);
  const { records, total } = moodsOf(call.site).query({
    where: [],
    sort: { by: 'id', direction: 'asc' },
    offset,
    limit: perPage,
  });
  return listed(
    call,
    records.map((mood) => project(mood, null, call)),
    total,
    { page, perPage },
  );
}

async function create(call: Call) {
  const { site, params } = call;
  await site.write((site) => {
    const slug = params.slug as string;
    const mood = {
      id: site.nextId('moods'),
      path: `moods/${slug}.yaml`,
      etag: '',
      slug,
      label: String(params.label ?? ''),
      secret: '',
    };
    return { changes: [writeRecord<Mood>(site, fields, mood)], result: mood.id };
  });
  return project(find(call), null, call);
}

const extension: Extension = {
  fields: {
    mood: plainField<Moody, 'mood'>('mood', text, '', of('string', 'How its author felt.', { context: viewAndEdit }), {
      index: true,
    }),
  },
  params: {
    mood: {
      ...of('string', 'Limit result set to items of a mood.', { pattern: '^[a-z-]+$' }),
      where: (value) => [{ kind: 'in', index: 'mood', values: [value as string] }],
    },
  },
  links: {
    mood: { title: 'The mood of the item.', route: '/moods/v1/moods/{slug}', of: (post: Moody) => post.mood, embeddable: true },
  },
  scope: ({ params }) => (params.calm === true ? [{ kind: 'in', index: 'mood', values: ['furious'], not: true }] : []),
};

export const outside: Module = {
  name: 'moods',
  settings: [
    {
      key: 'mood',
      name: 'mood',
      group: 'writing',
      schema: of('string', 'The mood of the house.', { default: '' }),
      default: 'calm',
    },
  ],
  errors: { moods_unknown: { status: 404, message: 'There is no such mood.' } },
  capabilities: { author: ['edit_moods'], editor: ['edit_moods'], administrator: ['edit_moods'] },
  collections: [moods],
  extend: { post: extension, page: extension },
  args: { calm: of('boolean', 'Leave out what is furious.') },
  address: { read: (segment) => (segment === 'calm' ? { calm: true } : null) },
  namespaces: (site) => [
    {
      name: 'moods/v1',
      routes: [
        {
          path: '/moods/v1/moods',
          endpoints: [
            { methods: READ, args: collectionArgs({ order: 'asc', orderby: 'id', keys: ['id'] }), allow: anyone, handle: list },
            {
              methods: CREATE,
              args: { slug: slugArg, label: of('string', 'What people call it.') },
              allow: (call) => (call.can('edit_moods') ? null : 'rest_cannot_create'),
              handle: create,
            },
          ],
        },
        {
          path: '/moods/v1/moods/(?P<slug>[a-z-]+)',
          endpoints: [
            { methods: READ, args: { slug: slugArg }, allow: anyone, handle: (call) => project(find(call), null, call) },
          ],
        },
        {
          path: '/moods/v1/house',
          endpoints: [{ methods: READ, args: {}, allow: anyone, handle: () => ({ mood: site.settings.value('mood') }) }],
        },
      ],
    },
  ],
  checks: [
    {
      rule: 'mood-unknown',
      severity: 'warning',
      *run({ entries }) {
        const known = new Set(entries.flatMap(({ path }) => /^moods\/(.+)\.ya?ml$/.exec(path)?.[1] ?? []));
        for (const { path, data } of entries)
          if (/^(?:posts|pages)\//.test(path) && typeof data.mood === 'string' && !known.has(data.mood))
            yield {
              path,
              keys: ['mood'],
              message: `no file of moods/ is called ${data.mood}`,
              hint: `write moods/${data.mood}.yaml`,
            };
      },
    },
  ],
};
