/**
 * Where the answer to a request lies: the path of the request, then each parameter as `name/value` in the order of the names,
 * then `index.json`. Any file server answers these addresses; one that takes `index.json` for the index of a folder also answers
 * the route itself. Never `index.html`: an answer holds markup, and a browser would run it.
 */
import { createHash } from 'node:crypto';
import type { PublicRequest } from './requests.ts';
import { decoded } from '../../../kernel/model/slugs.ts';

interface Names {
  /** Path of the file below the export, without a leading slash. Each request is asked for once. */
  of(request: PublicRequest): string;
}

/**
 * @param spell  path of a route below the site: `/cms/v2/posts` → `/cms-json/cms/v2/posts`
 * @param home    address of the site without a trailing slash; values that begin with it are kept without it
 */
export function createNames(spell: (route: string) => string, home: string): Names {
  /** As file systems see them that take no notice of case. */
  const taken = new Set<string>();
  return {
    of({ prefix, route, query }) {
      const values = Object.entries(query).flatMap(([name, value]) => [name, ...valueSegments(value, home)]);
      const folder = [...segmentsOf(prefix + spell(route)), ...values].map(safeSegment).join('/');
      const file = `index.${query.format === 'xml' ? 'xml' : 'json'}`;
      const wanted = `${folder}/${file}`;
      const name = taken.has(wanted.toLowerCase())
        ? `${folder}/~${digest(JSON.stringify([prefix + route, query]))}/${file}`
        : wanted;
      taken.add(name.toLowerCase());
      return name;
    },
  };
}

/** The path of an address of the site below the export: `/category/notes/` → `category/notes`. */
export function pathBelow(address: string): string {
  return segmentsOf(address)
    .map((segment) => safeSegment(decoded(segment)))
    .join('/');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** An address of the site is its path; anything else one segment. */
function valueSegments(value: string, home: string): string[] {
  if (value === '') return [];
  if (!value.startsWith(`${home}/`) || value.includes('?')) return [value];
  return segmentsOf(value.slice(home.length)).map(decoded);
}

/** Letters, digits, `_`, `-`, `.` within; everything else, and what is too long for a file, is a digest of itself. */
function safeSegment(segment: string): string {
  const text = segment.normalize('NFC');
  const isSafe = /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}._-]*$/u.test(text) && Buffer.byteLength(text) <= 200;
  return isSafe ? text : `~${digest(segment)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
