/** Completion in the shells themselves, by the scripts that `cms completion` prints. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run, temporary } from './run.ts';

type Complete = (line: string) => readonly string[];

let cwd: string;
beforeAll(async () => {
  cwd = await temporary();
  mkdirSync(join(cwd, 'my-site'));
  writeFileSync(join(cwd, 'old.xml'), '');
});

async function scriptOf(shell: string): Promise<string> {
  const { status, out } = await run(['completion', shell]);
  expect(status).toBe(0);
  const file = join(await temporary(), `completion.${shell}`);
  writeFileSync(file, out);
  return file;
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

const shells: Readonly<Record<string, (script: string) => Complete>> = {
  bash: (script) => (line) => {
    const words = line.split(' ');
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cms; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(execFileSync('bash', ['-c', program, 'bash', script, ...words], { cwd, encoding: 'utf8' }));
  },
  fish: (script) => (line) => {
    const program = `source ${script}; complete -C '${line}'`;
    return lines(execFileSync('fish', ['--no-config', '-c', program], { cwd, encoding: 'utf8' })).map(
      (one) => one.split('\t')[0] as string,
    );
  },
  // What the function offers, in place of what the line editor shows of it.
  zsh: (script) => (line) => {
    const program = `
      compdef() { : }
      compadd() { [[ $1 == -- ]] && shift; local one; local -i found=1; for one in "$@"; do [[ $one == $PREFIX* ]] && { print -r -- "$one"; found=0 }; done; return found }
      _files() { print -rl -- "$PREFIX"*(N) }
      source $1; shift; words=("$@"); CURRENT=$#; PREFIX=$words[-1]; _cms`;
    return lines(execFileSync('zsh', ['-f', '-c', program, 'zsh', script, ...line.split(' ')], { cwd, encoding: 'utf8' }));
  },
};

describe.each(Object.keys(shells))('%s', (shell) => {
  let complete: Complete;
  beforeAll(async () => {
    expect(spawnSync(shell, ['--version']).error).toBeUndefined();
    complete = (shells[shell] as (typeof shells)[string])(await scriptOf(shell));
  });

  it('completes commands and subcommands', () => {
    expect(complete('cms se')).toEqual(['serve']);
    expect(complete('cms user set')).toEqual(['set-role']);
    expect(complete('cms doctor au')).toContain('auth');
  });

  it('completes only options of the command', () => {
    expect(complete('cms serve --rea')).toEqual(['--read-only']);
    expect(complete('cms validate --rea')).toEqual([]);
    expect(complete('cms user create ada --ema')).toEqual(['--email']);
  });

  it('completes values of an enumeration', () => {
    expect(complete('cms serve --log-format ')).toEqual(expect.arrayContaining(['text', 'json']));
    expect(complete('cms export --format wx')).toEqual(['wxr']);
    expect(complete('cms completion fi')).toEqual(['fish']);
  });

  it('completes files where a file or folder is expected', () => {
    expect(complete('cms serve my-').map((one) => one.replace(/\/$/, ''))).toEqual(['my-site']);
    expect(complete('cms export --out ol')).toEqual(['old.xml']);
  });
});

describe('cms completion', () => {
  it('supports three shells', async () => {
    const { status, err } = await run(['completion', 'powershell']);
    expect([status, err.includes('bash, zsh, fish')]).toEqual([2, true]);
  });
});
