/** Sizes of pictures under their former addresses lead where the pictures are now. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';

const old = '/wp-content/uploads/2020/01';
let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'redirects.yaml': [
        `${old}/cat.jpg: /uploads/2020/01/cat.jpg`,
        `${old}/large-scaled.jpg: /uploads/2020/01/large.jpg`,
        `${old}/ha%C3%AFku.png: /uploads/2020/01/haiku.png`,
        `${old}/gone.jpg: { status: 410 }`,
        `${old}/cat-10x10.jpg: /uploads/2020/01/tiny.jpg`,
        '',
      ].join('\n'),
      'posts/size.md': '---\nid: 7\ntitle: Size\nslug: size-300x200\ndate: 2026-03-01T10:00:00\n---\nText\n',
    },
  });
});
afterAll(() => site.close());

it.each([
  ['a size', `${old}/cat-300x200.jpg`, 301, '/uploads/2020/01/cat.jpg'],
  ['one with a line of its own', `${old}/cat-10x10.jpg`, 301, '/uploads/2020/01/tiny.jpg'],
  ['a size of a picture that was made smaller', `${old}/large-1024x768.jpg`, 301, '/uploads/2020/01/large.jpg'],
  ['a name with other letters', `${old}/ha%C3%AFku-150x150.png`, 301, '/uploads/2020/01/haiku.png'],
  ['what is gone', `${old}/gone-150x150.jpg`, 410, null],
  ['a picture that nobody knows', `${old}/dog-300x200.jpg`, 404, null],
  ['another folder', '/2020/01/cat-300x200.jpg', 404, null],
  ['a post that is called like one', '/size-300x200/', 200, null],
])('%s', async (_name, path, status, to) => {
  const answer = await site.ask('GET', path, { raw: true });
  expect([answer.status, answer.headers.get('location')]).toEqual([status, to && site.url + to]);
});
