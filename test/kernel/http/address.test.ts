/** Addresses of requests as routes of the interface. */
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/kernel/http/address.ts';

describe('an address', () => {
  it.each([
    ['/cms-json/cms/v2/posts', 'neutral', '/cms/v2/posts'],
    ['/wp-json/wp/v2/posts/', 'original', '/cms/v2/posts'],
    ['/cms-json', 'neutral', '/'],
    ['/cms-json/cms/v2/%70osts', 'neutral', '/cms/v2/%70osts'],
    // What is no escape stays as it is: there is no such route, and no error.
    ['/cms-json/cms/v2/%zz', 'neutral', '/cms/v2/%zz'],
    ['/cms-json/%', 'neutral', '/%'],
    ['/cms-json/%ff%fe', 'neutral', '/%ff%fe'],
    ['/?rest_route=/cms/v2/posts', 'neutral', '/cms/v2/posts'],
    ['/index.php?rest_route=/wp/v2/posts', 'original', '/cms/v2/posts'],
    ['/?rest_route=/%zz', 'neutral', '/%zz'],
  ])('%s', (target, dialect, route) => {
    const address = readAddress(target);
    expect([address?.dialect.name, address?.route]).toEqual([dialect, route]);
  });

  it.each(['/', '/about/', '/cms-jsonx', '/about/?rest_route=/cms/v2/posts', '/?rest_route[a]=/', '/%zz'])(
    '%s is not below the API root',
    (target) => expect(readAddress(target)).toBeNull(),
  );
});
