/**
 * The program as its users get it: packed from these sources, without touching the checkout, and installed from the package into a folder.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');
/** Beside what goes into the package. */
const sources = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src', 'editor', 'build'];
const call = promisify(execFile);

/** @param folder  the file is put there @returns its path */
export async function pack(folder) {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const copy = await mkdtemp(join(tmpdir(), 'cms-source-'));
  try {
    // Of a pattern the folder is enough: npm takes from it what the pattern says.
    const names = new Set([...sources, ...files].map((one) => one.replace(/\/\*.*$/, '')));
    names.delete('dist');
    for (const name of names) await cp(join(root, name), join(copy, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const { stdout } = await call('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
      cwd: copy,
      maxBuffer: 1e8,
    });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
    return join(folder, filename);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Installs a package into a folder. @returns the folder of its commands */
export async function install(tarball, folder, env = process.env) {
  await mkdir(folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--omit=dev', '--prefer-offline', '--loglevel=error'];
  await call('npm', ['install', '--prefix', folder, ...quiet, tarball], { cwd: folder, env, maxBuffer: 1e8 });
  return join(folder, 'node_modules', '.bin');
}
