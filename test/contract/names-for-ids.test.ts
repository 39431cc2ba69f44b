import { dedent } from '../support/dedent.ts';
import { describeApi } from '../support/describe-api.ts';

const files = {
  'site.yaml': dedent`
    name: Quay
    timezone: UTC
    revisions: 0
    types:
      book: { rest_base: books, taxonomies: [genre] }
      chapter: { rest_base: chapters, hierarchical: true }
    taxonomies:
      genre: { rest_base: genres, hierarchical: true }
  `,
  'users/anna.yaml': 'id: 50\nname: Anna\naliases: [annie]\n',
  'users/bert.yaml': 'id: 51\nname: Bert\n',
  'terms/category/notes.yaml': 'id: 60\nname: Notes\naliases: [memos]\n',
  'terms/category/harbour.yaml': 'id: 61\nname: Harbour\nparent: notes\n',
  'terms/tag/fog.yaml': 'id: 62\nname: Fog\n',
  'terms/tag/2026-fog.yaml': 'id: 63\nname: Fog of 2026\n',
  'terms/genre/sea.yaml': 'id: 64\nname: Sea\n',
  'terms/genre/ships.yaml': 'id: 65\nname: Ships\nparent: sea\n',
  'posts/2026/03/boats.md':
    '---\nid: 70\ntitle: Boats\ndate: 2026-03-01\nauthor: anna\ncategories: [notes]\ntags: [fog]\n---\nText\n',
  'posts/2026/03/ferries.md':
    '---\nid: 71\ntitle: Ferries\ndate: 2026-03-02\nauthor: anna\ncategories: [harbour]\ntags: [2026-fog]\n---\nText\n',
  'posts/2026/03/later.md': '---\nid: 72\ntitle: Later\nauthor: bert\nstatus: draft\n---\nText\n',
  'pages/about/index.md': '---\nid: 80\ntitle: About\ndate: 2026-03-01\n---\nText\n',
  'pages/about/team.md': '---\nid: 81\ntitle: Team\ndate: 2026-03-01\naliases: [/crew/]\n---\nText\n',
  'pages/plans.md': '---\nid: 82\ntitle: Plans\nstatus: draft\n---\nText\n',
  'books/moby.md': '---\nid: 83\ntitle: Moby\ndate: 2026-03-01\ngenres: [sea]\n---\nText\n',
  'chapters/one/index.md': '---\nid: 84\ntitle: One\ndate: 2026-03-01\n---\nText\n',
  'chapters/one/two.md': '---\nid: 85\ntitle: Two\ndate: 2026-03-01\n---\nText\n',
  'media/2026/03/quay.png.yaml': 'id: 86\ndate: 2026-03-01\nfetch: https://example.org/quay.png\n',
};

const ids = (...some: readonly number[]): [number, object] => [200, some.map((id) => ({ id }))];
const posts = (query: string): string => `GET /cms/v2/posts?_fields=id&orderby=id&order=asc&${query}`;

describeApi('names in place of ids', { files, users: ['editor', 'author', 'contributor'] }, [
  { name: 'filter by categories', does: posts('categories=notes,harbour'), gets: ids(70, 71) },
  { name: 'can be mixed with ids', does: posts('categories=60,harbour'), gets: ids(70, 71) },
  { name: 'can be lists', does: posts('categories[]=harbour'), gets: ids(71) },
  {
    name: 'work in a tax query',
    does: posts('categories[terms][]=notes&categories[include_children]=true'),
    gets: ids(70, 71),
  },
  {
    name: 'work in a tax query with commas',
    does: posts('categories[terms]=notes,harbour&categories[operator]=AND'),
    gets: ids(),
  },
  { name: 'exclude', does: posts('categories_exclude=notes'), gets: ids(71) },
  { name: 'can be former names', does: posts('categories=memos'), gets: ids(70) },
  { name: 'ignore case', does: posts('tags=Fog'), gets: ids(70) },
  { name: 'may begin with a digit', does: posts('tags=2026-fog'), gets: ids(71) },
  { name: 'belong to their own taxonomy', does: posts('tags=notes'), gets: [400, 'rest_invalid_param'] },
  {
    name: 'are refused like unknown ids if nothing has them',
    does: posts('categories=notes,nothing'),
    gets: [400, 'rest_invalid_param'],
  },
  { name: 'are ids if they are numbers', does: posts('categories=2026'), gets: ids() },
  { name: 'filter by custom taxonomies', does: 'GET /cms/v2/books?genres=sea&_fields=id', gets: ids(83) },
  { name: 'filter terms by their parent', does: 'GET /cms/v2/categories?parent=notes&_fields=id', gets: ids(61) },
  { name: 'filter pages by their parent', does: 'GET /cms/v2/pages?parent=about&_fields=id', gets: ids(81) },
  { name: 'of drafts reveal nothing to visitors', does: 'GET /cms/v2/pages?parent=plans', gets: [400, 'rest_invalid_param'] },
  { name: 'of drafts work for their editors', who: 'editor', does: 'GET /cms/v2/pages?parent=plans', gets: ids() },
  { name: 'do not filter by author', does: posts('author=anna'), gets: [400, 'rest_invalid_param'] },
  { name: 'do not exclude authors', does: posts('author_exclude[]=anna'), gets: [400, 'rest_invalid_param'] },
  {
    name: 'do not filter comments by author',
    who: 'editor',
    does: 'GET /cms/v2/comments?author=anna',
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'can be written',
    who: 'editor',
    does: 'POST /cms/v2/posts',
    body: {
      title: 'New',
      status: 'publish',
      categories: ['notes', 61],
      tags: ['fog'],
      author: 'anna',
      featured_media: '2026/03/quay.png',
    },
    gets: [201, { categories: [61, 60], tags: [62], author: 50, featured_media: 86 }],
    writes: ['posts/2026/03/new.md'],
  },
  {
    name: 'can be written as one string',
    who: 'editor',
    does: 'POST /cms/v2/posts/70',
    body: { categories: 'notes,harbour' },
    gets: [200, { categories: [61, 60] }],
    writes: ['posts/2026/03/boats.md'],
  },
  {
    name: 'cannot be written if nothing has them',
    who: 'editor',
    does: 'POST /cms/v2/posts',
    body: { title: 'x', categories: ['a', 2] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'cannot be written for unknown users',
    who: 'editor',
    does: 'POST /cms/v2/posts',
    body: { title: 'x', author: 'someone' },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'grant no rights',
    who: 'contributor',
    does: 'POST /cms/v2/posts',
    body: { title: 'x', author: 'anna' },
    gets: [403, 'rest_cannot_edit_others'],
  },
  {
    name: 'set the parent of a page',
    who: 'editor',
    does: 'POST /cms/v2/pages',
    body: { title: 'History', status: 'publish', parent: 'about' },
    gets: [201, { parent: 80, link: '{url}/about/history/' }],
    writes: ['pages/about/history.md'],
  },
  {
    name: 'set the parent of a term',
    who: 'editor',
    does: 'POST /cms/v2/categories',
    body: { name: 'Tugs', parent: 'harbour' },
    gets: [201, { parent: 61 }],
    writes: ['terms/category/tugs.yaml'],
  },
]);

describeApi('items by URL', { files, users: ['editor'] }, [
  { name: 'can be pages', does: 'GET /cms/v2/pages?path=/about/team&_fields=id', gets: ids(81), headers: { 'X-CMS-Total': '1' } },
  { name: 'work with and without slashes', does: 'GET /cms/v2/pages?path=about/team/&_fields=id', gets: ids(81) },
  {
    name: 'can be several',
    does: 'GET /cms/v2/pages?path[]=/about/&path[]=/about/team/&orderby=id&order=asc&_fields=id',
    gets: ids(80, 81),
  },
  { name: 'can be posts', does: 'GET /cms/v2/posts?path=/boats/&_fields=id', gets: ids(70) },
  { name: 'are limited to the type of the route', does: 'GET /cms/v2/posts?path=/about/', gets: ids() },
  { name: 'can have a custom type', does: 'GET /cms/v2/books?path=/book/moby/&_fields=id', gets: ids(83) },
  { name: 'can be nested', does: 'GET /cms/v2/chapters?path=/chapter/one/two/&_fields=id', gets: ids(85) },
  { name: 'can be terms', does: 'GET /cms/v2/categories?path=/category/notes/harbour/&_fields=id', gets: ids(61) },
  { name: 'can be custom terms', does: 'GET /cms/v2/genres?path=/genre/sea/ships&_fields=id', gets: ids(65) },
  { name: 'can be nested terms', does: 'GET /cms/v2/categories?path=/category/harbour/', gets: ids() },
  { name: 'are not found at former URLs', does: 'GET /cms/v2/pages?path=/crew/', gets: ids() },
  {
    name: 'are hidden before publication',
    does: 'GET /cms/v2/pages?path=/plans/',
    gets: ids(),
    headers: { 'X-CMS-Total': '0' },
  },
  { name: 'are empty for an unknown URL', does: 'GET /cms/v2/pages?path=//..//%2e%2e/', gets: ids() },
  {
    name: 'include drafts for editors',
    who: 'editor',
    does: 'GET /cms/v2/pages?path=/plans&status=draft&_fields=id',
    gets: ids(82),
  },
]);
