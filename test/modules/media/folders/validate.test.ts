/** What `cms validate` says of files of folders, and where. */
import { describe, expect, it } from 'vitest';
import { extended } from '../../../../src/deployments.ts';
import { locate } from '../../../../src/kernel/store/locate.ts';
import { parseEntry } from '../../../../src/kernel/yaml/codec.ts';
import type { Entry } from '../../../../src/kernel/store/types.ts';
import { validate } from '../../../../src/validate/validate.ts';
import { declare } from '../../../../src/validate/declarations.ts';

const model = declare({ modules: extended });

async function findings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const entries = Object.entries(files).map(([path, text]): Entry => {
    const parsed = parseEntry(path, Buffer.from(text), { size: text.length, mtimeMs: 0 });
    if ('problem' in parsed) throw new Error(parsed.problem.message);
    return parsed.entry as Entry;
  });
  const found = validate({ entries, blobs: [{ path: 'media/a.txt', size: 1, mtimeMs: 0 }] }, model, { clock: 0 });
  const located = await locate(found, async (path) => Buffer.from(files[path] ?? ''));
  return located.flatMap(({ path, line, severity, rule }) =>
    rule.startsWith('folder-') ? `${path}:${line} ${severity} ${rule}` : [],
  );
}

const shared = 'media-folders/shared.yaml';
const own = 'media-folders/users/2.yaml';

describe('cms validate', () => {
  it('accepts correct folder files', async () => {
    expect(
      await findings({
        [shared]: 'last_id: 2\nfolders:\n  - id: 1\n    name: A\n  - id: 2\n    name: B\n    parent: 1\n',
        [own]: 'folders:\n  - id: 3\n    name: A\n',
        'media/a.txt.yaml': 'id: 60\nfolder: 2\nuser_folders: { 2: 3 }\n',
        'media-folders/settings.yaml': 'USER_MODE: true\nSVG_SUPPORT: 0\n',
      }),
    ).toEqual([]);
  });

  it('reports the line of each error', async () => {
    expect(
      await findings({
        [shared]: [
          'folders:',
          '  - id: 1',
          '    name: A',
          '    parent: 2',
          '  - id: 2',
          '    name: B',
          '    parent: 1',
          '  - id: 2',
          '    name: C',
          '  - name: c',
          '    color: red',
          '    parent: 77',
          '  - id: 9',
          '',
        ].join('\n'),
        [own]: 'folders:\n  - id: 1\n    name: =x\n',
        'media/a.txt.yaml': 'id: 60\nfolder: 8\nuser_folders:\n  2: 1\n  3: 4\n',
        'media-folders/settings.yaml': 'USER_MODE: maybe\n',
        'media-folders/users/5.yaml': 'folders: x\n',
      }),
    ).toEqual([
      'media-folders/settings.yaml:1 warning folder-setting',
      `${shared}:4 error folder-parent`,
      `${shared}:8 error folder-id`,
      `${shared}:10 warning folder-twice`,
      `${shared}:11 warning folder-color`,
      `${shared}:12 error folder-parent`,
      `${shared}:13 error folder-row`,
      `${own}:2 error folder-id`,
      `${own}:3 warning folder-name`,
      'media-folders/users/5.yaml:1 error folder-list',
      'media/a.txt.yaml:2 warning folder-unknown',
      'media/a.txt.yaml:4 warning folder-unknown',
      'media/a.txt.yaml:5 warning folder-unknown',
    ]);
  });
});
