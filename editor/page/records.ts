/** What answers hold, as far as the page uses it. */
export interface Text {
  readonly raw?: string;
  readonly rendered?: string;
}

type Link = { readonly href: string; readonly targetHints?: { readonly allow: readonly string[] } };

export interface Item {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly date: string | null;
  readonly modified_gmt: string;
  readonly slug: string;
  readonly link: string;
  readonly permalink_template?: string;
  readonly generated_slug?: string;
  readonly title?: Text;
  readonly content?: Text;
  readonly excerpt?: Text;
  readonly author?: number;
  readonly featured_media?: number;
  readonly parent?: number;
  readonly _links: Readonly<Record<string, readonly Link[]>>;
  readonly _embedded?: { readonly author?: readonly { readonly name?: string }[] };
  readonly [taxonomy: string]: unknown;
}

export interface Type {
  readonly slug: string;
  readonly name: string;
  readonly rest_base: string;
  readonly rest_namespace: string;
  readonly hierarchical: boolean;
  readonly viewable?: boolean;
  readonly taxonomies: readonly string[];
  readonly labels: Readonly<Record<string, string | null>>;
  readonly supports: Readonly<Record<string, unknown>>;
  readonly visibility?: { readonly show_ui: boolean };
  /** What this type calls its rights. */
  readonly capabilities?: Readonly<Record<string, string>>;
}

export interface Taxonomy {
  readonly slug: string;
  readonly name: string;
  readonly hierarchical: boolean;
  readonly rest_base: string;
  readonly rest_namespace: string;
}

export interface Term {
  readonly id: number;
  readonly name: string;
}

/** Where the page is, and for whom. */
export interface Site {
  readonly name: string;
  readonly url: string;
  readonly zone: string;
  readonly namespaces: readonly string[];
  readonly person: Person;
  readonly types: readonly Type[];
  readonly taxonomies: Readonly<Record<string, Taxonomy>>;
}

export interface Medium {
  readonly id: number;
  readonly alt_text: string;
  readonly source_url: string;
  readonly mime_type: string;
  readonly title: Text;
  readonly media_details?: {
    readonly width?: number;
    readonly height?: number;
    readonly sizes?: Readonly<Record<string, { readonly source_url: string }>>;
  };
}

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly locale: string;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

export const may = (item: Pick<Item, '_links'>, method: string): boolean =>
  item._links.self?.some(({ targetHints }) => targetHints?.allow.includes(method)) ?? false;
export const mayDo = (item: Pick<Item, '_links'>, action: string): boolean => item._links[`cms:action-${action}`] !== undefined;

/** Text without the entities that answers have in it. */
export function plain(text: string | undefined): string {
  return new DOMParser().parseFromString(text ?? '', 'text/html').body.textContent ?? '';
}

/** The address of a medium in this place, whatever address the site says it has. */
export function localAddress(address: string): string {
  try {
    const { pathname } = new URL(address);
    return pathname.includes('/uploads/') ? pathname : address;
  } catch {
    return address;
  }
}

export function thumbnail({ media_details, source_url }: Medium): string {
  const { medium, thumbnail: small } = media_details?.sizes ?? {};
  return localAddress((medium ?? small)?.source_url ?? source_url);
}
