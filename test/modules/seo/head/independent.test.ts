/** Heads as others read them: the markup through a parser that knows nothing of this project, the graph by the terms of schema.org. */
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { articleTypes, pageTypes } from '../../../../src/modules/seo/metadata/record.ts';
import type { TestSite } from '../../../support/site.ts';
import { addresses, base, startHarbour } from './harbour.ts';
import { isA, isType, propertyOf } from './vocabulary.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** What is in a head, in its order. */
function elementsOf(html: string): readonly Element[] {
  const found: Element[] = [];
  let isOpen = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      found.push({ name, attributes, text: '' });
      isOpen = true;
    },
    ontext(text) {
      const last = found.at(-1);
      if (last && isOpen) last.text += text;
    },
    onclosetag() {
      isOpen = false;
    },
  });
  parser.end(html);
  return found;
}

/** Text of markup as a reader gets it. */
function decoded(text: unknown): string {
  let out = '';
  const parser = new Parser({
    ontext(part) {
      out += part;
    },
  });
  parser.end(String(text).replaceAll('<', '&lt;'));
  return out;
}

type Json = Readonly<Record<string, any>>;
interface AnsweredHead {
  readonly html: string;
  readonly json: Json;
  readonly status: number;
}
type Pair = readonly [name: string, value: string];

const sites: Readonly<Record<string, string>> = { google_site_verification: 'google-site-verification' };

/** The elements that the data stand for: tags and what they say. */
function pairsOf(json: Json): readonly Pair[] {
  return Object.entries(json).flatMap(([key, value]): readonly Pair[] => {
    if (key === 'title') return [['title', decoded(value)]];
    if (key === 'robots') return [['name robots', Object.values(value).join(', ')]];
    if (key === 'canonical' || key === 'next') return [[`link ${key}`, decoded(value)]];
    if (key === 'og_image')
      return value.flatMap(({ url, width, height, type }: Json) => [
        ['property og:image', decoded(url)],
        ...Object.entries({ width, height, type }).flatMap(([name, said]) =>
          said === '' ? [] : [[`property og:image:${name}`, String(said)] as const],
        ),
      ]);
    if (key === 'twitter_misc')
      return Object.entries(value).flatMap(([label, data], at) => [
        [`name twitter:label${at + 1}`, decoded(label)],
        [`name twitter:data${at + 1}`, decoded(data)],
      ]);
    if (key === 'schema') return [['script application/ld+json', JSON.stringify(value)]];
    const [, group, name] = /^(og|article|twitter)_(.+)$/.exec(key) ?? [];
    if (group === undefined) return [[`name ${sites[key] ?? key}`, decoded(value)]];
    return [[`${group === 'twitter' ? 'name' : 'property'} ${group}:${name}`, decoded(value)]];
  });
}

function pairsIn(elements: readonly Element[]): readonly Pair[] {
  return elements.map(({ name, attributes, text }): Pair => {
    if (name === 'title') return ['title', text];
    if (name === 'link') return [`link ${attributes.rel}`, attributes.href ?? ''];
    if (name === 'script') return [`script ${attributes.type}`, JSON.stringify(JSON.parse(text))];
    const key = attributes.property === undefined ? `name ${attributes.name}` : `property ${attributes.property}`;
    return [key, attributes.content ?? ''];
  });
}

const typesOf = (node: Json): readonly string[] => [node['@type'] ?? []].flat();
const isNode = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a node and those within it. @param known  nodes of the graph by their ids */
function faultsOf(node: Json, known: ReadonlyMap<string, Json>): readonly string[] {
  const types = typesOf(node);
  const unknown = types.filter((type) => !isType(type)).map((type) => `no type ${type}`);
  const faults = Object.entries(node).flatMap(([key, value]) => {
    if (key.startsWith('@')) return [];
    // Actions say what has to be put in by a suffix to their properties.
    const name = key.replace(/-input$/, '');
    const property = propertyOf(name);
    if (!property) return [`no property ${name}`];
    const isOfType = types.some((type) => property.of.some((one) => isA(type, one)));
    const nodes = [value].flat().filter(isNode);
    const led = nodes.map((one) => (typesOf(one).length > 0 ? one : known.get(one['@id'])));
    const wrong = led.flatMap((one, at) => {
      if (!one) return [`${key} leads to ${nodes[at]?.['@id']}, which is nowhere`];
      const fits = key !== name || typesOf(one).some((type) => property.ranges.some((range) => isA(type, range)));
      return fits ? [] : [`${key} leads to ${typesOf(one)}`];
    });
    const within = nodes.filter((one) => typesOf(one).length > 0).flatMap((one) => faultsOf(one, known));
    return [...(isOfType ? [] : [`${types} has no ${key}`]), ...wrong, ...within];
  });
  return [...(types.length === 0 ? ['a node without a type'] : []), ...unknown, ...faults];
}

/** Nodes with an id, wherever they stand. */
function nodesWithin(value: unknown): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap(nodesWithin);
  if (!isNode(value)) return [];
  const own = typesOf(value).length > 0 && value['@id'] ? [[value['@id'], value] as const] : [];
  return [...own, ...Object.values(value).flatMap(nodesWithin)];
}

describe('head tags', () => {
  let site: TestSite;
  const heads = new Map<string, AnsweredHead>();
  beforeAll(async () => {
    site = await startHarbour();
    for (const path of addresses)
      heads.set(path, (await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(base + path)}`)).body);
  });
  afterAll(() => site.close());
  const headAt = (path: string) => heads.get(path) as AnsweredHead;

  it.each(addresses)('%s has the same data in markup and JSON-LD', (path) => {
    const { html, json } = headAt(path);
    expect(pairsIn(elementsOf(html))).toEqual(pairsOf(json));
  });

  it.each(addresses)('%s is valid Open Graph', (path) => {
    const said = pairsIn(elementsOf(headAt(path).html)).filter(([key]) => key.startsWith('property '));
    const names = said.map(([key]) => key.slice('property '.length));
    const contentOf = (name: string): string => said[names.indexOf(name)]?.[1] ?? '';
    expect(names).toEqual([...new Set(names)]);
    expect(names.filter((name) => !/^(?:og|article):/.test(name))).toEqual([]);
    // Of a template that gives nothing there is a title of the page, and none for networks (observed).
    expect(contentOf('og:title') === '').toBe(path === '/empty/');
    expect(contentOf('og:locale')).toMatch(/^[a-z]{2}_[A-Z]{2}$/);
    // Of what is not there nothing more is said.
    if (headAt(path).status === 404) return;
    expect(['website', 'article', 'profile']).toContain(contentOf('og:type'));
    if (contentOf('og:type') !== 'article')
      expect(names.filter((name) => name.startsWith('article:') && name.endsWith('_time'))).toEqual([]);
    for (const name of ['og:url', ...names.filter((one) => one === 'og:image')])
      expect([name, new URL(contentOf(name)).protocol]).toEqual([name, 'https:']);
    for (const name of names.filter((one) => one.endsWith('_time')))
      expect(contentOf(name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    // What is said of a picture stands behind it.
    const [image, ofImage] = [names.indexOf('og:image'), names.findIndex((name) => name.startsWith('og:image:'))];
    if (ofImage !== -1) expect([image !== -1, ofImage]).toEqual([true, image + 1]);
  });

  it.each(addresses)('%s has a valid schema.org graph', (path) => {
    const { schema } = headAt(path).json;
    const known = new Map(nodesWithin(schema['@graph']));
    const faults = schema['@graph'].flatMap((node: Json) => faultsOf(node, known));
    // A page with a password names a trail that it does not show (observed).
    expect(faults).toEqual(path === '/locked/' ? [`breadcrumb leads to ${base}/locked/#breadcrumb, which is nowhere`] : []);
  });
});

describe('the schema.org vocabulary', () => {
  it('contains every type that files may name', () => {
    expect(pageTypes.filter((type) => !isA(type, 'WebPage'))).toEqual([]);
    expect(articleTypes.filter((type) => !isA(type, 'Article'))).toEqual(['None']);
  });

  it('detects errors', () => {
    const node = {
      '@type': 'Person',
      '@id': '#a',
      wordCount: 1,
      colour: 'red',
      image: { '@id': '#b' },
      mainEntityOfPage: { '@type': 'Boat' },
    };
    expect(faultsOf(node, new Map())).toEqual([
      'Person has no wordCount',
      'no property colour',
      'image leads to #b, which is nowhere',
      'mainEntityOfPage leads to Boat',
      'no type Boat',
    ]);
  });
});
