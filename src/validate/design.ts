/**
 * Files of the design that are no posts: patterns, fonts, sidebars; and the JSON of global styles.
 */
import { table } from '../kernel/model/maps.ts';
import type { Schema } from '../kernel/model/schema.ts';
import type { Entry } from '../kernel/store/types.ts';
import type { DesignKind } from '../modules/design/themes/record.ts';
import { stylesType } from '../modules/design/themes/styles.ts';
import { widgetTypes } from '../modules/design/widgets/plan.ts';
import { nearest } from '../kernel/model/spelling.ts';
import { type Finding, say } from './finding.ts';
import { didYouMean } from '../kernel/model/remark.ts';
import type { ParsedFile } from './parsed-file.ts';

const text = (description: string): Schema => ({ description, type: 'string' });
const texts = (description: string): Schema => ({ description, type: ['array', 'string'], items: { type: 'string' } });
const id: Schema = { description: 'Number of the item; given when the file is first seen.', type: 'integer', minimum: 1 };
const version: Schema = { description: 'Version of the settings the file holds.', type: 'integer', enum: [2, 3] };

/** Keys of each kind of file, with what they hold. */
export const designForms: Readonly<Record<DesignKind, Readonly<Record<string, Schema>>>> = table({
  pattern: {
    id,
    title: text('As editors show it; the name of the file, if not said.'),
    description: text('What it is for.'),
    categories: texts('Categories of patterns.'),
    keywords: texts('Words by which it is found.'),
    block_types: texts('Blocks it may take the place of.'),
    post_types: texts('Types it is offered for.'),
    template_types: texts('Kinds of templates it is offered for.'),
    viewport_width: { description: 'Width of its preview, in pixels.', type: 'integer' },
    inserter: { description: 'False: it is not offered.', type: 'boolean' },
  },
  collection: {
    id,
    name: text('As editors show it.'),
    description: text('What it holds.'),
    font_families: { description: 'Families to install from.', type: 'array' },
    categories: { description: 'Kinds of families.', type: 'array' },
  },
  family: {
    id,
    name: text('As editors show it.'),
    fontFamily: text('Value of the CSS property.'),
    preview: text('Address of a preview.'),
    theme_json_version: version,
  },
  face: {
    id,
    theme_json_version: version,
    ...Object.fromEntries(
      (
        'fontFamily fontStyle fontWeight fontDisplay fontStretch ascentOverride descentOverride fontVariant fontFeatureSettings ' +
        'fontVariationSettings lineGapOverride sizeAdjust unicodeRange preview'
      )
        .split(' ')
        .map((name) => [name, text('As the face editors of block themes write it.')]),
    ),
    src: texts('Addresses of the font files.'),
  },
  sidebar: {
    id,
    name: text('As editors show it.'),
    description: text('What it is for.'),
    class: text('Class of its element.'),
    before_widget: text('Markup before each widget.'),
    after_widget: text('Markup behind each widget.'),
    before_title: text('Markup before the title of a widget.'),
    after_title: text('Markup behind the title of a widget.'),
    show_in_rest: { description: 'Whether visitors may read it over the interface.', type: 'boolean' },
    widgets: {
      description: 'Widgets in order: an id such as text-2, and the settings of its type.',
      type: 'array',
      items: { type: 'object', properties: { id: text('Type and number: text-2.') } },
    },
  },
});

export function designKeys(kind: string): readonly string[] {
  return Object.keys(designForms[kind as DesignKind] ?? {});
}

export function checkDesign(parsedFiles: readonly ParsedFile[]): Finding[] {
  const families = new Set<string>();
  for (const { kind, of, entry } of parsedFiles)
    if (kind === 'design' && of === 'family') families.add(entry.path.slice('fonts/'.length, -'.yaml'.length));
  const widgets = new Map<string, string>();
  return parsedFiles.flatMap((parsedFile): Finding[] => {
    const { kind, of, entry } = parsedFile;
    if (kind === 'post' && of === stylesType) return checkStyles(entry);
    if (kind === 'design' && of === 'sidebar') return checkWidgets(entry, widgets);
    if (kind !== 'design' || of !== 'face') return [];
    const family = entry.path.split('/')[1] as string;
    if (families.has(family)) return [];
    const hint = didYouMean(nearest(family, families), `fonts/${family}.yaml names the family`);
    return [{ path: entry.path, keys: [], ...say('font-family', `there is no font family ${family}`, hint) }];
  });
}

function checkStyles({ path, body }: Entry): Finding[] {
  // A code fence around the JSON is allowed; the positions behind it must stay.
  const json = body.replace(/^[ \t]*```\w*[ \t]*$/gm, (fence) => ' '.repeat(fence.length));
  if (json.trim() === '') return [];
  try {
    JSON.parse(json);
    return [];
  } catch {
    const at = jsonFault(json);
    const shown = JSON.stringify(json.slice(at).split('\n')[0]?.slice(0, 40) ?? '');
    const message =
      at >= json.trimEnd().length ? 'is not valid JSON: it ends too early' : `is not valid JSON: ${shown} was not expected`;
    return [
      {
        path,
        keys: [],
        at: Math.min(at, json.trimEnd().length - 1),
        ...say('styles-json', message, 'without it the site has no styles of its own'),
      },
    ];
  }
}

const token = /\s*(?:([{}[\]:,])|("(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** Offset of the first part of a text that no JSON has there; engines do not all tell it. */
function jsonFault(json: string): number {
  const open: string[] = [];
  // What may come: a value, a key, the colon behind it, or what goes on after a value.
  let next: 'value' | 'first' | 'key' | 'colon' | 'more' = 'value';
  for (token.lastIndex = 0; ; ) {
    const at = token.lastIndex + (/^\s*/.exec(json.slice(token.lastIndex, token.lastIndex + 1000))?.[0].length ?? 0);
    const found = token.exec(json);
    if (!found) return at;
    const [, sign, value] = found;
    const inside = open.at(-1);
    if (next === 'colon') {
      if (sign !== ':') return at;
      next = 'value';
    } else if (next === 'more') {
      if (sign === ',' && inside) next = inside === '{' ? 'key' : 'value';
      else if (inside && sign === (inside === '{' ? '}' : ']')) open.pop();
      else return at;
    } else if ((next === 'key' || (next === 'first' && inside === '{')) && value?.startsWith('"')) next = 'colon';
    else if (next === 'first' && sign === (inside === '{' ? '}' : ']')) {
      open.pop();
      next = 'more';
    } else if (next === 'key' || (next === 'first' && inside === '{')) return at;
    else if (sign === '{' || sign === '[') {
      open.push(sign);
      next = 'first';
    } else if (value !== undefined) next = 'more';
    else return at;
  }
}

/** @param known  id of a widget → file it stands in */
function checkWidgets({ path, data }: Entry, known: Map<string, string>): Finding[] {
  if (data.widgets === undefined || data.widgets === null) return [];
  if (!Array.isArray(data.widgets)) return [{ path, keys: ['widgets'], ...say('widget', 'widgets must be a list') }];
  return data.widgets.flatMap((one: unknown, at): Finding[] => {
    const own = typeof one === 'object' && one !== null ? (one as { readonly id?: unknown }).id : undefined;
    const id = String(own ?? '');
    const base = /^([\w-]+)-\d+$/.exec(id)?.[1];
    const wrong = (message: string, hint?: string): Finding[] => [
      { path, keys: ['widgets', at, 'id'], ...say('widget', message, hint) },
    ];
    if (base === undefined)
      return wrong(`${own === undefined ? 'a widget' : JSON.stringify(own)} has no id`, 'write a type and a number: text-2');
    if (known.has(id)) return wrong(`widget ${id} is already in ${known.get(id)}`, 'give this one another number');
    known.set(id, path);
    const types = [...widgetTypes.keys()];
    if (types.includes(base)) return [];
    const meant = nearest(base, types);
    return meant === undefined ? [] : wrong(`unknown type of widget ${JSON.stringify(base)}`, didYouMean(meant));
  });
}
