/**
 * How files name people: by slug, a former one too. An author who is named before there is a profile gets one.
 */
import type { References } from '../../../kernel/model/field.ts';
import { fileNameOf, slugify } from '../../../kernel/model/slugs.ts';
import type { SiteKernel } from '../../../kernel/site/hooks.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import { blankUser } from './record.ts';

export function createUserReferences(
  site: PlanningSite,
  kernel: Pick<SiteKernel, 'make'>,
): Pick<References, 'userId' | 'userRef' | 'defaultAuthor'> {
  let oldest = { generation: -1, id: 0 };
  return {
    userId(ref) {
      if (typeof ref === 'number') return ref;
      const slug = slugify(ref);
      return site.users.lowest('slug', slug) ?? site.users.lowest('slug', `~${slug}`) ?? named(ref) ?? makeUser(ref, slug);
    },
    userRef: (id) => site.users.get(id)?.slug ?? id,
    defaultAuthor() {
      const generation = site.records.generationOf('users');
      if (oldest.generation !== generation) oldest = { generation, id: oldestProfile(site) };
      return oldest.id;
    },
  };

  /** By the name that readers see. */
  function named(name: string): number | undefined {
    return site.users.lowest('called', name.toLowerCase());
  }

  function makeUser(name: string, slug: string): number {
    if (slug === '') return 0;
    const id = site.nextId('users');
    const path = `users/${fileNameOf(slug)}.yaml`;
    const user = Object.assign(blankUser(id), { path, slug, name, nickname: name });
    site.records.apply([{ table: 'users', put: user }]);
    kernel.make({ path, expect: null, data: { id, name }, order: ['id', 'name'] });
    return id;
  }
}

/** 0: nobody has a profile. */
function oldestProfile({ users }: Pick<PlanningSite, 'users'>): number {
  let first = 0;
  for (const user of users.all()) if (user.path !== '' && (first === 0 || user.id < first)) first = user.id;
  return first;
}
