/**
 * The site's translation document, `lang/v1`.
 *
 * Shape    its text, '' without one; validation returns a list of `{level, code, column, message, file, line}`, empty if valid
 * Access   manage_options
 * Errors   rest_forbidden, rest_invalid_param, lang_xml_invalid with the list as `errors`, lang_too_large
 * Source   specification 4.9; reference on languages, 3.1; recordings lang-service
 */
import { fail } from '../../../kernel/errors.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, needs, READ } from '../../../kernel/rest/types.ts';
import { configKey } from './record.ts';
import { validate } from './validate.ts';

const path = '/lang/v1/custom-xml-config';
/** In UTF-8. */
const maxBytes = 1024 * 1024;

const mayManage = needs('manage_options');

export const configRoutes: Namespace['routes'] = [
  {
    path,
    endpoints: [
      { methods: READ, args: {}, allow: mayManage, handle: ({ site }) => site.translationConfig.text },
      { methods: CREATE, args: {}, allow: mayManage, handle: store },
    ],
  },
  {
    path: `${path}/validate`,
    endpoints: [{ methods: CREATE, args: {}, allow: mayManage, handle: (call) => validate(contentOf(call)) }],
  },
];

async function store(call: Call): Promise<string> {
  const { site } = call;
  const content = contentOf(call);
  const errors = validate(content);
  if (errors.length > 0) fail('lang_xml_invalid', { errors });
  const text = /\w/.test(content) ? content : '';
  await site.write(() => {
    const data = { [configKey]: text === '' ? undefined : text };
    const write = { path: 'site.yaml', expect: site.settings.entry?.etag ?? null, data, order: [configKey] };
    return { changes: site.translationConfig.text === text ? [] : [write], result: null };
  });
  return text;
}

/** The parameter `content`, with line endings as in YAML. @throws RestError */
function contentOf({ request: { query, form, json } }: Call): string {
  const { content } = mergeParams(query, form, json);
  if (typeof content !== 'string')
    fail(
      'rest_invalid_param',
      { params: { content: 'content is not of type string.' }, details: [] },
      'Invalid parameter(s): content',
    );
  if (Buffer.byteLength(content) > maxBytes) fail('lang_too_large', { limit: maxBytes });
  return content;
}
