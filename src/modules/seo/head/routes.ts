/**
 * The head of any page of the site by its address.
 *
 * Access   everyone; what the caller may not see is missing
 * Errors   rest_missing_callback_param, rest_invalid_param
 * Source   reference on seo/v1, 3.9
 */
import { of } from '../../../kernel/model/schema.ts';
import type { Arg } from '../../../kernel/rest/args.ts';
import { answer, type Call, type Namespace, READ } from '../../../kernel/rest/types.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

const address: Arg = {
  ...of('string', 'Absolute address of a page of the site.'),
  required: true,
  validate: (value) => (typeof value === 'string' && /^[a-z][a-z\d+.-]*:\/\/[^/?#]/i.test(value) && isUrl(value) ? null : false),
};

export const headRoutes: Namespace['routes'] = [
  {
    path: '/seo/v1/get_head',
    endpoints: [
      {
        methods: READ,
        args: { url: address },
        allow: ({ site }) => (site.seo.options().headInAnswers ? null : 'rest_no_route'),
        handle: readHead,
      },
    ],
  },
];

async function readHead({ site, params, user }: Call) {
  const found = site.heads.targetAt(params.url);
  if (found !== null && site.heads.isVisible(found, user)) {
    await site.heads.prepare(found);
    return site.heads.answerTo(found);
  }
  const status = 404;
  return answer({ ...site.heads.of({ kind: 'missing', slug: lastSegment(params.url) }), status }, { status });
}

function lastSegment(url: string): string {
  return decoded(new URL(url).pathname.split('/').findLast((segment) => segment !== '') ?? '');
}
