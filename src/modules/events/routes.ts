/**
 * The event stream.
 *
 * Shape    server-sent events; each is JSON (`view.ts`)
 * Access   everyone; non-public items only for their editors
 * Errors   rest_too_many_streams
 * Source   HTML, 9.2 (server-sent events). An extension, so the catalogue does not list it
 */
import { EventStream } from '../../kernel/rest/event-stream.ts';
import { of } from '../../kernel/model/schema.ts';
import { answer, anyone, type Namespace, READ } from '../../kernel/rest/types.ts';
import { eventKinds } from './record.ts';
import type { EventStreams } from './streams.ts';

export function eventRoutes({ stream }: EventStreams): Namespace['routes'] {
  return [
    {
      path: '/cms/v2/events',
      isUnlisted: true,
      // Only the writer knows the order of all changes.
      endpoints: [
        {
          methods: READ,
          args: {
            kind: of('array', 'Limit events to these kinds.', { items: { type: 'string', enum: [...eventKinds] }, default: [] }),
            type: of('array', 'Limit events to these post types, taxonomies or parts of the site.', {
              items: { type: 'string' },
              default: [],
            }),
          },
          allow: anyone,
          async handle({ params, request, user }) {
            const { ip, dialect, headers } = request;
            const filter = { kinds: params.kind, types: params.type.map(dialect.readWord) };
            const source = await stream({ user, ip, dialect, filter, last: headers['last-event-id'] });
            return answer(new EventStream(source), { headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } });
          },
        },
      ],
    },
  ];
}
