/**
 * Search in the directory of blocks that the operator names.
 *
 * Access   whoever installs and activates plugins
 * Errors   rest_block_directory_cannot_view, plugins_api_failed
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import { createOperatorFetcher } from '../../../http-client/fetch.ts';
import { type Context, of } from '../../../kernel/model/schema.ts';
import { contextArg, pageArg, perPageArg } from '../../../kernel/rest/collection.ts';
import { defineResource, item } from '../../../kernel/rest/resource.ts';
import { integer, number, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call, Namespace } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { searchBlockDirectory } from './access.ts';
import { askDirectory, type DirectoryBlock, readBlocks } from './directories.ts';

const view = { context: ['view'] as readonly Context[] };

export function createBlockDirectory({ operator }: Site): Namespace['routes'] {
  const fetcher = createOperatorFetcher(operator);
  return defineResource<DirectoryBlock>({
    name: 'block-directory-item',
    base: '/cms/v2/block-directory',
    // biome-ignore format: a field a line, to be read against the catalogue
    fields: {
      name:                text('Name of the block.', view),
      title:               text('Title of the block.', view),
      description:         text('What the block is for.', view),
      id:                  text('Name of its package.', view),
      rating:              number('Rating, up to 5.', view),
      rating_count:        integer('How many rated it.', view),
      active_installs:     integer('How many sites use it.', { ...view, get: (block) => block.installs }),
      author_block_rating: number("Rating of its author's blocks.", { ...view, get: (block) => block.authorRating }),
      author_block_count:  integer('How many blocks its author has.', { ...view, get: (block) => block.authorBlocks }),
      author:              text('Who made it.', view),
      icon:                text('Address of its icon.', { ...view, format: 'uri' }),
      last_updated:        text('When it was last changed, GMT.', { ...view, format: 'date-time', get: (block) => block.updated }),
      humanized_updated:   text('When it was last changed, in words.', { ...view, get: age }),
    },
    links: ({ id }) => ({ 'cms:install-plugin': `/cms/v2/plugins?slug=${encodeURIComponent(id)}` }),
    routes: [
      item('search', {
        args: {
          context: contextArg(['view']),
          page: pageArg,
          per_page: perPageArg,
          term: of('string', 'Limit result set to blocks that match.', { minLength: 1, required: true }),
        },
        allow: searchBlockDirectory,
        async handle({ params }) {
          const { term, page, per_page: perPage } = params;
          const query = { action: 'query_plugins', 'request[block]': term, 'request[page]': page, 'request[per_page]': perPage };
          return readBlocks(await askDirectory(fetcher, operator.block_directory, query)) ?? fail('plugins_api_failed');
        },
      }),
    ],
  });
}

function age({ updated }: DirectoryBlock, { site }: Call): string {
  const days = (site.clock() - Date.parse(`${updated}Z`)) / 86_400_000;
  return updated === '' ? '' : `${Math.max(0, Math.round(days))} days ago`;
}
