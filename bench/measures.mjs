/**
 * What is measured over HTTP. Each row is a set of GETs whose answers a raw server then repeats byte for byte.
 *
 * `repeated`: one address again and again over ten connections. `distinct`: many addresses, none asked for twice, over one
 * connection; the items shown may have been shown in other answers before. `first`: items nobody has asked for since the start.
 * `by` is what the ratio compares: `cpu` time of the server process for a request, or the `rate` of requests.
 */
import { rareWord } from './corpus.mjs';

const posts = '/cms-json/cms/v2/posts';
const each = (count, path) => Array.from({ length: count }, (_, at) => path(at));
const pages = (total, wanted, perPage = 10) => Math.max(1, Math.min(wanted, Math.floor(total / perPage)));

/** @param total  posts in the corpus, ids from `first` */
export function measuresFor(total, first) {
  const item = (at) => `${posts}/${first + ((at * 7919) % total)}`;
  const spread = (at) => 1 + ((at * 37) % pages(total, 2000));
  return [
    { name: 'item', about: 'one post', kind: 'repeated', by: 'cpu', bar: 1.4, aim: 1.15, paths: [item(1)] },
    { name: 'list of 10', about: 'the newest posts', kind: 'repeated', by: 'rate', bar: 0.8, aim: 0.9, paths: [posts] },
    {
      name: 'list of 100',
      about: 'the newest posts',
      kind: 'repeated',
      by: 'rate',
      bar: 0.65,
      aim: 0.85,
      paths: [`${posts}?per_page=100`],
    },
    {
      name: '304',
      about: 'a list the client has',
      kind: 'repeated',
      by: 'cpu',
      bar: 1.5,
      aim: 1.1,
      paths: [posts],
      conditional: true,
    },
    {
      name: 'original',
      about: 'the list in the original spelling',
      kind: 'repeated',
      by: 'rate',
      bar: 0.8,
      aim: 0.9,
      paths: ['/wp-json/wp/v2/posts'],
    },
    {
      name: 'signed in',
      about: 'the list by application password, raw: the list of a visitor',
      kind: 'repeated',
      by: 'cpu',
      bar: 1.5,
      aim: 1.2,
      paths: [posts],
      signedIn: true,
    },
    ...[
      { name: 'items', about: 'posts by id', paths: each(Math.min(total, 2000), item) },
      {
        name: 'slugs',
        about: 'posts by slug',
        paths: each(Math.min(total, 1000), (at) => `${posts}?slug=post-${1 + ((at * 7919) % total)}`),
      },
      {
        name: 'categories',
        about: 'filtered by category, pages',
        paths: each(200, (at) => `${posts}?categories=${1 + (at % 50)}&page=${1 + (at % 2)}`),
      },
      // A tag has five posts for every thousand: with ten on a page, the answers of a small folder would be half as long.
      { name: 'tags', about: 'filtered by tag', paths: each(500, (at) => `${posts}?tags=${51 + at}&per_page=5`) },
      {
        name: 'dates',
        about: 'between two dates',
        paths: each(
          200,
          (at) =>
            `${posts}?after=20${15 + (at % 10)}-0${1 + (at % 9)}-01T00:00:00&before=20${16 + (at % 10)}-0${1 + (at % 9)}-01T00:00:00`,
        ),
      },
      {
        name: 'title order',
        about: 'sorted by title, pages',
        paths: each(pages(total, 300), (at) => `${posts}?orderby=title&order=asc&page=${spread(at)}`),
      },
      {
        name: 'deep pages',
        about: 'page 500 and around',
        paths: each(pages(total, 200), (at) => `${posts}?page=${Math.max(1, pages(total, 500) - at)}`),
      },
      {
        name: '_fields',
        about: 'id and title, pages',
        paths: each(pages(total, 500), (at) => `${posts}?_fields=id,title&page=${spread(at)}`),
      },
      {
        name: '_embed',
        about: 'with author and terms, pages',
        paths: each(pages(total, 200), (at) => `${posts}?_embed&page=${spread(at)}`),
      },
    ].map((row) => ({ ...row, kind: 'distinct', by: 'cpu', bar: 5, aim: 3 })),
    {
      name: 'first views',
      about: 'posts nobody has asked for yet',
      kind: 'first',
      by: 'cpu',
      paths: each(Math.min(total, 300), (at) => `${posts}/${first + ((at * 104_729 + 13) % total)}`),
    },
  ];
}

/** Texts searched for, and what they are like; every total is exact. */
export const searches = [
  { name: 'rare', words: (at) => rareWord(at) },
  {
    name: 'one word',
    words: (at) => ['harbour', 'lantern', 'ledger', 'copper', 'whistle', 'kettle', 'timber', 'pilot'][at % 8],
  },
  { name: 'inside words', words: (at) => ['arb', 'ante', 'edge', 'oppe', 'hist', 'ettl', 'imbe', 'ilo'][at % 8] },
  { name: 'two words', words: (at) => ['harbour+fog', 'ledger+warm', 'copper+gull', 'kettle+rope'][at % 4] },
  { name: 'phrase', words: (at) => ['%22the+harbour%22', '%22small+old%22', '%22grey+salt%22', '%22before+slowly%22'][at % 4] },
];
