/**
 * The OpenAPI document of a site, and its page.
 *
 * Shape    the document; a page of HTML
 * Access   everyone: it describes routes, and contains no items
 * Source   OpenAPI Specification 3.1.1
 */
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { answer, anyone, type Call, READ } from '../../../kernel/rest/types.ts';
import { type OpenApi, openApiOf } from './document.ts';
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
          handle: (call) => answer(jsonOf(kept(call)), { headers: { 'Content-Type': 'application/json; charset=UTF-8' } }),
        },
      ],
    },
    {
      path: '/reference',
      ...unlisted,
      endpoints: [
        { methods: READ, args: {}, allow: anyone, handle: (call) => answer(pageOf(kept(call)), { headers: pageHeaders }) },
      ],
    },
  ];
}

/** The document for one state of the site; each format is made on first request. */
interface Kept {
  readonly state: string;
  readonly document: OpenApi;
  json?: Buffer;
  page?: Buffer;
}

/** The documents of each dialect. Rebuilt when settings, URL or routes change, since building takes a tenth of a second. */
function createDocuments(): (call: Call) => Kept {
  const kept = new Map<Dialect, Kept>();
  return ({ request: { dialect }, site, dispatcher, registry }) => {
    const state = `${site.settings.entry?.etag} ${site.url} ${registry.routes.length}`;
    const known = kept.get(dialect);
    if (known?.state === state) return known;
    const made = { state, document: openApiOf(visitorCall(dispatcher, dialect)) };
    kept.set(dialect, made);
    return made;
  };
}

function jsonOf(kept: Kept): Buffer {
  kept.json ??= Buffer.from(JSON.stringify(kept.document));
  return kept.json;
}

function pageOf(kept: Kept): Buffer {
  kept.page ??= Buffer.from(referencePage(kept.document));
  return kept.page;
}
