/** Private documents count only as this machine has written them, whatever lies in the folder. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { siteState, StateError, stateDirectory } from '../../../src/kernel/store/state.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import type { TrustedDocuments } from '../../../src/kernel/store/types.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const secret = `{"login":"anna","hash":"${'x'.repeat(24)}"}`;

/** Opens a folder of `at`, with the state beside it. */
async function opened<T>(
  at: Folder,
  work: (documents: Required<TrustedDocuments>) => Promise<T>,
  { name = 'site', readOnly = false } = {},
): Promise<T> {
  const store = await createStore({ dir: at.at(name), state: at.at('state'), readOnly });
  try {
    return await work(store.private as Required<TrustedDocuments>);
  } finally {
    await store.close();
  }
}

const textOf = async (documents: TrustedDocuments, key: string): Promise<string | null> => {
  const found = await documents.get(key);
  return found && Buffer.from(found).toString();
};
const put = (at: Folder, path: string, text: string): void => {
  mkdirSync(dirname(at.at(path)), { recursive: true });
  writeFileSync(at.at(path), text);
};
const own = (name: string): string => `site/.cms/private/${name}`;

async function withAccount(): Promise<Folder> {
  const at = temporaryFolder({ 'site/site.yaml': 'name: x\n' });
  await opened(at, (documents) => documents.set('accounts/1.json', bytes(secret)));
  return at;
}

describe('a document created here', () => {
  it('is valid for every process, and has a copy in the folder', async () => {
    const at = await withAccount();
    expect(at.read(own('accounts/1.json'))).toBe(secret);
    for (const readOnly of [false, true])
      await opened(
        at,
        async (documents) => {
          expect(await textOf(documents, 'accounts/1.json')).toBe(secret);
          expect(await documents.keys('accounts/')).toEqual(['accounts/1.json']);
          expect(await documents.inspect()).toEqual([]);
        },
        { readOnly },
      );
  });

  it('is readable only by its owner, in both places', async () => {
    const at = await withAccount();
    const home = siteState(at.at('state'), at.at('site'));
    const modes = [own('accounts/1.json'), 'state/key'].map((path) => statSync(at.at(path)).mode & 0o777);
    expect([...modes, statSync(join(home, 'private/accounts/1.json')).mode & 0o777]).toEqual([0o600, 0o600, 0o600]);
    expect([home, at.at('state'), at.at('state/sites')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700, 0o700,
    ]);
  });

  it('is gone when its copy was deleted, and stays gone when a file appears in its place', async () => {
    const at = await withAccount();
    rmSync(at.at(own('accounts/1.json')));
    await opened(at, async (documents) => {
      expect(await documents.get('accounts/1.json')).toBeNull();
      expect(await documents.keys()).toEqual([]);
    });
    put(at, own('accounts/1.json'), secret);
    await opened(at, async (documents) => expect(await documents.get('accounts/1.json')).toBeNull());
  });

  it('is gone at once in a running process', async () => {
    const at = await withAccount();
    await opened(at, async (documents) => {
      const before = documents.stamp('accounts/1.json');
      rmSync(at.at(own('accounts/1.json')));
      expect([before !== null, documents.stamp('accounts/1.json')]).toEqual([true, null]);
      expect(await documents.get('accounts/1.json')).toBeNull();
      put(at, own('accounts/1.json'), secret);
      expect(await documents.get('accounts/1.json')).toBeNull();
    });
  });

  it('belongs to the folder it was created in: another one in the same place has none', async () => {
    const at = await withAccount();
    rmSync(at.at('site'), { recursive: true });
    put(at, 'site/site.yaml', 'name: other\n');
    await opened(at, async (documents) => expect(await documents.keys()).toEqual([]));
    expect(existsSync(join(siteState(at.at('state'), at.at('site')), 'private/accounts/1.json'))).toBe(false);
  });
});

describe('a document from elsewhere', () => {
  const ways: readonly (readonly [name: string, come: (at: Folder) => void, says: string])[] = [
    [
      'a new one',
      (at) => put(at, own('accounts/77.json'), secret),
      'accounts/77.json was not made on this machine and has no effect',
    ],
    ['a key', (at) => put(at, own('preview.key'), 'k'.repeat(32)), 'preview.key was not made on this machine and has no effect'],
    [
      'a changed one',
      (at) => put(at, own('accounts/1.json'), '{"login":"eve"}'),
      'accounts/1.json was changed by others; the document made on this machine stays in force',
    ],
    [
      'a link in its place',
      (at) => {
        put(at, 'site/posts/evil.json', '{"login":"eve"}');
        rmSync(at.at(own('accounts/1.json')));
        symlinkSync(at.at('site/posts/evil.json'), at.at(own('accounts/1.json')));
      },
      'accounts/1.json is no file; the document made on this machine stays in force',
    ],
    [
      'a link beside it',
      (at) => {
        put(at, 'site/posts/evil.json', '{"login":"eve"}');
        symlinkSync(at.at('site/posts/evil.json'), at.at(own('accounts/77.json')));
      },
      'accounts/77.json is no file; the document made on this machine stays in force',
    ],
  ];

  it.each(ways)('%s has no effect, at start and while a process runs, and is reported', async (_, come, says) => {
    const at = await withAccount();
    const check = async (documents: Required<TrustedDocuments>): Promise<void> => {
      expect(await textOf(documents, 'accounts/1.json')).toBe(secret);
      expect(await documents.keys()).toEqual(['accounts/1.json']);
      for (const key of ['accounts/77.json', 'preview.key']) expect(await documents.get(key)).toBeNull();
    };
    await opened(at, async (running) => {
      await check(running);
      come(at);
      await check(running);
      await opened(at, check);
      await opened(at, check, { readOnly: true });
      const told = await running.inspect();
      expect(told.map(({ path, message }) => `${path} ${message}`)).toEqual([`.cms/private/${says}`]);
    });
  });

  it('cannot be an older state that was created here', async () => {
    const at = await withAccount();
    await opened(at, (documents) => documents.set('accounts/1.json', bytes('{"login":"anna"}')));
    put(at, own('accounts/1.json'), secret);
    await opened(at, async (documents) => expect(await textOf(documents, 'accounts/1.json')).toBe('{"login":"anna"}'));
  });

  it('of another site of this machine is not valid', async () => {
    const at = await withAccount();
    await opened(at, (documents) => documents.set('accounts/9.json', bytes('{"login":"eve"}')), { name: 'other' });
    cpSync(at.at('other/.cms'), at.at('site/.cms'), { recursive: true });
    await opened(at, async (documents) => expect(await documents.keys()).toEqual(['accounts/1.json']));
  });

  it('is not lost when one is created in its place', async () => {
    const at = temporaryFolder({ 'site/site.yaml': '', [own('accounts/1.json')]: 'theirs' });
    await opened(at, async (documents) => {
      await documents.set('accounts/1.json', bytes(secret));
      expect(await documents.inspect()).toEqual([]);
    });
    expect(at.read(own('set-aside/accounts/1.json'))).toBe('theirs');
  });

  it('is valid once a person has adopted it', async () => {
    const at = temporaryFolder({ 'site/site.yaml': '', [own('accounts/1.json')]: secret, [own('accounts/2.json')]: 'b' });
    await opened(at, async (documents) => {
      await documents.adopt(['accounts/1.json']);
      expect(await documents.keys()).toEqual(['accounts/1.json']);
    });
    await opened(at, async (documents) => {
      expect(await textOf(documents, 'accounts/1.json')).toBe(secret);
      expect((await documents.inspect()).map(({ path }) => path)).toEqual(['.cms/private/accounts/2.json']);
    });
  });
});

describe('another folder', () => {
  it('that is a copy of a known one has its documents, and both are independent', async () => {
    const at = await withAccount();
    cpSync(at.at('site'), at.at('copy'), { recursive: true });
    await opened(at, async (documents) => expect(await documents.keys()).toEqual(['accounts/1.json']), {
      name: 'copy',
      readOnly: true,
    });
    await opened(at, (documents) => documents.set('accounts/1.json', bytes('{}')), { name: 'copy' });
    await opened(at, async (documents) => expect(await textOf(documents, 'accounts/1.json')).toBe(secret));
  });

  it('that has been moved leaves nothing behind', async () => {
    const at = await withAccount();
    renameSync(at.at('site'), at.at('moved'));
    await opened(at, async (documents) => expect(await textOf(documents, 'accounts/1.json')).toBe(secret), { name: 'moved' });
    expect(readdirSync(at.at('state/sites'))).toHaveLength(1);
  });

  it.each([
    ['has a document more', (at: Folder) => put(at, 'copy/.cms/private/accounts/77.json', secret)],
    ['has one of them changed', (at: Folder) => put(at, 'copy/.cms/private/accounts/1.json', '{}')],
    [
      'came out of git',
      (at: Folder) => {
        const git = (...args: string[]) => execFileSync('git', ['-C', at.at('copy'), ...args]);
        git('init', '-q');
        git('add', '-f', '.cms/private');
      },
    ],
    ['is in a repository that cannot be read', (at: Folder) => put(at, 'copy/.git', 'nothing\n')],
  ])('that %s has none', async (_, alter) => {
    const at = await withAccount();
    cpSync(at.at('site'), at.at('copy'), { recursive: true });
    alter(at);
    for (const readOnly of [true, false])
      await opened(at, async (documents) => expect(await documents.keys()).toEqual([]), { name: 'copy', readOnly });
  });
});

describe('two places', () => {
  it('after a crash between them a new document is missing, a change is made, a removal is done', async () => {
    const at = await withAccount();
    const home = join(siteState(at.at('state'), at.at('site')), 'private');
    writeFileSync(join(home, 'accounts/2.json'), 'new');
    writeFileSync(join(home, 'accounts/1.json'), 'changed');
    await opened(at, async (documents) => {
      expect(await documents.keys()).toEqual(['accounts/1.json']);
      expect(await textOf(documents, 'accounts/1.json')).toBe('changed');
    });
    expect(existsSync(join(home, 'accounts/2.json'))).toBe(false);
  });

  it.each([
    ['still is what it was', secret, 'changed'],
    ["has become somebody else's", '{"login":"eve"}', '{"login":"eve"}'],
  ])('after a crash during a change have a copy that %s', async (_, copy, after) => {
    const at = await withAccount();
    const home = siteState(at.at('state'), at.at('site'));
    const before = createHash('sha256').update(secret).digest('hex');
    writeFileSync(join(home, 'changing.json'), JSON.stringify({ path: 'accounts/1.json', before }));
    writeFileSync(join(home, 'private/accounts/1.json'), 'changed');
    writeFileSync(at.at(own('accounts/1.json')), copy);
    await opened(at, async (documents) => {
      expect(await textOf(documents, 'accounts/1.json')).toBe('changed');
      expect(await documents.inspect()).toHaveLength(after === 'changed' ? 0 : 1);
    });
    expect([at.read(own('accounts/1.json')), existsSync(join(home, 'changing.json'))]).toEqual([after, false]);
  });

  it('a document that cannot be copied is unchanged', async () => {
    const at = await withAccount();
    await opened(at, async (documents) => {
      rmSync(at.at(own('accounts')), { recursive: true });
      mkdirSync(at.at('site/posts'));
      put(at, 'site/posts/1.json', 'x');
      symlinkSync(at.at('site/posts'), at.at(own('accounts')));
      await expect(documents.set('accounts/1.json', bytes('changed'))).rejects.toThrow(/link/);
      expect(at.read('site/posts/1.json')).toBe('x');
      expect(await textOf(documents, 'accounts/1.json')).toBe(secret);
    });
  });

  it('changes of two processes to one document both apply', async () => {
    const at = temporaryFolder({ 'site/site.yaml': '' });
    await opened(at, async (a) => {
      await opened(at, async (b) => {
        const add = (documents: Required<TrustedDocuments>) =>
          documents.update('n.json', (before) => bytes(String(Number(before ? Buffer.from(before).toString() : 0) + 1)));
        await Promise.all(Array.from({ length: 20 }, (_, at) => add(at % 2 ? a : b)));
        expect(await textOf(a, 'n.json')).toBe('20');
      });
    });
  });
});

describe('the state directory', () => {
  it.each([
    [{ CMS_STATE_DIR: '/a', XDG_STATE_HOME: '/b', HOME: '/c' }, '/a'],
    [{ XDG_STATE_HOME: '/b' }, '/b/cms'],
  ])('%o is %s', (env, dir) => expect(stateDirectory(env)).toBe(dir));

  it('is in the home folder otherwise', () => {
    expect(stateDirectory({ XDG_STATE_HOME: 'relative' })).toMatch(/\/\.local\/state\/cms$/);
  });

  it.each(['site', 'site/state', 'link'])('is refused as %s, where content could bring it', async (place) => {
    const at = temporaryFolder({ 'site/site.yaml': '', 'site/state/x.md': '' });
    symlinkSync(at.at('site/state'), at.at('link'));
    await expect(createStore({ dir: at.at('site'), state: at.at(place) })).rejects.toThrow(StateError);
  });

  it.each(['a file in its place', 'a key of another length'])('%s is reported, with what to do', async (what) => {
    const at = temporaryFolder({ 'site/site.yaml': '' });
    put(at, what.startsWith('a key') ? 'state/key' : 'state', 'short');
    const error = await createStore({ dir: at.at('site'), state: at.at('state') }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StateError);
    expect((error as StateError).message).toContain(at.at('state'));
    expect((error as StateError).hint).toContain('CMS_STATE_DIR');
  });

  it('is not created by a reader', async () => {
    const at = temporaryFolder({ 'site/site.yaml': '' });
    await opened(at, (documents) => documents.keys(), { readOnly: true });
    expect(existsSync(at.at('state'))).toBe(false);
    expect(readFileSync(at.at('site/site.yaml'), 'utf8')).toBe('');
  });
});
