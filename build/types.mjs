/**
 * Types of the package for those who write modules: what TypeScript declares of `src`, as far as the entries reach and with what
 * modules add to the kernel's types, as one file. Each source is a module there, `<package>/internal/<path>`.
 *
 *     node build/types.mjs
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const entries = ['index', 'kit'];
const { name: packageName, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const declared = mkdtempSync(join(tmpdir(), 'cms-types-'));
try {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--emitDeclarationOnly', '--sourceMap', 'false', '--outDir', declared];
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), ...options], { stdio: 'inherit' });
  const modules = new Map(
    readdirSync(declared, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.d.ts'))
      .map((path) =>
        path
          .split(sep)
          .join('/')
          .replace(/\.d\.ts$/, ''),
      )
      .map((name) => [name, read(name)]),
  );
  const reached = reach(modules);
  const strangers = [...reached]
    .flatMap((name) => modules.get(name).packages)
    .filter((one) => !one.startsWith('node:') && !(packageOf(one) in dependencies));
  if (strangers.length > 0)
    throw new Error(`types of the package need ${[...new Set(strangers)].join(', ')}, which it does not install`);
  const text = [...reached]
    .sort()
    .map((name) => print(name, modules.get(name), reached))
    .join('\n');
  writeFileSync(join(root, 'dist/types.d.ts'), text);
  for (const name of entries)
    writeFileSync(
      join(root, `dist/${name}.d.ts`),
      `/// <reference path="./types.d.ts" />\nexport * from '${packageName}/internal/${name}';\n`,
    );
  // Programs in browsers have neither the types of Node nor need those of the server.
  copyFileSync(join(declared, 'client.d.ts'), join(root, 'dist/client.d.ts'));
} finally {
  rmSync(declared, { recursive: true, force: true });
}

/** A declaration file in parts: text, what it imports, and what it adds to the types of others. */
function read(name) {
  const added = [];
  const own = readFileSync(join(declared, `${name}.d.ts`), 'utf8').replace(
    /^declare module '(\.[^']+)' \{\n([\s\S]*?)^\}\n/gm,
    (_, target, body) => {
      added.push({ target: nameOf(target, name), body: absolute(body, name) });
      return '';
    },
  );
  const imported = [...own.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, target]) => target);
  const relative = (list) => list.filter((one) => one.startsWith('.')).map((one) => nameOf(one, name));
  const inner = added.flatMap(({ body }) => [...body.matchAll(/import\("[^"]*\/internal\/([^"]+)"\)/g)].map(([, one]) => one));
  return {
    text: absolute(own, name)
      .replace(/^(export )?declare /gm, '$1')
      .replace(/^export \{\};\n/gm, ''),
    added,
    imports: [...relative(imported), ...inner],
    packages: imported.filter((one) => !one.startsWith('.')),
  };
}

/** What the entries import, with those that add to the types of what is reached, and what they import. */
function reach(modules) {
  const reached = new Set();
  const pending = [...entries];
  while (pending.length > 0) {
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      pending.push(...modules.get(name).imports);
    }
    for (const [name, { added }] of modules)
      if (!reached.has(name) && added.some(({ target }) => reached.has(target))) pending.push(name);
  }
  return reached;
}

function print(name, { text, added }, reached) {
  const blocks = added
    .filter(({ target }) => reached.has(target))
    .map(({ target, body }) => module(target, `${namesFor(body, target, name, text)}${body}`));
  return [
    module(
      name,
      exporting(
        text,
        added.map(({ body }) => body),
      ),
    ),
    ...blocks,
  ].join('\n');
}

/** What additions elsewhere import from here is exported, also where the file keeps it to itself. */
function exporting(text, bodies) {
  return text.replace(/^(?:abstract )?(?:interface|type|class|const|function) (\w+)/gm, (declared, word) =>
    bodies.some((body) => new RegExp(`\\b${word}\\b`).test(body)) ? `export ${declared}` : declared,
  );
}

function module(name, body) {
  return `declare module '${packageName}/internal/${name}' {\n${body}}\n`;
}

/** The imports that an addition needs where it is put: of what its file imports, and of what its file declares. */
function namesFor(body, target, name, text) {
  const isUsed = (word) => new RegExp(`\\b${word}\\b`).test(body);
  const lines = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(([, list, from]) => {
    const used = list
      .split(',')
      .map((one) => one.replace(/^\s*(?:type )?/, '').trim())
      .filter((one) => one !== '' && isUsed(one.split(' as ').at(-1)));
    return used.length === 0 || from === `${packageName}/internal/${target}`
      ? []
      : [`import type { ${used.join(', ')} } from '${from}';\n`];
  });
  const own = [...text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/gm)]
    .map(([, word]) => word)
    .filter(isUsed);
  if (own.length > 0) lines.push(`import type { ${[...new Set(own)].join(', ')} } from '${packageName}/internal/${name}';\n`);
  return lines.join('');
}

function absolute(text, name) {
  return text.replace(
    /(from |import\()(['"])(\.[^'"]+)\2/g,
    (_, before, quote, target) => `${before}${quote}${packageName}/internal/${nameOf(target, name)}${quote}`,
  );
}

function nameOf(target, from) {
  return posix.join(posix.dirname(from), target).replace(/\.[jt]s$/, '');
}

function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
