/** Licences of the packages whose code is in the files of the program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * @param ids  paths of modules that went in
 * @returns a page of Markdown: each package with its version and the text of its licence
 * @throws when a package says no licence
 */
export function thirdParties(ids, root) {
  const folders = new Set(ids.filter((id) => id.includes('/node_modules/') && !id.startsWith('\0')).map(packageOf));
  const parts = [...folders].map((folder) => {
    const { name, version, license: own, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // Old packages have a list.
    const license = own ?? licenses?.map(({ type }) => type).join(' or ');
    const file = readdirSync(folder).find((one) => /^licen[cs]e(?:[.-]|$)/i.test(one));
    if (license === undefined && file === undefined) throw new Error(`${relative(root, folder)} says no licence`);
    const text =
      file === undefined ? `Licence: ${license}, as its package.json says.` : readFileSync(join(folder, file), 'utf8').trim();
    return `## ${name} ${version} (${license})\n\n${text.replace(/^#/gm, '\\#')}\n`;
  });
  return `# Packages that are part of the program\n\n${parts.sort().join('\n')}`;
}

/** The nearest folder above a module that names a package, with its version: parts of one may have names of their own. */
function packageOf(id) {
  let folder = dirname(id);
  while (!isPackage(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

function isPackage(path) {
  if (!existsSync(path)) return false;
  const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
  return name !== undefined && version !== undefined;
}
