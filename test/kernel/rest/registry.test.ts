/** Routes that a site may switch off. */
import { expect, it } from 'vitest';
import { compose } from '../../../src/kernel/rest/registry.ts';
import { anyone, READ, type Route } from '../../../src/kernel/rest/types.ts';

it('a route is registered only while it is served', () => {
  let isOn = true;
  const route = (path: string): Omit<Route, 'namespace'> => ({
    path,
    isServed: () => isOn,
    endpoints: [{ methods: READ, args: {}, allow: anyone, handle: () => null }],
  });
  const registry = compose([{ name: 'moods/v1', routes: [route('/moods/v1/all'), route('/moods/v1/(?P<id>[\\d]+)')] }]);
  const seen = () => [
    ...['/moods/v1/all', '/moods/v1/7'].flatMap((path) => [registry.match('GET', path), registry.find(path)].map(Boolean)),
    registry.routes.map(({ path }) => path),
  ];
  const paths = ['/moods/v1', '/moods/v1/all', '/moods/v1/(?P<id>[\\d]+)'];
  expect(seen()).toEqual([true, true, true, true, paths]);
  isOn = false;
  expect(seen()).toEqual([false, false, false, false, ['/moods/v1']]);
  isOn = true;
  expect(seen()).toEqual([true, true, true, true, paths]);
});
