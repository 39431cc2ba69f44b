/** What `redirects.yaml` may say, and what is refused. */
import { describe, expect, it } from 'vitest';
import { readRedirects, safeTarget } from '../../../../src/modules/content/permalinks/redirects-file.ts';
import { parseYaml } from '../../../../src/kernel/yaml/parse.ts';
import { cpuMs } from '../../../support/long-texts.ts';

const read = (text: string) => readRedirects(parseYaml(text, 'redirects'));

describe('redirect targets', () => {
  it.each([
    ['/new/', '/new/'],
    ['/new/?a=1#b', '/new/?a=1#b'],
    ['/日本/', '/%E6%97%A5%E6%9C%AC/'],
    ['https://example.org/x', 'https://example.org/x'],
    ['HTTP://example.org', 'http://example.org/'],
  ])('%j is sent as %j', (target, sent) => expect(safeTarget(target)).toBe(sent));

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'mailto:a@example.org',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '/..//evil.example/',
    '/.//evil.example/',
    '/x/../..//evil.example',
    '/a\r\nSet-Cookie: x=1',
    '/a\nb',
    '/a b',
    'https://user:pass@evil.example/',
    'https://example.org@evil.example/',
    'https:/evil.example',
    'https:evil.example',
    'https://',
    'http:///evil.example',
    'new/',
    'evil.example',
    '',
  ])('%j is rejected', (target) => expect(safeTarget(target)).toBeNull());
});

describe('redirects.yaml', () => {
  it.each([
    ['a map', '/old/: /new/\n/gone/: 410\n/x: {to: /y, status: 307}\n'],
    ['a list', '- from: /old/\n  to: /new/\n- {from: /gone/, status: 410}\n- {from: /x, to: /y, status: 307}\n'],
    [
      'a list under its key',
      'redirects:\n  - from: /old/\n    to: /new/\n  - {from: /gone/, status: 410}\n  - {from: /x, to: /y, status: 307}\n',
    ],
    ['a list of pairs', '# moved\n- /old/: /new/\n- /gone/: 410\n- /x: {to: /y, status: 307}\n'],
  ])('%s', (_, text) => {
    const { redirects, faults } = read(text);
    expect(faults).toEqual([]);
    expect(redirects.map(({ key, to, status }) => [key, to, status])).toEqual([
      ['/old', '/new/', 301],
      ['/gone', '', 410],
      ['/x', '/y', 307],
    ]);
  });

  it.each([
    ['old: /new/', 'form', ['old']],
    ['//evil/: /new/', 'form', ['//evil/']],
    ['/: /new/', 'form', ['/']],
    ['/a/*: /new/', 'form', ['/a/*']],
    ['/a/:', 'form', ['/a/']],
    ['/a/: {status: 200, to: /b/}', 'form', ['/a/', 'status']],
    ['/a/: {status: 410, to: /b/}', 'form', ['/a/', 'to']],
    ['/a/: {to: "javascript:x"}', 'form', ['/a/', 'to']],
    ['/a/: [x]', 'form', ['/a/']],
    ['- x', 'form', ['redirects', 0]],
    ['- {to: /x/}', 'form', ['redirects', 0]],
    ['- {from: /a/, to: /b/}\n- {from: /A, to: /c/}', 'duplicate', ['redirects', 1]],
    ['/a/: /a', 'loop', ['/a/']],
  ])('%j is reported', (text, kind, keys) => {
    const { redirects, faults } = read(text);
    expect(faults).toMatchObject([{ kind, keys }]);
    expect(redirects.length).toBe(kind === 'duplicate' ? 1 : 0);
  });

  it('a loop of several redirects is ignored, redirects into it are followed', () => {
    const { redirects, faults } = read('/a/: /b/\n/b/: /c/?x=1\n/c/: /b/\n/d/: /e/\n');
    expect(redirects.map(({ from }) => from)).toEqual(['/a/', '/d/']);
    expect(faults.map(({ kind, keys }) => [kind, ...keys])).toEqual([
      ['loop', '/b/'],
      ['loop', '/c/'],
    ]);
  });

  it('tens of thousands of redirects in a chain load in time', async () => {
    const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`/p${at}/`, `/p${at + 1}/`]));
    expect(await cpuMs(() => expect(readRedirects(data).redirects).toHaveLength(50_000))).toBeLessThan(5000);
  });
});
