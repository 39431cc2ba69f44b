/**
 * The script of passkeys, as browsers get it: one file.
 */
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const input = resolve(import.meta.dirname, '../editor/sign-in/passkeys.ts');

/**
 * Builds into `dir`.
 * @returns  the modules that went in
 */
export async function buildPasskeys(dir) {
  const bundle = await rolldown({ input, platform: 'browser', tsconfig: false });
  const { output } = await bundle.write({
    file: join(dir, 'passkeys.js'),
    format: 'esm',
    minify: true,
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundle.close();
  return output.flatMap(({ modules = {} }) => Object.keys(modules));
}
