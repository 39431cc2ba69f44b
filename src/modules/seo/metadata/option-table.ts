/**
 * The options of the site: name in the reference, place below `seo:` in `site.yaml`, form and default. The one place where they stand.
 *
 * Source: reference on seo/v1, 2.4, 5.3.
 */
import { table } from '../../../kernel/model/maps.ts';

/** How a value is read and written. `picture id` and `picture url` are two views of one value: a medium (by id or path), or an address. */
export type OptionForm = 'text' | 'flag' | 'texts' | 'map' | 'separator' | 'represents' | 'user' | 'picture id' | 'picture url';

interface Row<T> {
  /** Name in the reference. */
  readonly option: string;
  /** Keys below `seo:`. */
  readonly path: readonly string[];
  readonly form: OptionForm;
  readonly default: T;
}

const text = (option: string, path: string, standard = ''): Row<string> => row(option, path, 'text', standard);
const flag = (option: string, path: string, standard: boolean): Row<boolean> => row(option, path, 'flag', standard);
const texts = (option: string, path: string): Row<readonly string[]> => row(option, path, 'texts', []);
const pictureId = (option: string, path: string): Row<number> => row(option, path, 'picture id', 0);
const pictureUrl = (option: string, path: string): Row<string> => row(option, path, 'picture url', '');

function row<T>(option: string, path: string, form: OptionForm, standard: T): Row<T> {
  return { option, path: path.split('.'), form, default: standard };
}

/** Property of `SeoOptions` → its row. */
export const optionTable = {
  headInAnswers: flag('enable_headless_rest_endpoints', 'head_in_answers', true),
  cardLabels: flag('enable_enhanced_slack_sharing', 'card_labels', true),
  /** Nothing of the site is for search engines. */
  hidden: flag('discourage_search_engines', 'noindex', false),
  separator: row<string>('separator', 'separator', 'separator', 'sc-dash'),
  websiteName: text('website_name', 'website.name'),
  alternateWebsiteName: text('alternate_website_name', 'website.alternate_name'),
  represents: row<'company' | 'person'>('company_or_person', 'represents', 'represents', 'company'),
  companyName: text('company_name', 'organization.name'),
  companyAlternateName: text('company_alternate_name', 'organization.alternate_name'),
  companyLogo: pictureUrl('company_logo', 'organization.logo'),
  companyLogoId: pictureId('company_logo_id', 'organization.logo'),
  person: row<number>('company_or_person_user_id', 'person.user', 'user', 0),
  personLogo: pictureUrl('person_logo', 'person.logo'),
  personLogoId: pictureId('person_logo_id', 'person.logo'),
  networkASite: text('network_a_site', 'profiles.network_a'),
  networkBSite: text('network_b_site', 'profiles.network_b'),
  otherSocialUrls: texts('other_social_urls', 'profiles.others'),
  openGraph: flag('opengraph', 'open_graph', true),
  card: flag('twitter', 'card', true),
  defaultImage: pictureUrl('og_default_image', 'image'),
  defaultImageId: pictureId('og_default_image_id', 'image'),
  frontTitle: text('open_graph_frontpage_title', 'home.social_title', '%%sitename%%'),
  frontDescription: text('open_graph_frontpage_desc', 'home.social_description'),
  frontImage: pictureUrl('open_graph_frontpage_image', 'home.image'),
  frontImageId: pictureId('open_graph_frontpage_image_id', 'home.image'),
  homeTitle: text('title-home-seo', 'home.title', '%%sitename%% %%page%% %%sep%% %%sitedesc%%'),
  homeDescription: text('metadesc-home-seo', 'home.description'),
  authorTitle: text('title-author-seo', 'author.title', '%%name%%, Author at %%sitename%% %%page%%'),
  authorDescription: text('metadesc-author-seo', 'author.description'),
  authorNoindex: flag('noindex-author-seo', 'author.noindex', false),
  authorNoindexWithoutPosts: flag('noindex-author-noposts-seo', 'author.noindex_without_posts', true),
  authorDisabled: flag('disable-author', 'author.disabled', false),
  dateTitle: text('title-archive-seo', 'date.title', '%%date%% %%page%% %%sep%% %%sitename%%'),
  dateDescription: text('metadesc-archive-seo', 'date.description'),
  dateNoindex: flag('noindex-archive-seo', 'date.noindex', true),
  dateDisabled: flag('disable-date', 'date.disabled', false),
  attachmentDisabled: flag('disable-attachment', 'attachment.disabled', true),
  formatDisabled: flag('disable-post_format', 'post_format.disabled', false),
  searchTitle: text('title-search-seo', 'search.title', 'You searched for %%searchphrase%% %%page%% %%sep%% %%sitename%%'),
  missingTitle: text('title-404-seo', 'not_found.title', 'Page not found %%sep%% %%sitename%%'),
  crumbHome: text('breadcrumbs-home', 'breadcrumbs.home', 'Home'),
  crumbArchive: text('breadcrumbs-archiveprefix', 'breadcrumbs.archive', 'Archives for'),
  crumbSearch: text('breadcrumbs-searchprefix', 'breadcrumbs.search', 'You searched for'),
  crumbMissing: text('breadcrumbs-404crumb', 'breadcrumbs.not_found', 'Error 404: Page not found'),
  crumbPostsPage: flag('breadcrumbs-display-blog-page', 'breadcrumbs.posts_page', true),
  googleVerify: text('googleverify', 'verification.google'),
  microsoftVerify: text('msverify', 'verification.microsoft'),
  baiduVerify: text('baiduverify', 'verification.baidu'),
  yandexVerify: text('yandexverify', 'verification.yandex'),
  pinterestVerify: text('pinterestverify', 'verification.pinterest'),
  tracking: flag('tracking', 'tracking', false),
  toggledTracking: flag('toggled_tracking', 'tracking_decided', false),
  finishedSteps: texts('configuration_finished_steps', 'setup.finished_steps'),
  firstTimeInstall: flag('first_time_install', 'setup.first_time', false),
  workouts: row<Readonly<Record<string, unknown>>>('workouts_data', 'workouts', 'map', { configuration: { finishedSteps: [] } }),
  newPostTypes: texts('new_post_types', 'new_types'),
  newTaxonomies: texts('new_taxonomies', 'new_taxonomies'),
  keywordToolActive: flag('keyword-tool_integration_active', 'integrations.keyword-tool', true),
  rankTrackerActive: flag('rank-tracker_integration_active', 'integrations.rank-tracker', true),
  searchServiceActive: flag('search-service_integration_active', 'integrations.search-service', false),
  keywordToolCountry: text('keyword-tool_country_code', 'keyword_country', 'us'),
  importCursors: row<Readonly<Record<string, unknown>>>('import_cursors', 'import.cursors', 'map', {}),
  importingCompleted: row<Readonly<Record<string, unknown>>>('importing_completed', 'import.completed', 'map', {}),
  introductions: row<readonly string[]>('introductions', 'introductions', 'texts', [
    'ai-generate-titles-and-descriptions-upsell',
  ]),
  alerts: row<readonly string[]>('alerts', 'alerts', 'texts', [
    ...['webinar-promo-notification', 'black-friday-2023-promotion', 'black-friday-2023-sidebar-checklist'],
    'black-friday-2023-product-editor-checklist',
  ]),
} as const;

/** Of a type, below `seo.types.<type>`. */
interface TypeOptions {
  readonly title: string;
  readonly description: string;
  readonly noindex: boolean;
  readonly pageType: string;
  readonly articleType: string;
  /** Taxonomy whose terms stand in the trail; '' none. */
  readonly mainTaxonomy: string;
  readonly archiveTitle: string;
  readonly archiveDescription: string;
  readonly archiveNoindex: boolean;
  /** '' the type's label. */
  readonly archiveBreadcrumb: string;
}

/** Of a taxonomy, below `seo.taxonomies.<taxonomy>`. */
interface TaxonomyOptions {
  readonly title: string;
  readonly description: string;
  readonly noindex: boolean;
  /** `post`: the posts page stands before its terms in the trail. */
  readonly trailParent: string;
}

type Widened<T> = T extends boolean ? boolean : T extends number ? number : T;

/** As they are in force. */
export type SeoOptions = {
  readonly [K in keyof typeof optionTable]: Widened<(typeof optionTable)[K]['default']>;
} & {
  /** The character between the parts of a title: the option `separator` is its name. */
  readonly separatorCharacter: string;
  ofType(type: string): TypeOptions;
  ofTaxonomy(taxonomy: string): TaxonomyOptions;
};

/** Options that every type or taxonomy has: what stands around its name in the option, and where it is below `seo:`. */
interface GroupRow {
  readonly before: string;
  readonly behind: string;
  readonly group: 'types' | 'taxonomies';
  readonly key: string;
  readonly property: keyof TypeOptions | keyof TaxonomyOptions;
  readonly form: 'text' | 'flag';
}

const groupRow = (
  option: string,
  group: GroupRow['group'],
  key: string,
  property: GroupRow['property'],
  form: GroupRow['form'] = 'text',
): GroupRow => {
  const [before = '', behind = ''] = option.split('*');
  return { before, behind, group, key, property, form };
};

/** The longer beginnings first: `title-tax-…` is no title of a type. */
export const groupTable: readonly GroupRow[] = [
  groupRow('title-tax-*', 'taxonomies', 'title', 'title'),
  groupRow('metadesc-tax-*', 'taxonomies', 'description', 'description'),
  groupRow('noindex-tax-*', 'taxonomies', 'noindex', 'noindex', 'flag'),
  groupRow('taxonomy-*-ptparent', 'taxonomies', 'breadcrumb_parent', 'trailParent'),
  groupRow('title-ptarchive-*', 'types', 'archive_title', 'archiveTitle'),
  groupRow('metadesc-ptarchive-*', 'types', 'archive_description', 'archiveDescription'),
  groupRow('noindex-ptarchive-*', 'types', 'archive_noindex', 'archiveNoindex', 'flag'),
  groupRow('bctitle-ptarchive-*', 'types', 'archive_breadcrumb', 'archiveBreadcrumb'),
  groupRow('title-*', 'types', 'title', 'title'),
  groupRow('metadesc-*', 'types', 'description', 'description'),
  groupRow('noindex-*', 'types', 'noindex', 'noindex', 'flag'),
  groupRow('schema-page-type-*', 'types', 'page_type', 'pageType'),
  groupRow('schema-article-type-*', 'types', 'article_type', 'articleType'),
  groupRow('post_types-*-maintax', 'types', 'main_taxonomy', 'mainTaxonomy'),
];

/** What holds where `site.yaml` says nothing. */
export function typeDefaults(type: string): TypeOptions {
  return {
    title: '%%title%% %%page%% %%sep%% %%sitename%%',
    description: '',
    noindex: false,
    pageType: 'WebPage',
    articleType: type === 'post' ? 'Article' : 'None',
    mainTaxonomy: '',
    archiveTitle: '%%pt_plural%% Archive %%page%% %%sep%% %%sitename%%',
    archiveDescription: '',
    archiveNoindex: false,
    archiveBreadcrumb: '',
  };
}

export function taxonomyDefaults(taxonomy: string): TaxonomyOptions {
  return {
    title: '%%term_title%% Archives %%page%% %%sep%% %%sitename%%',
    description: '',
    noindex: taxonomy === 'post_format',
    trailParent: '',
  };
}

/** Name of a separator → the character. */
export const separators: Readonly<Record<string, string>> = table({
  'sc-dash': '-',
  'sc-ndash': '–',
  'sc-mdash': '—',
  'sc-colon': ':',
  'sc-middot': '·',
  'sc-bull': '•',
  'sc-star': '*',
  'sc-smstar': '⋆',
  'sc-pipe': '|',
  'sc-tilde': '~',
  'sc-laquo': '«',
  'sc-raquo': '»',
  'sc-lt': '<',
  'sc-gt': '>',
});

/** An address, or a path of the site, as apart from the path of a medium. */
export function isAddress(text: string): boolean {
  return /^(?:https?:)?\//i.test(text);
}
