/**
 * What is wrong or doubtful in the file of one item, as the ability `cms/check` and as a route of clients.
 *
 * Shape    a list of findings
 * Access   those who may edit the item
 * Errors   rest_post_invalid_id, rest_forbidden and those of reading the item for editing
 * Source   `cms validate`. An extension, so the catalogue does not list the route
 */
import { of } from '../../../kernel/model/schema.ts';
import { type Call, needs, type Namespace, READ } from '../../../kernel/rest/types.ts';
import { mayHaveFile, type Named, placeOf } from './places.ts';
import { closed, text } from './record.ts';

export const findings = {
  type: 'array',
  items: closed({
    keys: {
      type: 'array',
      description: 'Where: the key of the front matter and members below it. Empty: the text, or all of it.',
    },
    severity: text('How grave it is.', { enum: ['error', 'warning', 'note'] }),
    rule: text('A word for the kind of finding.'),
    message: text('What is wrong.'),
    hint: text('What can be done about it.'),
  }),
} as const;

/** @throws RestError */
export async function findingsOf(call: Call, names: Named): Promise<readonly unknown[]> {
  const place = placeOf(call, names);
  await mayHaveFile(call, place);
  const found = await call.site.checkFile(call.site, place.path);
  return found.map(({ keys, severity, rule, message, hint }) => ({
    ...{ keys, severity, rule, message },
    ...(hint === undefined ? {} : { hint }),
  }));
}

export const findingsRoutes: Namespace = {
  name: 'cms/v2',
  routes: [
    {
      path: '/cms/v2/findings',
      isUnlisted: true,
      // It reads the file anew.
      endpoints: [
        {
          methods: READ,
          args: { id: of('integer', 'Unique identifier for the post.', { required: true }) },
          allow: needs('read'),
          handle: async (call) => ({ findings: await findingsOf(call, { id: call.params.id as number }) }),
        },
      ],
    },
  ],
};
