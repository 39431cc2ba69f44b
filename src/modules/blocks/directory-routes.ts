/**
 * Search in the directory of blocks that the operator names.
 *
 * Access   whoever installs and activates plugins
 * Errors   rest_block_directory_cannot_view, plugins_api_failed
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { askDirectory, type DirectoryBlock, readBlocks } from './directories.ts';
import { createOperatorFetcher, type Fetcher } from '../../kernel/http-client/fetch.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { type Context, type JsonType, of, type Schema } from '../../kernel/model/schema.ts';
import { contextArg, pageArg, perPageArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ, type Rule } from '../../kernel/rest/types.ts';
import { draft } from '../../kernel/rest/schema-helpers.ts';
import type { Site } from '../../kernel/site/site.ts';

const context: readonly Context[] = ['view'];
const field = (type: JsonType, description: string, more: Partial<Schema> = {}): Schema =>
  of(type, description, { context, ...more });

const fields: Fields<DirectoryBlock, Call> = {
  name: { schema: field('string', 'Name of the block.'), get: (block) => block.name },
  title: { schema: field('string', 'Title of the block.'), get: (block) => block.title },
  description: { schema: field('string', 'What the block is for.'), get: (block) => block.description },
  id: { schema: field('string', 'Name of its package.'), get: (block) => block.id },
  rating: { schema: field('number', 'Rating, up to 5.'), get: (block) => block.rating },
  rating_count: { schema: field('integer', 'How many rated it.'), get: (block) => block.ratingCount },
  active_installs: { schema: field('integer', 'How many sites use it.'), get: (block) => block.installs },
  author_block_rating: { schema: field('number', "Rating of its author's blocks."), get: (block) => block.authorRating },
  author_block_count: { schema: field('integer', 'How many blocks its author has.'), get: (block) => block.authorBlocks },
  author: { schema: field('string', 'Who made it.'), get: (block) => block.author },
  icon: { schema: field('string', 'Address of its icon.', { format: 'uri' }), get: (block) => block.icon },
  last_updated: {
    schema: field('string', 'When it was last changed, GMT.', { format: 'date-time' }),
    get: (block) => block.updated,
  },
  humanized_updated: {
    schema: field('string', 'When it was last changed, in words.'),
    get: (block, { site }) =>
      block.updated === ''
        ? ''
        : `${Math.max(0, Math.round((site.clock() - Date.parse(`${block.updated}Z`)) / 86_400_000))} days ago`,
  },
};

const project = createProjector<DirectoryBlock, Call>({
  fields,
  links: ({ id }, { urls }) => ({
    'cms:install-plugin': [{ href: urls.rest(`/cms/v2/plugins?slug=${encodeURIComponent(id)}`) }],
  }),
});

export function createBlockDirectory({ operator }: Site): Namespace['routes'] {
  const fetcher = createOperatorFetcher(operator);
  return [
    {
      path: '/cms/v2/block-directory/search',
      schema: draft('block-directory-item', schemasOf(fields)),
      endpoints: [
        {
          methods: READ,
          args: {
            context: contextArg(['view']),
            page: pageArg,
            per_page: perPageArg,
            term: of('string', 'Limit result set to blocks that match.', { minLength: 1, required: true }),
          },
          allow: maySearch,
          handle: (call) => search(call, operator.block_directory, fetcher),
        },
      ],
    },
  ];
}

async function search(call: Call, address: string, fetcher: Fetcher): Promise<Item[]> {
  const { term, page, per_page: perPage } = call.params;
  const query = { action: 'query_plugins', 'request[block]': term, 'request[page]': page, 'request[per_page]': perPage };
  const blocks = readBlocks(await askDirectory(fetcher, address, query)) ?? fail('plugins_api_failed');
  return blocks.map((block) => project(block, call, call));
}

function maySearch(call: Call): ReturnType<Rule> {
  return call.can('install_plugins') && call.can('activate_plugins') ? null : 'rest_block_directory_cannot_view';
}
