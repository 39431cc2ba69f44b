/** Every graph is JSON-LD to a processor that knows nothing of this project: it loses nothing, and makes one connected document of it. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSite } from '../../../support/site.ts';
import { addresses, base, startHarbour } from './harbour.ts';
import { context } from './vocabulary.ts';

interface Processor {
  expand(document: unknown, options: object): Promise<readonly Record<string, unknown>[]>;
  toRDF(document: unknown, options: object): Promise<string>;
}
// It has no types of its own.
const jsonld = createRequire(import.meta.url)('jsonld') as Processor;

const options = {
  // Data that would get lost is an error.
  safe: true,
  documentLoader: async (url: string) => {
    if (url !== 'https://schema.org') throw new Error(`nobody asks for ${url}`);
    return { contextUrl: null, documentUrl: url, document: { '@context': context } };
  },
};

describe('JSON-LD graphs', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startHarbour();
  });
  afterAll(() => site.close());

  it.each(addresses)('at %s', async (path) => {
    const { body } = await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(base + path)}`);
    const nodes = await jsonld.expand(body.json.schema, options);
    expect(nodes).toHaveLength(body.json.schema['@graph'].length);
    const names = nodes.flatMap((node) => Object.keys(node).filter((name) => !name.startsWith('@')));
    expect(names.filter((name) => !name.startsWith('https://schema.org/'))).toEqual([]);
    for (const node of nodes) expect([URL.canParse(String(node['@id'])), node['@type']]).toEqual([true, expect.any(Array)]);
    const statements = await jsonld.toRDF(body.json.schema, { ...options, format: 'application/n-quads' });
    expect(statements).toContain(`<https://schema.org/name> "Harbour Notes"`);
    // Whatever is an address is one to the processor, too.
    expect(statements).not.toMatch(/<(?!https?:)[^_>]*>/);
  });
});
