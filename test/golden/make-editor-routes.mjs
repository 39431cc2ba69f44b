/**
 * Writes editor-routes.json: what the reference's catalogue says of the routes that editors ask for, without descriptions.
 * Usage: node test/golden/make-editor-routes.mjs path/to/core-routes.json
 */
import { readFileSync, writeFileSync } from 'node:fs';

const ours =
  /^\/cms\/v2\/(block-types|block-renderer|block-patterns|block-directory|pattern-directory|themes|templates|template-parts|global-styles|font-families|font-collections|sidebars|widgets|widget-types|plugins)(\/|$)/;
const { index, schemas } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const pick = (map) => Object.fromEntries(Object.entries(map).filter(([path]) => ours.test(path)));
const plain = (key, value) => ((key === 'description' && typeof value === 'string') || key === '_links' ? undefined : value);
writeFileSync(
  new URL('editor-routes.json', import.meta.url),
  `${JSON.stringify({ routes: pick(index.routes), schemas: pick(schemas) }, plain, 1)}\n`,
);
