import { describe, expect, it } from 'vitest';
import { detailsOf } from '../../src/render/page-head.ts';

const nothing = { title: '', icon: '', description: '', image: '' };

describe('details of a page', () => {
  it.each([
    ['title', '<head><title>A &amp; B\n c</title></head>', { title: 'A & B c' }],
    ['only the first title', '<title>One</title><svg><title>Two</title></svg>', { title: 'One' }],
    ['description', '<meta name="description" content=" Said &quot;so&quot; ">', { description: 'Said "so"' }],
    ['description for sharing', '<meta content="Shared" property="og:description">', { description: 'Shared' }],
    ['icon', '<link rel="shortcut icon" href="/i.png">', { icon: 'https://a.example/i.png' }],
    ['icon elsewhere', '<link href=//b.example/i.png rel=icon>', { icon: 'https://b.example/i.png' }],
    ['icon as data', '<link rel=icon href="data:image/png;base64,AA">', { icon: 'data:image/png;base64,AA' }],
    ['no icon of code', '<link rel=icon href="javascript:e()">', {}],
    ['image', '<meta property="og:image" content="x/y.jpg">', { image: 'https://a.example/p/x/y.jpg' }],
    ['nothing of the body', '<body><title>No</title><meta name=description content=no></body>', {}],
    ['nothing', '', {}],
    ['no page', '\0<<<>>>"\'<', {}],
  ])('%s', (_, html, expected) => {
    expect(detailsOf(html, 'https://a.example/p/q')).toEqual({ ...nothing, ...expected });
  });
});
