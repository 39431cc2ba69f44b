/** Settings of how posts are written, read and discussed. */
import { fileOnly, line, type Setting, shownNumber, shownText } from '../../../kernel/model/settings.ts';
import type { Schema } from '../../../kernel/model/schema.ts';

const groups: Readonly<Record<string, readonly Omit<Setting, 'group'>[]>> = {
  writing: [
    { key: 'smilies', name: 'use_smilies', schema: { title: '', type: 'boolean', default: true }, default: true },
    {
      key: 'default_category',
      name: 'default_category',
      schema: shownNumber(),
      default: undefined,
      refers: 'category',
      rereads: true,
    },
    {
      key: 'default_format',
      name: 'default_post_format',
      schema: shownText(),
      bounds: { pattern: '^[a-z0-9-]{0,40}$' },
      default: '0',
    },
    { key: 'typography', schema: fileOnly('Curly quotes, dashes and ellipses in titles and texts', 'boolean'), default: true },
  ],
  reading: [
    {
      key: 'posts_per_page',
      name: 'posts_per_page',
      schema: { ...shownNumber('Maximum posts per page'), default: 10 },
      bounds: { minimum: -1, maximum: 10_000 },
      default: 10,
    },
    {
      key: 'front',
      name: 'show_on_front',
      index: 'show_on_front',
      schema: shownText('Show on front'),
      bounds: line,
      default: 'posts',
    },
    {
      key: 'front_page',
      name: 'page_on_front',
      index: 'page_on_front',
      schema: shownNumber('Page on front'),
      default: 0,
      refers: 'page',
    },
    { key: 'posts_page', name: 'page_for_posts', index: 'page_for_posts', schema: shownNumber(), default: 0, refers: 'page' },
    {
      key: 'permalink',
      schema: {
        ...fileOnly('Pattern of post URLs, from {slug}, {id}, {year}, {month}, {day}, {category}, {author}', 'string'),
      },
      bounds: { form: 'permalink', maxLength: 200, minLength: 1 },
      default: '/{slug}/',
    },
  ],
  discussion: [
    { key: 'pings', name: 'default_ping_status', schema: openOrClosed(), default: 'open' },
    { key: 'comments', name: 'default_comment_status', schema: openOrClosed('Allow comments on new posts'), default: 'open' },
  ],
};

export const contentSettings: readonly Setting[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map((row) => ({ ...row, group })),
);

function openOrClosed(title = ''): Schema {
  return { ...shownText(title), enum: ['open', 'closed'] };
}
