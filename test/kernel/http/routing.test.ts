/**
 * Which requests a worker hands to the process that writes.
 */
import { describe, expect, it } from 'vitest';
import { createIsReading } from '../../../src/kernel/http/cluster/routing.ts';
import { compose } from '../../../src/kernel/rest/registry.ts';
import { anyone, READ } from '../../../src/kernel/rest/types.ts';
import type { Site } from '../../../src/kernel/site/site.ts';

const endpoints = [{ methods: READ, args: {}, allow: anyone, handle: () => null }];
const registry = compose([
  {
    name: 'cms/v2',
    routes: [
      { path: '/cms/v2/plain', endpoints },
      { path: '/cms/v2/fetched/(?P<id>[\\d]+)', needsWriter: true, endpoints },
      { path: '/cms/v2/things/(?P<id>[\\d]+)/run', needsWriter: true, endpoints },
      { path: '/cms/v2/things/(?P<id>[\\d]+)', endpoints },
    ],
  },
  { name: 'cms-site-health/v1', routes: [{ path: '/cms-site-health/v1/tests/(?P<name>.+)', needsWriter: true, endpoints }] },
]);
const site = { modules: { address: [], routeAt: () => undefined }, changing: ['/cms-admin/back'] } as unknown as Site;
const isReading = createIsReading(registry, site);

describe('a read-only worker', () => {
  it.each([
    '/cms-json/cms/v2/plain',
    '/cms-json/cms/v2/things/7',
    '/cms-json/cms/v2/plain?search=run',
    '/cms-json/cms/v2/fetched',
    '/index.php?rest_route=/cms/v2/plain',
    '/2024/01/run/',
    '/cms-admin/back/door',
    '/cms-login.php?redirect_to=/cms-admin/back',
    // No route: a path is not decoded.
    '/cms-json/cms/v2/f%65tched/7',
  ])('answers GET %s', (url) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(isReading({ method, url })).toBe(true);
  });

  it.each([
    '/cms-admin/back?code=7',
    '/cms-json/cms/v2/fetched/7',
    '/wp-json/wp/v2/fetched/7?x=1',
    '/cms-json/cms/v2/FETCHED/7',
    '/cms-json/cms/v2/things/7/run',
    '/?rest_route=/cms/v2/things/7/run',
    '/?rest_route=%2Fcms%2Fv2%2Fthings%2F7%2Frun',
    '/cms-json/cms-site-health/v1/tests/https-status',
    '/wp-json/wp-site-health/v1/tests/https-status',
  ])('forwards GET %s', (url) => {
    expect(isReading({ method: 'GET', url })).toBe(false);
  });

  it('forwards everything that is not a read', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', undefined])
      expect(isReading({ method, url: '/cms-json/cms/v2/plain' })).toBe(false);
  });
});
