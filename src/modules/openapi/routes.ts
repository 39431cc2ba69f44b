/**
 * The OpenAPI document of a site, and the same for people.
 *
 * Shape    the document; a page of HTML
 * Access   everyone: it tells what there is, and nothing of any item
 * Source   OpenAPI Specification 3.1.1
 */
import type { Dialect } from '../../kernel/rest/dialect.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { answer, anyone, type Call, READ } from '../../kernel/rest/types.ts';
import { openApiOf } from './document.ts';
import { visitorCall } from './operations.ts';
import { pageHeaders, referencePage } from './reference-page.ts';

const unlisted = { isUnlisted: true } as const;

export function openApiRoutes(): Namespace['routes'] {
  const kept = createDocuments();
  return [
    {
      path: '/openapi.json',
      ...unlisted,
      endpoints: [
        {
          methods: READ,
          args: {},
          allow: anyone,
          handle: (call) => answer(kept(call).json, { headers: { 'Content-Type': 'application/json; charset=UTF-8' } }),
        },
      ],
    },
    {
      path: '/reference',
      ...unlisted,
      endpoints: [
        { methods: READ, args: {}, allow: anyone, handle: (call) => answer(kept(call).page, { headers: pageHeaders }) },
      ],
    },
  ];
}

interface Kept {
  readonly state: string;
  readonly json: Buffer;
  readonly page: Buffer;
}

/** The documents of each spelling, for one state of the site and its address: whoever asks again and again gets what is there. */
function createDocuments(): (call: Call) => Kept {
  const kept = new Map<Dialect, Kept>();
  return ({ request: { dialect }, site, dispatcher }) => {
    const state = `${site.records.generation} ${site.url}`;
    const known = kept.get(dialect);
    if (known?.state === state) return known;
    const document = openApiOf(visitorCall(dispatcher, dialect));
    const made = { state, json: Buffer.from(JSON.stringify(document)), page: Buffer.from(referencePage(document)) };
    kept.set(dialect, made);
    return made;
  };
}
