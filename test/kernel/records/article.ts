/** A table in miniature of everything a spec can say, for the tests of this folder. */

import type { Key, TableSpec } from '../../../src/kernel/records/types.ts';

export interface Article {
  readonly id: number;
  readonly slug: string | undefined;
  readonly kind: string;
  readonly status: string;
  readonly tags: readonly Key[];
  readonly parent: number | undefined;
  readonly date: string;
  readonly rank: number;
  readonly title: string;
  readonly body: string;
}

export const articles: TableSpec<Article> = {
  name: 'articles',
  unique: { slug: (article) => article.slug },
  equal: {
    kind: (article) => article.kind,
    status: (article) => article.status,
    tag: (article) => article.tags,
    parent: (article) => article.parent,
  },
  order: {
    id: (article) => article.id,
    date: (article) => article.date,
    rank: (article) => article.rank,
    title: (article) => article.title.toLowerCase(),
  },
  text: { title: (article) => article.title, body: (article) => article.body },
  isSearched: true,
  views: [
    { by: ['kind', 'status'], order: 'date' },
    { by: ['tag'], order: 'date' },
    { by: ['status'], order: 'title' },
  ],
};

export const article = (id: number, own: Partial<Article> = {}): Article => ({
  id,
  slug: `article-${id}`,
  kind: 'post',
  status: 'publish',
  tags: [],
  parent: undefined,
  date: `2024-01-${String((id % 28) + 1).padStart(2, '0')}`,
  rank: 0,
  title: `Article ${id}`,
  body: '',
  ...own,
});
