import { dedent } from '../support/dedent.ts';
import { describeApi } from '../support/describe-api.ts';

const files = {
  'site.yaml': dedent`
    name: Quay
    types:
      book:
        plural: Books
        singular: Book
        rest_base: books
        taxonomies: [genre]
        supports: [title, editor]
      hidden:
        public: false
    taxonomies:
      genre:
        plural: Genres
        singular: Genre
        rest_base: genres
        hierarchical: true
  `,
  'books/tides.md': dedent`
    ---
    id: 70
    date: 2026-03-01
    genres: [sea]
    ---
    Text
  `,
  'terms/genre/sea.yaml': dedent`
    id: 60
    name: Sea
  `,
};

describeApi('types', { files, users: ['editor', 'subscriber'] }, [
  {
    name: 'visitors see the built-in and declared ones',
    does: 'GET /cms/v2/types',
    gets: [200, { post: { rest_base: 'posts' }, page: { hierarchical: true }, book: { name: 'Books', taxonomies: ['genre'] } }],
  },
  {
    name: 'a declared one links to its items',
    does: 'GET /cms/v2/types/book',
    gets: [200, { slug: 'book', rest_base: 'books', _links: { 'cms:items': [{ href: '{rest}/cms/v2/books' }] } }],
  },
  {
    name: 'editors see what it supports',
    who: 'editor',
    does: 'GET /cms/v2/types/book?context=edit',
    gets: [200, { supports: { title: true, editor: true }, labels: { singular_name: 'Book' } }],
  },
  {
    name: 'visitors cannot use the edit context',
    does: 'GET /cms/v2/types/book?context=edit',
    gets: [401, 'rest_forbidden_context'],
  },
  {
    name: 'subscribers cannot use the edit context',
    who: 'subscriber',
    does: 'GET /cms/v2/types?context=edit',
    gets: [403, 'rest_cannot_view'],
  },
  {
    name: 'a list in place of a type is refused, whatever the rights',
    does: 'GET /cms/v2/taxonomies?context=edit&type[]=post',
    gets: [400, 'rest_invalid_param'],
  },
  { name: 'an unknown type is a 404', does: 'GET /cms/v2/types/nope', gets: [404, 'rest_type_invalid'] },
  { name: 'nobody can write them', who: 'admin', does: 'POST /cms/v2/types/book', body: {}, gets: [404, 'rest_no_route'] },
  {
    name: 'an item has its terms',
    does: 'GET /cms/v2/books/70',
    gets: [200, { slug: 'tides', type: 'book', genres: [60] }],
  },
  {
    name: 'an item of another type is not found',
    does: 'GET /cms/v2/posts/70',
    gets: [404, 'rest_post_invalid_id'],
  },
]);

describeApi('taxonomies', { files, users: ['editor'] }, [
  {
    name: 'visitors see the built-in and declared ones',
    does: 'GET /cms/v2/taxonomies',
    gets: [200, { category: { hierarchical: true }, post_tag: { rest_base: 'tags' }, genre: { types: ['book'] } }],
  },
  {
    name: 'can be filtered by type',
    does: 'GET /cms/v2/taxonomies?type=book',
    gets: [200, { genre: { slug: 'genre', rest_base: 'genres' } }],
  },
  {
    name: 'one links to its terms',
    does: 'GET /cms/v2/taxonomies/genre',
    gets: [200, { name: 'Genres', _links: { 'cms:items': [{ href: '{rest}/cms/v2/genres' }] } }],
  },
  {
    name: 'visitors cannot see capabilities',
    does: 'GET /cms/v2/taxonomies/genre?context=edit',
    gets: [401, 'rest_forbidden_context'],
  },
  {
    name: 'editors see capabilities',
    who: 'editor',
    does: 'GET /cms/v2/taxonomies/genre?context=edit',
    gets: [200, { capabilities: { manage_terms: 'manage_categories' }, visibility: { public: true } }],
  },
  { name: 'an unknown taxonomy is a 404', does: 'GET /cms/v2/taxonomies/nope', gets: [404, 'rest_taxonomy_invalid'] },
]);
