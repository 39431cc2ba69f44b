/** References to terms: by slug or former slug. A term without a file is created. */
import type { References } from '../../../kernel/model/field.ts';
import { findNamed } from '../../../kernel/model/named.ts';
import { fileNameOf, slugify } from '../../../kernel/model/slugs.ts';
import type { SiteKernel } from '../../../kernel/site/hooks.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import { blankTerm, findTerm } from './record.ts';

type TermReferences = Pick<References, 'termId' | 'termRef' | 'defaultTerm'>;

export function createTermReferences(site: PlanningSite, kernel: Pick<SiteKernel, 'make'>): TermReferences {
  const refs: TermReferences = {
    termId(taxonomy, ref) {
      if (typeof ref === 'number') return ref;
      const known = (slug: string) => site.announcedTerms.get(`${taxonomy}:${slug}`) ?? findTerm(site.terms, taxonomy, slug);
      return findNamed(ref, { present: known, former: (slug) => known(`~${slug}`) }) ?? makeTerm(taxonomy, ref, slugify(ref));
    },
    termRef(taxonomy, id) {
      const term = site.terms.get(id);
      return term?.taxonomy === taxonomy && findTerm(site.terms, taxonomy, term.slug) === id ? term.slug : id;
    },
    defaultTerm(taxonomy) {
      if (taxonomy !== 'category') return 0;
      const stored = site.settings.stored('default_category');
      if (typeof stored === 'string' || typeof stored === 'number') return refs.termId(taxonomy, stored);
      return findTerm(site.terms, taxonomy, 'uncategorized') ?? site.announcedTerms.get(`${taxonomy}:uncategorized`) ?? 0;
    },
  };
  return refs;

  function makeTerm(taxonomy: string, name: string, slug: string): number {
    const folder = site.taxonomies.get(taxonomy)?.folder;
    if (slug === '' || folder === undefined) return 0;
    const id = site.nextId('terms');
    const path = `terms/${folder}/${fileNameOf(slug)}.yaml`;
    site.records.apply([{ table: 'terms', put: Object.assign(blankTerm(id, taxonomy), { path, name, slug }) }]);
    kernel.make({ path, expect: null, data: { id, name }, order: ['id', 'name'] });
    return id;
  }
}
