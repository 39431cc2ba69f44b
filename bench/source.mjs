/** The source as text: files, functions, folders, import circles. Read by `bench/house.mjs` and `test/house.test.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');

/** Files of a folder of sources with their lines, longest first. */
export function sourceFiles(folder = 'src') {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'),
  );
  const files = names.map((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8');
    return { name, text, lines: text.split('\n').length - 1 };
  });
  return files.sort((a, b) => b.lines - a.lines);
}

const trees = new WeakMap();
/** The syntax tree of a file, parsed once. */
function treeOf(file) {
  const tree = trees.get(file) ?? parseAst(file.text, { lang: 'ts' });
  trees.set(file, tree);
  return tree;
}

/** Lines below each folder of `src` to a depth, largest first. */
export function linesByFolder(files, depth = 1) {
  const out = new Map();
  for (const { name, lines } of files) {
    const parts = name.split('/');
    const folder = parts.slice(0, Math.min(depth, parts.length - 1)).join('/') || '.';
    out.set(folder, (out.get(folder) ?? 0) + lines);
  }
  return [...out].sort((a, b) => b[1] - a[1]);
}

/** Functions by their own lines, longest first: `{name, place: 'file:line', lines}`. */
export function functions(files) {
  const out = [];
  for (const file of files) {
    const { name, text } = file;
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    const lineOf = (offset) => {
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= offset) low = middle;
        else high = middle;
      }
      return low + 1;
    };
    visit(treeOf(file), (node, parent) => {
      if (!/Function/.test(node.type) || !node.body || /^TS/.test(node.type)) return;
      const first = lineOf(node.start);
      const known = node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? '(anonymous)';
      out.push({ name: known, place: `${name}:${first}`, lines: lineOf(node.end - 1) - first + 1 });
    });
  }
  return out.sort((a, b) => b.lines - a.lines);
}

/** Calls `see` with each node of a syntax tree, and what it stands in. */
export function visit(node, see, parent = null) {
  if (Array.isArray(node)) for (const child of node) visit(child, see, parent);
  else if (node && typeof node.type === 'string') {
    see(node, parent);
    for (const key in node) if (key !== 'type') visit(node[key], see, node);
  }
}

/** What is imported from outside of the repository, or by what has been built. */
const entries = new Set(['index.ts', 'kit.ts', 'client.ts', 'cli/main.ts']);
/** Folders whose files import the source. */
const readers = ['src', 'test', 'editor', 'bench', 'build'];

/** Names that files of the source export, those of others included: `{file, name, isType, isAgain}`. */
export function exportsOf(files) {
  const of = ({ type, declaration, source, specifiers = [] }) => {
    if (type === 'ExportDefaultDeclaration') return [{ name: 'default' }];
    if (type !== 'ExportNamedDeclaration') return [];
    if (!declaration) return specifiers.map(({ exported }) => ({ name: exported.name, isAgain: source !== null }));
    const isType = /^(?:TS(?!DeclareFunction)|Class)/.test(declaration.type);
    const declared = declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration];
    return declared.map(({ id }) => ({ name: id.name, isType }));
  };
  return files.flatMap(({ name: file, text }) =>
    parseAst(text, { lang: 'ts' })
      .body.flatMap(of)
      .map((one) => ({ file, ...one })),
  );
}

/** Exports that no other file imports, tests and benches included: `file name`. Types that others add to count as imported. */
export function unusedExports(files) {
  const used = new Set();
  const sources = readers.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mts|mjs)$/.test(name))
      .map((name) => join(root, folder, name)),
  );
  const pattern =
    /(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?(\{[^}]*\}|\*(?: as \w+)?|\w+)\s+from\s+'(\.[^']+)'|import\(\s*['"](\.[^'"]+)['"]|declare module '(\.[^']+)' \{([\s\S]*?)\n\}/g;
  for (const file of sources) {
    for (const [, names, from, whole, added, body] of readFileSync(file, 'utf8').matchAll(pattern)) {
      const target = relative(src, resolve(dirname(file), from ?? whole ?? added));
      if (added) for (const [, name] of body.matchAll(/interface (\w+)/g)) used.add(`${target} ${name}`);
      else if (!names || names.startsWith('*')) used.add(`${target} *`);
      else if (!names.startsWith('{')) used.add(`${target} default`);
      else for (const [, name] of names.matchAll(/[{,]\s*(?:type\s+)?(\w+)/g)) used.add(`${target} ${name}`);
    }
  }
  return exportsOf(files)
    .filter(({ file, name }) => !entries.has(file) && !used.has(`${file} ${name}`) && !used.has(`${file} *`))
    .map(({ file, name }) => `${file} ${name}`);
}

/** Names of types that more than one file declares and exports, with the files. */
export function sharedTypeNames(files) {
  const places = new Map();
  for (const { file, name, isType } of exportsOf(files)) if (isType) places.set(name, [...(places.get(name) ?? []), file]);
  return [...places].filter(([, all]) => all.length > 1).map(([name, all]) => `${name}: ${all.sort().join(', ')}`);
}

/** Groups of files that import one another, directly or around a corner. */
export function circles(files) {
  const known = new Set(files.map(({ name }) => name));
  const arrows = new Map(
    files.map(({ name, text }) => {
      const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
      return [
        name,
        targets.map(([, target]) => relative(src, resolve(src, dirname(name), target))).filter((one) => known.has(one)),
      ];
    }),
  );
  // Tarjan's strongly connected components.
  const [index, low, stack, groups] = [new Map(), new Map(), [], []];
  const walk = (name) => {
    index.set(name, index.size);
    low.set(name, index.get(name));
    stack.push(name);
    for (const target of arrows.get(name)) {
      if (!index.has(target)) walk(target);
      if (stack.includes(target)) low.set(name, Math.min(low.get(name), low.get(target)));
    }
    if (low.get(name) !== index.get(name)) return;
    const group = stack.splice(stack.indexOf(name));
    if (group.length > 1) groups.push(group.sort());
  };
  for (const { name } of files) if (!index.has(name)) walk(name);
  return groups;
}

/**
 * Places where something that is known only when the program runs is looked up in an object literal: of the file's top level, of another
 * file's, on the spot, or within a function where its type says that it takes any word. `file:line table`, in the order of the files.
 */
export function lookupsOfObjects(files) {
  const parsed = files.map((file) => ({ ...file, tree: treeOf(file) }));
  const tables = new Map(parsed.map(({ name, tree }) => [name, new Set(tree.body.flatMap(literalsOf))]));
  const inFunctions = new Map(parsed.map(({ name, text, tree }) => [name, filledLiterals(tree, text)]));
  return parsed.flatMap(({ name, text, tree }) => {
    const imported = new Map();
    for (const { type, source, specifiers = [] } of tree.body)
      if (type === 'ImportDeclaration' && source.value.startsWith('.'))
        for (const one of specifiers)
          if (one.type === 'ImportSpecifier')
            imported.set(one.local.name, [join(dirname(name), source.value), one.imported.name]);
    const found = [];
    visit(tree, (node, parent) => {
      if (parent?.type === 'AssignmentExpression' && parent.left === node) return;
      if (node.type !== 'MemberExpression' || !node.computed || bare(node.property).type === 'Literal') return;
      const object = bare(node.object);
      const [file, known] = imported.get(object.name) ?? [name, object.name];
      const isNamed = tables.get(file)?.has(known) || inFunctions.get(name).has(object.name);
      const isLiteral = object.type === 'ObjectExpression' || (object.type === 'Identifier' && isNamed);
      const line = text.slice(0, node.start).split('\n').length;
      if (isLiteral) found.push(`${name}:${line} ${text.slice(node.object.start, node.object.end)}`);
    });
    return found;
  });
}

/** Names of a statement of the top level whose values are object literals. */
function literalsOf(statement) {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'VariableDeclaration') return [];
  return declared.declarations.filter(({ init }) => bare(init)?.type === 'ObjectExpression').map(({ id }) => id.name);
}

/** Names of constants, in functions too, that are object literals with rows and typed as tables of any words. */
function filledLiterals(tree, text) {
  const names = new Set();
  visit(tree, ({ type, kind, declarations }) => {
    if (type !== 'VariableDeclaration' || kind !== 'const') return;
    for (const { id, init } of declarations) {
      const literal = bare(init);
      const isOfWords = /^: Readonly<Record<string,/.test(text.slice(id.typeAnnotation?.start, id.typeAnnotation?.end));
      if (isOfWords && literal?.type === 'ObjectExpression' && literal.properties.length > 0) names.add(id.name);
    }
  });
  return names;
}

/** An expression without what types and brackets say of it. */
function bare(node) {
  let one = node;
  while (/^(?:TSAs|TSSatisfies|TSNonNull|Parenthesized)Expression$/.test(one?.type)) one = one.expression;
  return one;
}
