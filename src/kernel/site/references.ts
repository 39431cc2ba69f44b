/**
 * References between files: slugs and paths on disk, ids in memory. A term or author that has no file is made when it
 * is first named; a number that nothing has is kept as it is.
 */
import type { References } from '../model/field.ts';
import { logicalPath } from '../model/logical-path.ts';
import type { PostRecord } from '../../modules/posts/record.ts';
import { fileNameOf, slugify } from '../model/slugs.ts';
import type { Taxonomy } from '../../modules/terms/taxonomies.ts';
import { blankTerm, type TermRecord } from '../../modules/terms/record.ts';
import type { PostType } from '../../modules/types/types.ts';
import { blankUser, type UserRecord } from '../../modules/users/record.ts';
import type { Records, Table } from '../records/types.ts';
import type { FileChange } from '../store/types.ts';
import type { Settings } from './settings.ts';

interface ReferenceOptions {
  readonly records: Records;
  readonly types: ReadonlyMap<string, PostType>;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  readonly settings: Settings;
  /** Told of a medium that is not there, by its path, and of the post that names it. */
  unresolved(place: string, reader: number): void;
  /** `taxonomy:slug` → id of terms whose files are about to be read. */
  readonly announced: ReadonlyMap<string, number>;
  nextId(table: string): number;
  /** Takes the file of something that was named before it had one. */
  make(change: FileChange): void;
}

export function createReferences(options: ReferenceOptions): References {
  const { records, types, taxonomies, settings, announced } = options;
  const terms = records.table<TermRecord>('terms');
  const users = records.table<UserRecord>('users');
  const posts = records.table<PostRecord>('posts');
  const refs: References = {
    termId(taxonomy, ref) {
      if (typeof ref === 'number') return ref;
      const slug = slugify(ref);
      return (
        announced.get(`${taxonomy}:${slug}`) ??
        findTerm(terms, taxonomy, slug) ??
        findTerm(terms, taxonomy, `~${slug}`) ??
        makeTerm(taxonomy, ref, slug)
      );
    },
    termRef(taxonomy, id) {
      const term = terms.get(id);
      return term?.taxonomy === taxonomy && findTerm(terms, taxonomy, term.slug) === id ? term.slug : id;
    },
    userId(ref) {
      if (typeof ref === 'number') return ref;
      const slug = slugify(ref);
      return users.lowest('slug', slug) ?? users.lowest('slug', `~${slug}`) ?? makeUser(ref, slug);
    },
    userRef: (id) => users.get(id)?.slug ?? id,
    postId(type, ref, reader) {
      if (typeof ref === 'number') return ref;
      const folder = type === '' ? '' : `${types.get(type)?.folder}/`;
      const place = ref.replace(/^\/+|\/+$/g, '').replace(/\.(md|html)$/, '');
      const [id] = posts.with('place', folder + place);
      if (id === undefined && reader !== undefined) options.unresolved(place, reader);
      return id ?? 0;
    },
    postRef(type, id) {
      const post = posts.get(id);
      const folder = `${types.get(type)?.folder}/`;
      return post?.path.startsWith(folder) ? logicalPath(post.path).slice(folder.length) : id;
    },
    defaultTerm(taxonomy) {
      if (taxonomy !== 'category') return 0;
      const stored = settings.stored('default_category');
      if (typeof stored === 'string' || typeof stored === 'number') return refs.termId(taxonomy, stored);
      return findTerm(terms, taxonomy, 'uncategorized') ?? announced.get(`${taxonomy}:uncategorized`) ?? 0;
    },
    defaultAuthor() {
      let first = 0;
      for (const user of users.all()) if (user.path !== '' && (first === 0 || user.id < first)) first = user.id;
      return first;
    },
  };
  return refs;

  function makeTerm(taxonomy: string, name: string, slug: string): number {
    const folder = taxonomies.get(taxonomy)?.folder;
    if (slug === '' || folder === undefined) return 0;
    const id = options.nextId('terms');
    const path = `terms/${folder}/${fileNameOf(slug)}.yaml`;
    records.apply([{ table: 'terms', put: Object.assign(blankTerm(id, taxonomy), { path, name, slug }) }]);
    options.make({ path, expect: null, data: { id, name }, order: ['id', 'name'] });
    return id;
  }

  function makeUser(name: string, slug: string): number {
    if (slug === '') return 0;
    const id = options.nextId('users');
    const path = `users/${fileNameOf(slug)}.yaml`;
    const user = Object.assign(blankUser(id), { path, slug, name, nickname: name });
    records.apply([{ table: 'users', put: user }]);
    options.make({ path, expect: null, data: { id, name }, order: ['id', 'name'] });
    return id;
  }
}

/** The term of a taxonomy with a slug (`~slug`: a former one); the lowest id when several have it. */
export function findTerm(terms: Table<TermRecord>, taxonomy: string, slug: string): number | undefined {
  return terms.lowest('slug', `${taxonomy}:${slug}`);
}
