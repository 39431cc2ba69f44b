/** Ways that lead nowhere, in circles or twice: redirects, aliases and wiki links. */
import { describe } from 'vitest';
import { body, findEach, front, post, sound } from './findings.ts';

const wiki = { 'site.yaml': `${sound['site.yaml']}wiki_links: true\n` };

describe('redirects', () => {
  findEach([
    {
      name: 'in a circle over whole addresses of the site',
      files: { 'redirects.yaml': '/a: https://quay.example/b/\n/b: /c\n/c: https://www.quay.example/a?x=1\n' },
      says: [
        'redirects.yaml 1:1 error redirect-loop',
        'redirects.yaml 2:1 error redirect-loop',
        'redirects.yaml 3:1 error redirect-loop',
      ],
    },
    {
      name: 'in a chain over whole addresses, with the end to be written',
      files: { 'redirects.yaml': '/a: https://quay.example/b/\n/b: /hello/\n' },
      says: ['redirects.yaml 1:1 warning redirect-chain'],
      hint: 'write /hello/',
    },
    {
      name: 'into a circle of others',
      files: { 'redirects.yaml': '/a: /b\n/b: https://quay.example/c\n/c: https://quay.example/b\n' },
      says: [
        'redirects.yaml 1:1 warning redirect-chain',
        'redirects.yaml 2:1 error redirect-loop',
        'redirects.yaml 3:1 error redirect-loop',
      ],
    },
    {
      name: 'to a former slug',
      files: { 'redirects.yaml': '/a: /good-day/\n' },
      says: ['redirects.yaml 1:1 warning redirect-chain'],
      hint: 'write /hello/',
    },
    { name: 'to the same path elsewhere', files: { 'redirects.yaml': '/a: https://other.example/a\n' }, says: [] },
  ]);
});

describe('aliases', () => {
  findEach([
    {
      name: 'that redirects.yaml sends elsewhere',
      files: { 'redirects.yaml': '/good-day/: /about/\n' },
      says: ['13:5 warning taken-alias'],
      hint: 'remove one of the two',
    },
    { name: 'that redirects.yaml sends to the item', files: { 'redirects.yaml': '/good-day/: /hello/\n' }, says: [] },
    {
      name: 'that are gone by redirects.yaml',
      files: { 'redirects.yaml': '/good-day/: 410\n' },
      says: ['13:5 warning taken-alias'],
    },
    {
      name: 'of two items',
      files: {
        'posts/other.md':
          '---\nid: 9\ntitle: Other\ndate: 2026-03-01\nauthor: anna\ncategories: [news]\naliases: [/Good-Day]\n---\nText\n',
      },
      says: ['posts/other.md 7:11 warning taken-alias'],
    },
    {
      name: 'that are said twice by one item',
      files: {
        [post]: front(
          'id: 1',
          'author: anna',
          'categories: [news]',
          'tags: [walks]',
          'featured_media: 2026/03/cat.jpg',
          'aliases: [good-day, /good-day/]',
        ),
      },
      says: [],
    },
  ]);
});

describe('wiki links', () => {
  findEach([
    {
      name: 'are text without the setting',
      files: body('[[Nobody]]\n'),
      says: [],
    },
    {
      name: 'of items and pictures',
      files: { ...wiki, ...body('[[About]], [[team|us]], [[Team#Now]], ![[cat.jpg]], ![[2026/03/cat.jpg]], `[[code]]`\n') },
      says: [],
    },
    {
      name: 'that lead nowhere',
      files: { ...wiki, ...body('One [[Nobody]]\nand ![[dog.png]] and [[03/cat.png|a cat]].\n') },
      says: ['5:5 warning wiki-link', '6:5 warning wiki-link', '6:22 warning wiki-link'],
    },
    { name: 'in markup are text', files: { ...wiki, 'pages/raw.html': '---\nid: 30\ntitle: Raw\n---\n[[Nobody]]\n' }, says: [] },
  ]);
});
