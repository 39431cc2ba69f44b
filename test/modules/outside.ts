/**
 * A module from outside: moods, which posts and pages have. It changes nothing in `src`, and brings of everything a module can.
 */
import { plainField, text } from '../../src/kernel/model/field.ts';
import { viewAndEdit, of } from '../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';

interface Moody {
  readonly mood: string;
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
  scope: ({ params }) => (params.calm ? [{ kind: 'in', index: 'mood', values: ['furious'], not: true }] : []),
};

export const outside: Module = {
  name: 'moods',
  extend: { post: extension, page: extension },
};
