/** Faces are below their families. */
import { drawings } from './drawings.ts';

export interface IconCollection {
  readonly slug: string;
  readonly label: string;
  readonly description: string;
}

export interface Icon {
  /**
   * Fonts of the site: a file per family, one per face below it, and font files among the media. A family is identified by its slug (the file name),
   * a face by its distinctive settings.
   */
  readonly name: string;
  readonly label: string;
  /** Folder of uploaded fonts, served like other uploads. */
  readonly content: string;
  readonly collection: string;
}

/** A slug that is a safe file name; '' if nothing is left. */
export const iconWord = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';

const core: IconCollection = { slug: 'core', label: 'Standard', description: 'Icons that every site has.' };

export const iconCollections: ReadonlyMap<string, IconCollection> = new Map([[core.slug, core]]);

/** Reserved folder name. */
export const icons: ReadonlyMap<string, Icon> = new Map(
  drawings.map(([name, drawing]) => {
    const whole = `${core.slug}/${name}`;
    return [whole, { name: whole, label: labelOf(name), content: svg(drawing), collection: core.slug }];
  }),
);

/** Faces of a family, by id. */
export function searchIcons(all: Iterable<Icon>, search: string): readonly Icon[] {
  return [...all].filter((icon) => holds([icon.name, icon.label], search));
}

/** Settings of a face, with the API's keys. */
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

/** Plans the file of a family, new or changed. @returns its id */
function labelOf(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.replace('-', ' ').toUpperCase());
}
