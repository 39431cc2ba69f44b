/**
 * What is measured, one row each: a GET whose answer a raw server then repeats byte for byte. `path` is below the server's
 * address; `headers` are sent with every request.
 */
export const measures = [
  { name: 'list', about: 'the ten newest posts', path: '/cms-json/cms/v2/posts' },
  { name: 'fields', about: 'the ten newest, id and title', path: '/cms-json/cms/v2/posts?_fields=id,title' },
  { name: 'item', about: 'one post', path: '/cms-json/cms/v2/posts/1000' },
  { name: 'original', about: 'the list in the original spelling', path: '/wp-json/wp/v2/posts' },
];
