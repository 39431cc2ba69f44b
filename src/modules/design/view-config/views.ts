/** Default views of a type, taxonomy or other entity: the list, alternatives, and the form. */
import type { Site } from '../../../kernel/site/site.ts';
import type { PostType } from '../../types/record.ts';
import { categoriesOf } from '../blocks/index.ts';
import { templateAreas, themeOf } from '../themes/index.ts';

export interface ViewConfig {
  readonly defaultView: Readonly<Record<string, unknown>>;
  readonly defaultLayouts: Readonly<Record<string, unknown>>;
  readonly viewList: readonly View[];
  readonly form: Readonly<Record<string, unknown>>;
}

interface View {
  readonly title: string;
  readonly slug: string;
  readonly view?: Readonly<Record<string, unknown>>;
}

const byTitle = { field: 'title', direction: 'asc' } as const;
const perPage = 20;
const plainView = {
  type: 'table',
  filters: [],
  sort: byTitle,
  perPage,
  fields: ['author', 'status'],
  titleField: 'title',
};

/** The default. */
export const plainConfig: ViewConfig = {
  defaultView: plainView,
  defaultLayouts: { table: {}, grid: {}, list: {} },
  viewList: [{ title: 'All items', slug: 'all' }],
  form: {},
};

const bare = { type: 'regular', labelPosition: 'none' } as const;
const above = { type: 'panel', labelPosition: 'top' } as const;
const panel = (fields: readonly unknown[]) => ({ layout: { type: 'panel' }, fields });

const itemForm = panel([
  { id: 'featured_media', layout: bare },
  { id: 'post-content-info', layout: bare },
  { id: 'excerpt', layout: above },
  { id: 'status', label: 'Status', children: [{ id: 'status', layout: bare }, 'scheduled_date', 'password', 'sticky'] },
  ...['date', 'slug', 'author', 'template'],
  { id: 'discussion', label: 'Discussion', children: [{ id: 'comment_status', layout: bare }, 'ping_status'] },
  ...['parent', 'format', 'revisions'],
]);
const templateForm = panel([
  { id: 'description', layout: above },
  { id: 'description_readonly', layout: bare },
  { id: 'last_edited_date', layout: { type: 'panel', labelPosition: 'none' } },
  ...['revisions', 'posts_page_title', 'posts_per_page', 'default_comment_status'],
]);
const patternForm = panel([
  { id: 'excerpt', layout: above },
  { id: 'post-content-info', layout: bare },
  ...['sync-status', 'revisions'],
]);

/** The author column is left-aligned. */
const authorsAtStart = { layout: { styles: { author: { align: 'start' } } } };
const withMedia = { table: { showMedia: false }, grid: { showMedia: true }, list: { showMedia: false } };

/** Types with special lists. */
const ofTypes = new Map<string, (site: Site, plain: ViewConfig) => ViewConfig>([
  ['page', (_site, plain) => ({ ...plain, ...pages, viewList: [...plain.viewList, ...byStatus] })],
  ['cms_block', patterns],
  ['cms_template', templates],
  ['cms_template_part', templateParts],
]);

/** The configuration of a type. */
export function configOfType(site: Site, type: PostType): ViewConfig {
  const title = type.searchable ? `All ${type.label}` : type.label;
  const plain = { ...plainConfig, viewList: [{ title, slug: 'all' }], form: itemForm };
  return ofTypes.get(type.name)?.(site, plain) ?? plain;
}

const pages = {
  defaultView: {
    type: 'list',
    filters: [],
    perPage,
    sort: byTitle,
    showLevels: true,
    titleField: 'title',
    mediaField: 'featured_media',
    fields: ['author', 'status'],
  },
  defaultLayouts: { table: authorsAtStart, grid: {}, list: {} },
} as const;

const locked = (field: string, operator: string, value: string) => [{ field, operator, value, isLocked: true }];

const byStatus: readonly View[] = [
  ['Published', 'published', 'publish'],
  ['Scheduled', 'future', 'future'],
  ['Drafts', 'drafts', 'draft'],
  ['Pending', 'pending', 'pending'],
  ['Private', 'private', 'private'],
  ['Trash', 'trash', 'trash'],
].map(([title = '', slug = '', status = '']) => {
  const filters = locked('status', 'isAny', status);
  return { title, slug, view: status === 'trash' ? { type: 'table', ...authorsAtStart, filters } : { filters } };
});

function patterns(site: Site): ViewConfig {
  const badges = { badgeFields: ['sync-status'] };
  const categories = [...categoriesOf(site), { name: 'uncategorized', label: 'Uncategorized' }];
  return {
    defaultView: {
      type: 'grid',
      perPage,
      titleField: 'title',
      mediaField: 'preview',
      fields: ['sync-status'],
      filters: [],
      layout: badges,
    },
    defaultLayouts: { table: { layout: { styles: { author: { width: '1%' } } } }, grid: { layout: badges } },
    viewList: [
      { title: 'All patterns', slug: 'all-patterns' },
      { title: 'My patterns', slug: 'my-patterns' },
      ...categories
        .map(({ name, label }) => ({ title: label, slug: name }))
        .sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0)),
    ],
    form: patternForm,
  };
}

/** Templates and parts, by preview. */
const previews = {
  type: 'grid',
  perPage,
  sort: byTitle,
  titleField: 'title',
  mediaField: 'preview',
  filters: [],
  showMedia: true,
};

function templates(site: Site): ViewConfig {
  const { name } = themeOf(site);
  return {
    defaultView: { ...previews, descriptionField: 'description', fields: ['author', 'active', 'slug', 'theme'] },
    defaultLayouts: withMedia,
    viewList: [
      { title: 'All templates', slug: 'all' },
      { title: name, slug: name, view: { filters: locked('author', 'is', name) } },
    ],
    form: templateForm,
  };
}

function templateParts(): ViewConfig {
  return {
    defaultView: { ...previews, fields: ['author'] },
    defaultLayouts: withMedia,
    viewList: [
      { title: 'All template parts', slug: 'all' },
      ...templateAreas.map(({ area, label }) => ({
        title: label,
        slug: area,
        view: { filters: locked('area', 'is', area) },
      })),
    ],
    form: templateForm,
  };
}
