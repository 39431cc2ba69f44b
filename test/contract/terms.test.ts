import { dedent } from '../support/dedent.ts';
import { describeApi } from '../support/describe-api.ts';

const files = {
  'terms/category/boats.yaml': dedent`
    id: 60
    name: Boats
  `,
  'terms/category/ferries.yaml': dedent`
    id: 61
    name: Ferries
    parent: boats
  `,
  'terms/category/0-dinghies.yaml': dedent`
    id: 63
    name: Dinghies
    parent: ships
  `,
  'terms/category/vessels.yaml': dedent`
    id: 64
    name: Vessels
    aliases: [ships]
  `,
  'terms/tag/rain.yaml': dedent`
    id: 62
    name: Rain
  `,
  'posts/2026/03/crossing.md': dedent`
    ---
    id: 70
    date: 2026-03-01
    categories: [ferries]
    ---
    Text
  `,
};

describeApi('terms', { files, users: ['editor', 'author', 'subscriber'] }, [
  {
    name: 'are listed by name, with totals',
    does: 'GET /cms/v2/categories?slug=boats,ferries',
    gets: [
      200,
      [
        { id: 60, name: 'Boats', count: 0 },
        { id: 61, parent: 60, count: 1, _links: { up: [{ href: '{rest}/cms/v2/categories/60' }] } },
      ],
    ],
    headers: { 'X-CMS-Total': '2', 'X-CMS-TotalPages': '1' },
  },
  {
    name: 'are found by former names, whichever file is read first',
    does: 'GET /cms/v2/categories?include=63,64&orderby=include',
    gets: [
      200,
      [
        { id: 63, parent: 64 },
        { id: 64, slug: 'vessels' },
      ],
    ],
  },
  { name: 'belong to one taxonomy', does: 'GET /cms/v2/tags/60', gets: [404, 'rest_term_invalid'] },
  { name: 'have an edit context for editors', does: 'GET /cms/v2/tags/62?context=edit', gets: [401, 'rest_forbidden_context'] },
  {
    name: 'can be created by editors',
    who: 'editor',
    does: 'POST /cms/v2/categories',
    body: { name: 'Tugs', parent: 60 },
    gets: [201, { name: 'Tugs', slug: 'tugs', parent: 60, taxonomy: 'category' }],
    headers: { Location: /\/v2\/categories\/\d+$/ },
    writes: ['terms/category/tugs.yaml'],
  },
  {
    name: 'cannot be created twice',
    who: 'editor',
    does: 'POST /cms/v2/categories',
    body: { name: 'Boats' },
    gets: [400, 'term_exists'],
  },
  {
    name: 'need a name',
    who: 'editor',
    does: 'POST /cms/v2/categories',
    body: { slug: 'x' },
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'have no parent in a flat taxonomy',
    who: 'editor',
    does: 'POST /cms/v2/tags',
    body: { name: 'Fog', parent: 62 },
    gets: [400, 'rest_taxonomy_not_hierarchical'],
  },
  {
    name: 'cannot be created by visitors',
    does: 'POST /cms/v2/tags',
    body: { name: 'Fog' },
    gets: [401, 'rest_cannot_create'],
  },
  {
    name: 'cannot be created by subscribers',
    who: 'subscriber',
    does: 'POST /cms/v2/tags',
    body: { name: 'Fog' },
    gets: [403, 'rest_cannot_create'],
  },
  {
    name: 'move with their slug',
    who: 'editor',
    does: 'PUT /cms/v2/tags/62',
    body: { slug: 'drizzle' },
    gets: [200, { id: 62, name: 'Rain', slug: 'drizzle' }],
    writes: ['terms/tag/rain.yaml', 'terms/tag/drizzle.yaml'],
  },
  {
    name: 'cannot be changed by authors',
    who: 'author',
    does: 'PUT /cms/v2/categories/60',
    body: { name: 'Ships' },
    gets: [403, 'rest_cannot_update'],
  },
  {
    name: 'cannot be trashed',
    who: 'editor',
    does: 'DELETE /cms/v2/tags/62',
    gets: [501, 'rest_trash_not_supported'],
  },
  {
    name: 'with items are not deleted where that was asked for',
    who: 'editor',
    does: 'DELETE /cms/v2/categories/61?force=true&unused=true',
    gets: [412, 'rest_conflict'],
    writes: [],
  },
  {
    name: 'without posts can be left out, unless one below them has some',
    does: 'GET /cms/v2/categories?include=60,61,63,64&hide_empty=true',
    gets: [200, [{ id: 60, count: 0 }, { id: 61 }]],
  },
  {
    name: 'can be deleted, and their children move up',
    who: 'editor',
    does: 'DELETE /cms/v2/categories/60?force=true',
    gets: [200, { deleted: true, previous: { id: 60, slug: 'boats' } }],
    writes: ['terms/category/boats.yaml', 'terms/category/ferries.yaml', 'terms/category/tugs.yaml'],
  },
  { name: 'are a 404 afterwards', does: 'GET /cms/v2/categories/60', gets: [404, 'rest_term_invalid'] },
]);
