/**
 * Types and taxonomies of an export: it declares none, so what they are follows from how their items use them.
 */
import { standardTaxonomies } from '../../../modules/types/taxonomies.ts';
import { standardTypes } from '../../../modules/types/types.ts';
import type { DeclarationItem, Place, PostItem } from '../../import/items.ts';

export interface InferredDeclarations {
  post(post: PostItem): void;
  /** @param below  a term of it is below another */
  taxonomy(name: string, below: boolean): void;
  /** Of those that not every site has. @param place  of taxonomies, which have none of their own */
  declarations(place: Place): readonly DeclarationItem[];
}

interface TypeUse {
  readonly place: Place;
  hierarchical: boolean;
  isPublic: boolean;
  ordered: boolean;
  discussed: boolean;
}

const usual = ['title', 'editor', 'author', 'excerpt', 'thumbnail', 'revisions', 'custom-fields'];

export function createInferredDeclarations(): InferredDeclarations {
  const types = new Map<string, TypeUse>();
  const taxonomies = new Map<string, { hierarchical: boolean; readonly types: Set<string> }>();

  return {
    post(post) {
      const { type, place, link, parent, order, status } = post;
      const use = types.get(type) ?? { place, hierarchical: false, isPublic: false, ordered: false, discussed: false };
      types.set(type, use);
      use.hierarchical ||= parent !== undefined && type !== 'attachment';
      // Types without pages of their own have addresses that name the type.
      use.isPublic ||= status === 'publish' && link !== undefined && !/[?&](?:amp;)?post_type=/.test(link);
      use.ordered ||= order !== undefined;
      use.discussed ||= post.comments === 'open' || post.pings === 'open';
      for (const taxonomy of Object.keys(post.terms ?? {})) taxonomyUse(taxonomy).types.add(type);
    },
    taxonomy(name, below) {
      taxonomyUse(name).hierarchical ||= below;
    },
    declarations(place) {
      const customTypes = [...types].filter(([name]) => !standardTypes.some((type) => type.name === name));
      const customTaxonomies = [...taxonomies].filter(([name]) => !standardTaxonomies.some((taxonomy) => taxonomy.name === name));
      return [
        ...customTypes.map(
          ([name, use]): DeclarationItem => ({ kind: 'type', name, place: use.place, declaration: typeOf(name, use) }),
        ),
        ...customTaxonomies.map(([name, use]): DeclarationItem => {
          const having = use.types.size === 0 ? {} : { types: [...use.types] };
          return { kind: 'taxonomy', name, place, declaration: { ...labelsOf(name), ...tree(use), ...having } };
        }),
      ];
    },
  };

  function taxonomyUse(name: string) {
    const known = taxonomies.get(name) ?? { hierarchical: false, types: new Set<string>() };
    taxonomies.set(name, known);
    return known;
  }

  function typeOf(name: string, use: TypeUse): Readonly<Record<string, unknown>> {
    const having = [...taxonomies].flatMap(([taxonomy, { types: of }]) => (of.has(name) ? [taxonomy] : []));
    return {
      ...labelsOf(name),
      ...tree(use),
      ...(use.isPublic ? {} : { public: false }),
      supports: [...usual, ...(use.ordered ? ['page-attributes'] : []), ...(use.discussed ? ['comments'] : [])],
      ...(having.length === 0 ? {} : { taxonomies: having }),
    };
  }
}

function tree({ hierarchical }: { readonly hierarchical: boolean }): { readonly hierarchical?: true } {
  return hierarchical ? { hierarchical } : {};
}

/** The export does not say how a type is called: its name, in words. */
function labelsOf(name: string): { readonly singular: string; readonly plural: string } {
  const words = name.replace(/[_-]+/g, ' ').trim() || name;
  const singular = words.slice(0, 1).toUpperCase() + words.slice(1);
  return { singular, plural: singular.endsWith('s') ? singular : `${singular}s` };
}
