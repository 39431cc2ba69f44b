/** A git repository for tests, with a history that they write. */
import { spawnSync } from 'node:child_process';

export interface Repository {
  /** @throws when git fails */
  run(...args: readonly string[]): string;
  /** Commits everything, as of a date. */
  commit(message: string, date?: string): void;
}

export function createRepository(dir: string): Repository {
  const call = (args: readonly string[], env: Readonly<Record<string, string>> = {}): string => {
    const { status, stdout, stderr } = spawnSync('git', ['-C', dir, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: dir, GIT_CONFIG_NOSYSTEM: '1', ...env },
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  call(['init', '--quiet', '--initial-branch=main']);
  call(['config', 'user.name', 'Anna']);
  call(['config', 'user.email', 'anna@example.org']);
  call(['config', 'commit.gpgsign', 'false']);
  return {
    run: (...args) => call(args),
    commit(message, date = '2024-01-01T10:00:00Z') {
      call(['add', '--all']);
      call(['commit', '--quiet', '--message', message], { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    },
  };
}
