/** What an operator may say of services, and addresses that nobody may ask. */
import { describe, expect, it } from 'vitest';
import { allowedCall, allowedFile } from '../../../../src/modules/translation/upstream/destinations.ts';
import { readTranslationSettings } from '../../../../src/modules/translation/upstream/settings.ts';

const editor = { ate_url: 'https://editor.example/base/', auth: { mode: 'bearer', token_env: 'EDITOR_TOKEN' } };

describe('settings of services', () => {
  it('are unset by default', () => {
    expect(readTranslationSettings({})).toEqual({ editor: null, agency: null, engines: [], receiveMs: 5000 });
  });

  it('have URLs without a trailing slash, and default paths', () => {
    const read = readTranslationSettings({
      editor: { ...editor, file_origins: ['https://files.example:8443/x'], paths: { create: '/jobs' } },
    });
    expect(read.editor).toMatchObject({
      editorUrl: 'https://editor.example/base',
      managerUrl: '',
      fileOrigins: ['https://files.example:8443'],
      timeoutMs: 15_000,
      paths: { create: '/jobs', sync: '/api/lang/sync/all' },
    });
  });

  it.each<[string, object, string]>([
    ['another key', { editors: {} }, 'editors'],
    ['no address', { editor: {} }, 'editor.ate_url'],
    ['an address with a password', { editor: { ...editor, ate_url: 'https://a:b@editor.example' } }, 'editor.ate_url'],
    ['an address of another kind', { editor: { ...editor, ams_url: 'ftp://editor.example' } }, 'editor.ams_url'],
    ['no credentials for a service elsewhere', { editor: { ate_url: 'https://editor.example' } }, 'editor.auth.mode'],
    [
      'a secret in place of the name of a variable',
      { editor: { ...editor, auth: { mode: 'bearer', token_env: 's3cret' } } },
      'editor.auth.token_env',
    ],
    ['another way to sign in', { editor: { ...editor, auth: { mode: 'digest' } } }, 'editor.auth.mode'],
    ['a path that leaves', { editor: { ...editor, paths: { create: '/../x' } } }, 'editor.paths.create'],
    ['an unknown path', { editor: { ...editor, paths: { other: '/x' } } }, 'editor.paths.other'],
    ['no time', { editor: { ...editor, timeout_ms: 0 } }, 'editor.timeout_ms'],
    ['origins that are no list', { editor: { ...editor, file_origins: 'x' } }, 'editor.file_origins'],
    ['an agency without a place', { agency: { id: '7' } }, 'agency'],
    [
      'an agency with two places',
      { agency: { id: '7', base_url: 'https://a.example', drop_dir: '/x', access_key_env: 'K' } },
      'agency',
    ],
    ['an agency called local', { agency: { id: 'local', drop_dir: '/x' } }, 'agency.id'],
    ['a relative folder', { agency: { id: '7', drop_dir: 'x' } }, 'agency.drop_dir'],
    ['an engine that is no map', { engines: { deep: 1 } }, 'engines.deep'],
    ['a formality that is no list', { engines: { deep: { formality: 'de' } } }, 'engines.deep.formality'],
  ])('are refused for %s', (_name, given, place) => {
    expect(() => readTranslationSettings(given as Record<string, unknown>)).toThrow(`translation_services.${place} `);
  });
});

describe('a proxy URL', () => {
  const bases = ['https://editor.test/api', 'http://127.0.0.1:9901'];
  it.each([
    'https://editor.test/api',
    'https://editor.test/api/x?y=%20',
    'https://EDITOR.test/api/x',
    'https://editor.test:443/api/x',
    'http://127.0.0.1:9901/x',
  ])('may be %s', (address) => expect(allowedCall(address, bases)).not.toBeNull());

  it.each([
    'https://editor.test/apix',
    'https://editor.test.evil.example/api',
    'https://editor.test@evil.example/api',
    'https://evil.example/https://editor.test/api',
    'http://editor.test/api',
    'https://editor.test:444/api',
    'https://editor.test/api/../secret',
    'https://editor.test/api/%2e%2e/secret',
    'https://editor.test/api/.%2E/secret',
    'https://editor.test/api/%2e%2e%2fsecret',
    'https://editor.test/api\\..\\x',
    'https://editor.test/api/x y',
    'https://editor.test/api/\tx',
    'https://editor.test/api#x',
    'https://editor.test',
    'https://editor。test/api',
    'https://127.0.0.1/api',
    'http://127.0.0.1:9902/x',
    'http://2130706433:9901/x',
    'http://0x7f.1:9901/x',
    '//editor.test/api',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `https://editor.test/api/${'x'.repeat(8192)}`,
    '',
  ])('may not be %s', (address) => expect(allowedCall(address, bases)).toBeNull());
});

it('documents may only come from allowed origins', () => {
  expect(allowedFile('https://files.example/a.xliff', ['https://files.example'])?.href).toBe('https://files.example/a.xliff');
  for (const other of ['https://files.example:8443/a', 'http://files.example/a', 'https://files.example.evil/a'])
    expect(allowedFile(other, ['https://files.example'])).toBeNull();
});
