/** Icons by name: `core/home`, the SVG. There is one built-in collection. */
import { drawings } from './drawings.ts';

export interface IconCollection {
  readonly slug: string;
  readonly label: string;
  readonly description: string;
}

export interface Icon {
  /** `collection/name`. */
  readonly name: string;
  readonly label: string;
  /** The whole element. */
  readonly content: string;
  readonly collection: string;
}

/** A name of a collection, or of an icon within one. */
export const iconWord = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';

const core: IconCollection = { slug: 'core', label: 'Standard', description: 'Icons that every site has.' };

export const iconCollections: ReadonlyMap<string, IconCollection> = new Map([[core.slug, core]]);

/** In display order. */
export const icons: ReadonlyMap<string, Icon> = new Map(
  drawings.map(([name, drawing]) => {
    const whole = `${core.slug}/${name}`;
    return [whole, { name: whole, label: labelOf(name), content: svg(drawing), collection: core.slug }];
  }),
);

/** Icons whose name or label contains a text, ignoring case; all for none. */
export function searchIcons(all: Iterable<Icon>, search: string): readonly Icon[] {
  return [...all].filter((icon) => holds([icon.name, icon.label], search));
}

/** Like `searchIcons`, for collections. */
export function searchCollections(search: string): readonly IconCollection[] {
  return [...iconCollections.values()].filter(({ slug, label, description }) => holds([slug, label, description], search));
}

function holds(texts: readonly string[], search: string): boolean {
  const sought = search.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(sought));
}

function svg(drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${drawing}</svg>`;
}

/** `star-filled` → `Star Filled`. */
function labelOf(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.replace('-', ' ').toUpperCase());
}
