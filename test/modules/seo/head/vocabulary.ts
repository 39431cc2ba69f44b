/** The vocabulary of schema.org, read from the file that schema.org publishes (`@vocabulary/schema` packs it). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Property {
  /** Types that have it. */
  readonly of: readonly string[];
  /** Types of what it leads to, and of values. */
  readonly ranges: readonly string[];
}

const site = 'http://schema.org/';
const file = createRequire(import.meta.url).resolve('@vocabulary/schema/schema.nq');

/** Subject → names of what a predicate leads to, of the terms of schema.org alone. */
function statements(predicate: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const [, subject = '', name, object = ''] = /^<([^>]+)> <([^>]+)> <([^>]+)>/.exec(line) ?? [];
    if (name !== predicate || !subject.startsWith(site)) continue;
    const key = subject.slice(site.length);
    found.set(key, [...(found.get(key) ?? []), object.replace(site, '')]);
  }
  return found;
}

const lines = readFileSync(file, 'utf8').split('\n');
const kinds = statements('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const above = statements('http://www.w3.org/2000/01/rdf-schema#subClassOf');
const domains = statements(`${site}domainIncludes`);
const ranges = statements(`${site}rangeIncludes`);

export function isType(name: string): boolean {
  return kinds.get(name)?.includes('http://www.w3.org/2000/01/rdf-schema#Class') ?? false;
}

/** Whether one type is another, or below it. */
export function isA(type: string, other: string): boolean {
  return type === other || (above.get(type) ?? []).some((next) => isA(next, other));
}

export function propertyOf(name: string): Property | undefined {
  return domains.has(name) ? { of: domains.get(name) ?? [], ranges: ranges.get(name) ?? [] } : undefined;
}

/** A context for JSON-LD: what is an address leads to it, what is a time is one. */
export const context = {
  '@vocab': 'https://schema.org/',
  ...Object.fromEntries([...ranges].flatMap(([name, of]) => (typeOf(of) ? [[name, { '@type': typeOf(of) }]] : []))),
};

function typeOf(of: readonly string[]): string | undefined {
  if (of.includes('Text')) return undefined;
  if (of.includes('URL')) return '@id';
  return of.includes('DateTime') ? 'https://schema.org/DateTime' : undefined;
}
