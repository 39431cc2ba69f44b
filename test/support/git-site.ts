/** A running site whose folder is a repository, with a person who works in it. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operator } from '../../src/kernel/model/operator.ts';
import { atWork, branchMoved } from '../../src/modules/git/commits/record.ts';
import { startSite, type TestSite } from './site.ts';

export interface GitSite extends TestSite {
  /** Runs git in the folder, as Person. @throws when it fails */
  git(...args: readonly string[]): string;
  /** Subjects of the commits of HEAD, the newest first; or another format. */
  commits(format?: string): string[];
  /** Commits what is pending now. */
  flush(): Promise<void>;
  /** Takes in what was changed on disk. */
  sweep(): Promise<void>;
}

export const asPerson = (dir: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', dir, '-c', 'user.name=Person', '-c', 'user.email=p@example.com', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_EDITOR: 'true' },
  });

/** With a commit of everything; the administrator is Ada Admin. @param settings  lines of `site.yaml` */
export async function startGitSite(
  files: Readonly<Record<string, string>>,
  settings = 'git: commit\n',
  operator: Partial<Operator> = {},
): Promise<GitSite> {
  const site = await startSite({ files, operator });
  const git = (...args: readonly string[]) => asPerson(site.dir, ...args);
  const sweep = async () => site.site.ingest(await site.site.store.sweep());
  await site.ask('PUT', '/cms/v2/users/1', { as: 'admin', body: { name: 'Ada Admin' } });
  await site.write('site.yaml', (await site.read('site.yaml')) + settings);
  await sweep();
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'begin');
  return Object.assign(site, {
    git,
    sweep,
    commits: (format = '%s') => git('log', `--format=${format}`).trim().split('\n'),
    async flush() {
      // What holds a commit up for a moment only is tried again, as the server does.
      for (let tries = 0; tries < 20; tries++) {
        await site.site.commits?.flush();
        if (![atWork, branchMoved].includes(site.site.commits?.held() ?? '')) return;
        await pause(50);
      }
    },
  });
}
