/**
 * The program as it is run, tested and published: `src` as JavaScript, in as few files as its commands can be loaded from apart, with
 * the data files of modules beside it. Packages that `package.json` names as dependencies stay packages; the others go into the files.
 *
 *     node build/bundle.mjs [--if-stale]
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { copyData } from './data.mjs';
import { buildEditor } from './editor.mjs';
import { buildPasskeys } from './passkeys.mjs';
import { thirdParties } from './third-parties.mjs';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');
/** What is started or imported by its path. */
const usual = ['cli/main', 'index', 'kit', 'client'];
/** What every command line loads: by itself, so that `cms --help` reads nothing else. */
const beginning = /\/src\/(?:cli\/(?:main|failure|help|io)|kernel\/(?:environment|store\/(?:bytes|state)))\.ts$/;
/** Written last: a folder without it is half a build. */
const stamp = 'built';

/**
 * Builds into `dir`, which is emptied before.
 * @param more  modules that are to be had by their path beside the usual ones, as `render/render-worker`
 * @param plugins  what else changes the modules on the way: the bench leaves features out
 */
export async function build(dir, more = [], plugins = []) {
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const started = [...usual, ...more, ...sources.map((path) => path.split(sep).join('/')).flatMap(startedBy)];
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(dir, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(started.map((name) => [name, join(src, `${name}.ts`)])),
    platform: 'node',
    external: Object.keys(dependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [...plugins, addresses],
  });
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names stay, for those who read a stack.
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: { groups: [{ name: 'beginning', test: beginning }] },
  });
  await bundle.close();
  copyData(dir);
  const browsers = [
    ...(await buildEditor(join(dir, 'modules/website/editor-page/files'))),
    ...(await buildPasskeys(join(dir, 'modules/people/sign-in/files'))),
  ];
  writeFileSync(
    join(dir, 'THIRD-PARTY-LICENSES.md'),
    thirdParties([...output.flatMap(({ modules = {} }) => Object.keys(modules)), ...browsers], root),
  );
  writeFileSync(join(dir, stamp), '');
}

/** Whether `dir` is older than what it is made of. */
export function isStale(dir) {
  const made = statSync(join(dir, stamp), { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return true;
  const inputs = ['package.json', 'src', 'build', 'editor'].flatMap((name) => {
    const path = join(root, name);
    const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
    return [path, ...below.map((one) => join(path, one))];
  });
  return inputs.some((path) => statSync(path).mtimeMs > made);
}

/** Modules that a source starts as a thread, as entries. */
function startedBy(path) {
  const text = readFileSync(join(src, path), 'utf8');
  return [...text.matchAll(/new URL\('(\.[^']+)\.js', import\.meta\.url\)/g)]
    .map(([, target]) => posix.join(posix.dirname(path), target))
    .filter((name) => !name.startsWith('..') && existsSync(join(src, `${name}.ts`)));
}

/**
 * A module keeps the address that its own file would have, in whichever file its code ends up: what stands beside it (a thread, a
 * template) is found there.
 */
const addresses = {
  name: 'addresses',
  transform(code, id) {
    if (!id.startsWith(src + sep) || !code.includes('import.meta.url')) return null;
    const name = relative(src, id).split(sep).join('/').replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `__addressOf("${name}")`);
  },
  renderChunk(code, { fileName }) {
    const up = '../'.repeat(fileName.split('/').length - 1) || './';
    return code.replace(/__addressOf\("([^"]+)"\)/g, (_, name) => `new URL("${up}${name}", import.meta.url).href`);
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const dist = join(root, 'dist');
  if (!process.argv.includes('--if-stale') || isStale(dist)) await build(dist);
}
