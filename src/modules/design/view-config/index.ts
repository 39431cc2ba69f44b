/**
 * How editors list and edit what there is, as a module.
 *
 * Shape    the list as it is shown at first, views to choose from, the form of one item
 * Access   of a type: whoever edits its items; of a taxonomy: whoever manages its terms; of `root`: whoever manages settings; of
 *          anything else: whoever edits posts
 * Errors   rest_cannot_read, rest_view_config_invalid_entity
 * Source   conformance recordings of version 7.1: view-config, new-of-7.1
 */
import { fail } from '../../../kernel/errors.ts';
import type { Module } from '../../../kernel/module.ts';
import { of, resourceSchema } from '../../../kernel/model/schema.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { type Dialect, dialects } from '../../../kernel/rest/dialect.ts';
import { type Call, READ, type AccessRule } from '../../../kernel/rest/types.ts';
import { viewConfigErrors } from './errors.ts';
import { configOfType, plainConfig, type ViewConfig } from './views.ts';
import { viewConfigSchema } from './schema.ts';

const args = {
  kind: of('string', 'Kind of what is listed: postType, taxonomy, root or another word.', { required: true }),
  name: of('string', 'Name of what is listed, as of a type.', { required: true }),
};

export const viewConfigs: Module = {
  name: 'view-config',
  errors: viewConfigErrors,
  namespaces: () => [
    {
      name: 'cms/v2',
      routes: [
        {
          path: '/cms/v2/view-config',
          schema: () => resourceSchema('view-config', viewConfigSchema),
          endpoints: [{ methods: READ, args, allow: mayRead, handle: viewConfig }],
        },
      ],
    },
  ],
};

/** The required permission, and the response. */
interface Listed {
  readonly name: string;
  readonly capability: string;
  readonly config: () => ViewConfig;
}

/** @throws RestError rest_view_config_invalid_entity, also to visitors, like the reference */
function listedBy({ site, params, request }: Call): Listed {
  const kind = scalarText(params.kind);
  const name = nameOf(scalarText(params.name), kind, request.dialect);
  const plain = (capability: string): Listed => ({ name, capability, config: () => plainConfig });
  if (kind === 'postType') {
    const type = site.types.get(name);
    if (!type?.showInRest) return fail('rest_view_config_invalid_entity');
    return { name, capability: type.capabilities.edit_posts, config: () => configOfType(site, type) };
  }
  if (kind === 'taxonomy') {
    const taxonomy = site.taxonomies.get(name);
    return taxonomy?.showInRest ? plain(taxonomy.capabilities.manage_terms) : fail('rest_view_config_invalid_entity');
  }
  return plain(kind === 'root' ? 'manage_options' : 'edit_posts');
}

/** Types in either dialect, as current editors send them. */
function nameOf(word: string, kind: string, dialect: Dialect): string {
  return kind === 'postType'
    ? [dialect, ...dialects].reduce((name, { readWord }) => readWord(name), word)
    : dialect.readWord(word);
}

const mayRead: AccessRule = (call) => (call.can(listedBy(call).capability) ? null : 'rest_cannot_read');

function viewConfig(call: Call): unknown {
  const { name, config } = listedBy(call);
  const { defaultView, defaultLayouts, viewList, form } = config();
  return {
    kind: call.params.kind,
    name: call.request.dialect.wireName(name),
    version: 1,
    default_view: defaultView,
    default_layouts: defaultLayouts,
    view_list: viewList,
    form,
  };
}
