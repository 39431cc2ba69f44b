/**
 * Types of blocks: the entries of the table with the attributes that their supports bring.
 */
import { at } from './attribute-path.ts';
import { type BlockEntry, type BlockVariation, blockTable, type ShownBy } from './block-table.ts';

export interface BlockType extends Pick<BlockEntry, 'excerpt' | 'bindable' | 'texts' | 'holds' | 'isMenuItem' | 'shows'> {
  /** With its namespace: `core/heading`. */
  readonly name: string;
  readonly title: string;
  readonly category: string;
  readonly description: string;
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly supports: Readonly<Record<string, unknown>>;
  readonly isDynamic: boolean;
  readonly apiVersion: number;
  readonly parent: readonly string[] | null;
  readonly ancestor: readonly string[] | null;
  readonly allowed: readonly string[] | null;
  readonly uses: readonly string[];
  readonly provides: Readonly<Record<string, string>>;
  readonly selectors: Readonly<Record<string, unknown>>;
  readonly keywords: readonly string[];
  readonly styles: readonly { readonly name: string; readonly label: string; readonly isDefault?: true }[];
  readonly variations: readonly (BlockVariation & { readonly title: string })[];
}

/** Names of the styles that a block has when none is chosen. */
const defaultStyles = new Set(['default', 'fill', 'regular']);

/** Blocks by name. */
export const blockTypes: ReadonlyMap<string, BlockType> = new Map(
  Object.entries(blockTable).map(([slug, entry]) => {
    const name = `core/${slug}`;
    return [
      name,
      {
        ...entry,
        name,
        attributes: { ...broughtBy(entry.supports), ...entry.attributes },
        isDynamic: entry.isDynamic ?? false,
        apiVersion: entry.apiVersion ?? 3,
        parent: entry.parent ?? null,
        ancestor: entry.ancestor ?? null,
        allowed: entry.allowed ?? null,
        uses: entry.uses ?? [],
        provides: entry.provides ?? {},
        selectors: entry.selectors ?? {},
        keywords: entry.keywords ?? [],
        styles: (entry.styles ?? []).map((style) => ({
          name: style,
          label: labelOf(style),
          ...(defaultStyles.has(style) ? { isDefault: true as const } : {}),
        })),
        variations: (entry.variations ?? []).map((one) => ({ title: labelOf(one.name), ...one })),
      },
    ];
  }),
);

/** Names, without their namespace, of blocks that show one of these beside their own markup. */
export function namesOfShowing(...kinds: readonly ShownBy[]): readonly string[] {
  return Object.entries(blockTable).flatMap(([slug, { shows = [] }]) =>
    shows.some((kind) => kinds.includes(kind)) ? [slug] : [],
  );
}

/**
 * Whether a block supports a feature, `hasSupport(type, 'position')`, or a part of one, `hasSupport(type, 'color', 'link')`.
 *
 * @param usual  where its type says nothing about it
 */
export function hasSupport(type: BlockType | undefined, feature: string, part?: string, usual = false): boolean {
  const found = at(type?.supports, part === undefined ? feature : `${feature}.${part}`);
  return found === undefined ? usual : found === true || (typeof found === 'object' && found !== null);
}

/** Whether a block sees to a feature itself, or to a part of it. */
export function seesToIt(type: BlockType | undefined, feature: string, part?: string): boolean {
  const own = at(type?.supports, `${feature}.__experimentalSkipSerialization`);
  return Array.isArray(own) ? part !== undefined && own.includes(part) : Boolean(own);
}

/** A name for people, from one for machines. */
export function labelOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}

/** The attributes that follow from what a block supports. */
function broughtBy(supports: BlockType['supports']): Record<string, Readonly<Record<string, unknown>>> {
  const text = { type: 'string' };
  const map = { type: 'object' };
  const part = (feature: string, name: string): unknown =>
    (supports[feature] as Readonly<Record<string, unknown>> | undefined)?.[name];
  const given: readonly (readonly [name: string, schema: Readonly<Record<string, unknown>>, isBrought: unknown])[] = [
    ['lock', map, true],
    ['metadata', map, true],
    ['style', map, supports.customCSS !== false],
    ['align', { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] }, supports.align],
    ['className', text, supports.customClassName !== false],
    ['backgroundColor', text, 'color' in supports && part('color', 'background') !== false],
    ['textColor', text, 'color' in supports && part('color', 'text') !== false],
    ['gradient', text, part('color', 'gradients')],
    ['fontSize', text, part('typography', 'fontSize')],
    ['fontFamily', text, part('typography', '__experimentalFontFamily')],
    ['borderColor', text, part('__experimentalBorder', 'color')],
    ['layout', map, supports.layout],
    ['anchor', text, supports.anchor],
    ['ariaLabel', text, supports.ariaLabel],
  ];
  return Object.fromEntries(given.filter(([, , isBrought]) => isBrought).map(([name, schema]) => [name, schema]));
}
