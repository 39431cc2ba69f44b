/** References to users: by slug or former slug. An author without a profile gets one. */
import type { References } from '../../../kernel/model/field.ts';
import { findNamed } from '../../../kernel/model/named.ts';
import { fileNameOf, slugify } from '../../../kernel/model/slugs.ts';
import type { SiteKernel } from '../../../kernel/site/hooks.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import { blankUser, peopleNamed } from './record.ts';

export function createUserReferences(
  site: PlanningSite,
  kernel: Pick<SiteKernel, 'make'>,
): Pick<References, 'userId' | 'userRef'> {
  return {
    userId(ref) {
      if (typeof ref === 'number') return ref;
      return findNamed(ref, peopleNamed(site)) ?? makeUser(ref, slugify(ref));
    },
    userRef: (id) => site.users.get(id)?.slug ?? id,
  };

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
