/**
 * Sidebars and widgets: `sidebars/<id>.yaml`, each with its widgets in order. Inactive widgets are in `sidebars/inactive.yaml`. A widget is a type
 * and a number (`text-2`) with settings.
 */
import { wireConstants } from '../../../render/wire-constants.ts';
import { createHash } from 'node:crypto';
import { isMap, table } from '../../../kernel/model/maps.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { scalarNumber, scalarText } from '../../../kernel/model/scalars.ts';
import '../../content/dynamic-blocks/record.ts';
import { sheetNamed, sheetsOf, writeSheet } from '../themes/record.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { filterHtml } from '../../../render/filter.ts';
import { renderMarkup } from '../../../render/markup.ts';
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';

export interface Widget {
  /** `text-2`. */
  readonly id: string;
  /** `text`. */
  readonly base: string;
  readonly sidebar: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Sidebar {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly className: string;
  readonly beforeWidget: string;
  readonly afterWidget: string;
  readonly beforeTitle: string;
  readonly afterTitle: string;
  /** Whether visitors may read it. */
  readonly isPublic: boolean;
  readonly widgets: readonly Widget[];
}

export interface WidgetType {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly className: string;
  /** Settings, and their form fields. */
  readonly fields: Readonly<Record<string, 'text' | 'textarea' | 'number' | 'checkbox'>>;
  /** Markup settings: sanitized unless the user may write any markup. */
  readonly markup: string | null;
}

type Kept = Pick<PlanningSite, 'design' | 'nextId'>;

/** The API's name for inactive widgets, in both dialects. */
export const INACTIVE = wireConstants.inactiveWidgets;
const FILE = 'inactive';

const title = { title: 'text' } as const;

/** Types that the server renders; the block of each has the same settings. */
export const widgetTypes: ReadonlyMap<string, WidgetType> = new Map(
  (
    [
      [
        'archives',
        'Archives',
        'The months in which there are posts.',
        'widget_archive',
        { ...title, dropdown: 'checkbox', count: 'checkbox' },
      ],
      ['block', 'Block', 'Any blocks.', 'widget_block', { content: 'textarea' }, 'content'],
      ['calendar', 'Calendar', 'A month of posts.', 'widget_calendar', title],
      [
        'categories',
        'Categories',
        'Links to categories.',
        'widget_categories',
        { ...title, count: 'checkbox', hierarchical: 'checkbox', dropdown: 'checkbox' },
      ],
      ['custom_html', 'Custom HTML', 'Markup of your own.', 'widget_custom_html', { ...title, content: 'textarea' }, 'content'],
      ['pages', 'Pages', 'Links to all pages.', 'widget_pages', title],
      [
        'recent-posts',
        'Recent Posts',
        'The newest posts.',
        'widget_recent_entries',
        { ...title, number: 'number', show_date: 'checkbox' },
      ],
      ['search', 'Search', 'A form to search the site.', 'widget_search', title],
      ['tag_cloud', 'Tag Cloud', 'Tags, the common ones larger.', 'widget_tag_cloud', { ...title, count: 'checkbox' }],
      ['text', 'Text', 'A text.', 'widget_text', { ...title, text: 'textarea' }, 'text'],
    ] as readonly [string, string, string, string, WidgetType['fields'], string?][]
  ).map(([id, name, description, className, fields, markup = null]) => [
    id,
    { id, name, description, className, fields, markup },
  ]),
);

/** Every sidebar by name, the inactive one last. */
export function sidebarsOf(site: Pick<Site, 'design'>): readonly Sidebar[] {
  const named = sheetsOf(site, 'sidebar').filter(({ name }) => name !== FILE);
  return [...named.map(({ name }) => sidebarById(site, name) as Sidebar), sidebarById(site, INACTIVE) as Sidebar];
}

export function sidebarById(site: Pick<Site, 'design'>, id: string): Sidebar | undefined {
  const isInactive = id === INACTIVE;
  const sheet = id === FILE ? undefined : sheetNamed(site, 'sidebar', fileOf(id));
  if (!sheet && !isInactive) return undefined;
  const data = sheet?.data ?? {};
  const text = (key: string): string => scalarText(data[key]);
  return {
    id,
    name: isInactive ? 'Inactive widgets' : text('name') || id,
    description: text('description'),
    className: text('class'),
    beforeWidget: text('before_widget'),
    afterWidget: text('after_widget'),
    beforeTitle: text('before_title'),
    afterTitle: text('after_title'),
    isPublic: data.show_in_rest === true && !isInactive,
    widgets: (Array.isArray(data.widgets) ? data.widgets : []).flatMap((one) => toWidget(id, one) ?? []),
  };
}

export function widgetById(site: Pick<Site, 'design'>, id: string): Widget | undefined {
  for (const sidebar of sidebarsOf(site)) {
    const found = sidebar.widgets.find((widget) => widget.id === id);
    if (found) return found;
  }
  return undefined;
}

/** The next widget id of a type. */
export function nextWidgetId(site: Pick<Site, 'design'>, base: string): string {
  const numbers = sidebarsOf(site)
    .flatMap(({ widgets }) => widgets)
    .filter((widget) => widget.base === base)
    .map(({ id }) => Number(id.slice(base.length + 1)));
  return `${base}-${Math.max(1, ...numbers) + 1}`;
}

/** Plans the files for a new or moved widget. */
export function planWidget(site: Kept, widget: Widget): FileChange[] {
  return planSidebars(site, (sidebar) => {
    const at = sidebar.widgets.findIndex(({ id }) => id === widget.id);
    if (sidebar.id === widget.sidebar) return at < 0 ? [...sidebar.widgets, widget] : sidebar.widgets.with(at, widget);
    return at < 0 ? sidebar.widgets : sidebar.widgets.toSpliced(at, 1);
  });
}

export function planWidgetRemoval(site: Kept, id: string): FileChange[] {
  return planSidebars(site, ({ widgets }) => widgets.filter((widget) => widget.id !== id));
}

/** Plans the widgets of a sidebar, in the given order; removed ones become inactive. */
export function planOrder(site: Kept, sidebar: string, ids: readonly string[]): FileChange[] {
  const wanted = [...new Set(ids)].flatMap((id) => widgetById(site, id) ?? []);
  const isWanted = (widget: Widget): boolean => wanted.some(({ id }) => id === widget.id);
  const lost = (sidebarById(site, sidebar)?.widgets ?? []).filter((widget) => !isWanted(widget));
  return planSidebars(site, (one) => {
    if (one.id === sidebar) return sidebar === INACTIVE ? [...wanted, ...lost] : wanted;
    const left = one.widgets.filter((widget) => !isWanted(widget));
    return one.id === INACTIVE ? [...left, ...lost] : left;
  });
}

/** The markup of a widget in its sidebar. */
export function renderWidget(site: Site, widget: Widget, sidebar: Sidebar): string {
  const type = widgetTypes.get(widget.base);
  if (!type || sidebar.id === INACTIVE) return '';
  const fill = (text: string): string =>
    text.replaceAll('%1$s', escapeHtml(widget.id)).replaceAll('%2$s', escapeHtml(type.className));
  const name = typeof widget.settings.title === 'string' ? widget.settings.title : '';
  const shown = name === '' || widget.base === 'block' ? '' : `${sidebar.beforeTitle}${escapeHtml(name)}${sidebar.afterTitle}`;
  return `${fill(sidebar.beforeWidget)}${shown}${renderSettings(site, widget.base, widget.settings)}${sidebar.afterWidget}`;
}

/** The markup of a widget without its sidebar. */
export function renderSettings(site: Site, base: string, settings: Widget['settings']): string {
  const options = {
    smilies: site.settings.value('smilies') === true,
    typography: site.settings.value('typography') === true,
    filtered: site.operator.filter_content,
    home: site.url,
    postId: 0,
  };
  const toAll = { reader: null, post: 0, before: 0 };
  if (base === 'block') {
    const content = scalarText(settings.content);
    return renderMarkup(content, options, site.dynamicBlocks.show(content, { ...toAll, options }));
  }
  if (base === 'custom_html') {
    const html = scalarText(settings.content);
    return `<div class="textwidget custom-html-widget">${options.filtered ? filterHtml(html, 'post') : html}</div>`;
  }
  if (base === 'text') return `<div class="textwidget">${renderMarkup(scalarText(settings.text), options)}</div>`;
  const [name, attributes] = (Object.hasOwn(blockOf, base) ? blockOf[base]?.(settings) : undefined) ?? ['', {}];
  return name === '' ? '' : site.dynamicBlocks.showOne(name, attributes, toAll);
}

/** The settings form of a type. */
export function renderForm(type: WidgetType, id: string, settings: Widget['settings']): string {
  const number = id.slice(type.id.length + 1) || '__i__';
  return Object.entries(type.fields)
    .map(([name, kind]) => {
      const at = `id="widget-${type.id}-${number}-${name}" name="widget-${type.id}[${number}][${name}]"`;
      const value = settings[name];
      const label = `<label for="widget-${type.id}-${number}-${name}">${escapeHtml(name.replaceAll('_', ' '))}</label>`;
      if (kind === 'textarea') return `<p>${label}<textarea ${at}>${escapeHtml(scalarText(value))}</textarea></p>`;
      if (kind === 'checkbox') return `<p><input type="checkbox" ${at}${value === true ? ' checked' : ''} />${label}</p>`;
      return `<p>${label}<input type="${kind}" ${at} value="${escapeHtml(scalarText(value))}" /></p>`;
    })
    .join('\n');
}

/** Settings from a form: unchecked boxes are missing. */
export function settingsOf(type: WidgetType, form: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(type.fields).map(([name, kind]) => {
      const value = form[name];
      if (kind === 'checkbox') return [name, value !== undefined && value !== '' && value !== '0' && value !== false];
      return [name, kind === 'number' ? scalarNumber(value) || 0 : scalarText(value)];
    }),
  );
}

/** Encoded settings with a checksum. */
export function encodeInstance(settings: Widget['settings']): { readonly encoded: string; readonly hash: string } {
  const encoded = Buffer.from(JSON.stringify(settings)).toString('base64');
  return { encoded, hash: createHash('sha256').update(encoded).digest('hex').slice(0, 32) };
}

/** Decoded settings; null if the checksum is wrong. */
export function decodeInstance(encoded: string, hash: string): Record<string, unknown> | null {
  try {
    const settings: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
    const fits = createHash('sha256').update(encoded).digest('hex').slice(0, 32) === hash;
    return fits && isMap(settings) ? settings : null;
  } catch {
    return null;
  }
}

/** The block of a widget. */
const blockOf: Readonly<Record<string, (settings: Widget['settings']) => readonly [string, Record<string, unknown>]>> = table({
  archives: (one) => ['core/archives', { displayAsDropdown: one.dropdown === true, showPostCounts: one.count === true }],
  calendar: () => ['core/calendar', {}],
  categories: (one) => [
    'core/categories',
    { displayAsDropdown: one.dropdown === true, showPostCounts: one.count === true, showHierarchy: one.hierarchical === true },
  ],
  pages: () => ['core/page-list', {}],
  'recent-posts': (one) => [
    'core/latest-posts',
    { postsToShow: Number(one.number) || 5, displayPostDate: one.show_date === true },
  ],
  search: () => ['core/search', {}],
  tag_cloud: (one) => ['core/tag-cloud', { showTagCounts: one.count === true }],
});

/** Changes of every modified sidebar. */
function planSidebars(site: Kept, next: (sidebar: Sidebar) => readonly Widget[]): FileChange[] {
  return sidebarsOf(site).flatMap((sidebar) => {
    const widgets = next(sidebar);
    const isSame = widgets.length === sidebar.widgets.length && widgets.every((widget, at) => widget === sidebar.widgets[at]);
    if (isSame) return [];
    const sheet = sheetNamed(site, 'sidebar', fileOf(sidebar.id));
    // The name comes first, and cannot be replaced by a setting.
    const data = {
      ...(sheet ? {} : { id: site.nextId('posts') }),
      widgets: widgets.map(({ id, settings: { id: _, ...rest } }) => ({ id, ...rest })),
    };
    return [writeSheet(sheet?.path ?? `sidebars/${fileOf(sidebar.id)}.yaml`, data, sheet)];
  });
}

function toWidget(sidebar: string, value: unknown): Widget | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, ...settings } = value as Record<string, unknown>;
  const base = /^([\w-]+)-\d+$/.exec(scalarText(id))?.[1];
  return base === undefined ? null : { id: scalarText(id), base, sidebar, settings };
}

function fileOf(sidebar: string): string {
  return sidebar === INACTIVE ? FILE : sidebar;
}
