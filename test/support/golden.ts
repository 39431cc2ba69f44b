/**
 * The reference's catalogue of the basic deployment: routes with their arguments, and item schemas; without descriptions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Catalogue {
  readonly routes: Record<
    string,
    { methods: string[]; endpoints: { methods: string[]; allow_batch?: unknown; args: Record<string, unknown> }[] }
  >;
  readonly schemas: Record<string, any>;
}

// The recordings, which decide, spell this name the neutral way; the catalogue was left with the other.
const text = readFileSync(join(import.meta.dirname, '../golden/core-routes.json'), 'utf8').replaceAll(
  '_wp_note_status',
  '_cms_note_status',
);

/** Arguments that version 7.1 adds: the catalogue is of 6.9. */
export const addedArgs: Readonly<Record<string, readonly string[]>> = {
  '/cms-abilities/v1/abilities': ['namespace', 'meta'],
  '/cms/v2/media': ['url', 'generate_sub_sizes', 'convert_format'],
};

const date = { type: ['string', 'null'], format: 'date-time', context: ['view', 'edit'], readonly: true };
/** Members of items that version 7.1 has otherwise, by path. */
const changedMembers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/cms/v2/templates': { date, modified: date },
  '/cms/v2/template-parts': { date, modified: date },
};

export const catalogue = JSON.parse(text) as Catalogue;
for (const [path, members] of Object.entries(changedMembers)) Object.assign(catalogue.schemas[path].properties, members);
