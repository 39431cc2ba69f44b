/**
 * Deployments: lists of modules, in the order of the catalogue.
 */
import { siteSettings } from './kernel/model/settings.ts';
import type { Module } from './kernel/module.ts';
import type { Endpoint } from './kernel/rest/types.ts';
import { abilities } from './modules/api/abilities/index.ts';
import { accounts } from './modules/people/accounts/index.ts';
import { audit } from './modules/people/audit/index.ts';
import { batch } from './modules/api/batch/index.ts';
import { blockEditor } from './modules/design/block-editor/index.ts';
import { blockDirectories, blocks } from './modules/design/blocks/index.ts';
import { commentForms } from './modules/website/comment-form/index.ts';
import { comments } from './modules/comments/index.ts';
import { spam } from './modules/comments/spam/index.ts';
import { customFields } from './modules/fields/custom-fields/index.ts';
import { design } from './modules/design/themes/index.ts';
import { events } from './modules/events/index.ts';
import { editorPage } from './modules/website/editor-page/index.ts';
import { exposedKeys } from './modules/fields/exposed-keys/index.ts';
import { feeds } from './modules/website/feeds/index.ts';
import { dynamicBlocks } from './modules/design/dynamic-blocks/index.ts';
import { fieldsV3 } from './modules/fields/v3/index.ts';
import { filteredContent } from './modules/content/filtered-content/index.ts';
import { fonts } from './modules/design/fonts/index.ts';
import { gitCommits } from './modules/git/commits/index.ts';
import { gitHistory } from './modules/git/history/index.ts';
import { gitRemote } from './modules/git-remote/index.ts';
import { iconSets } from './modules/design/icons/index.ts';
import { imageTransforms } from './modules/media/transforms/index.ts';
import { installer } from './modules/api/installer/index.ts';
import { languages } from './modules/languages/index.ts';
import { mcp } from './modules/api/mcp/index.ts';
import { mail } from './modules/mail/index.ts';
import { markdownPages } from './modules/website/markdown-pages/index.ts';
import { media } from './modules/media/library/index.ts';
import { mediaFolderImports } from './modules/media/folder-imports/index.ts';
import { mediaFolders } from './modules/media/folders/index.ts';
import { mediaFoldersPublic } from './modules/media/public-folders/index.ts';
import { mediaTools } from './modules/fields/media-tools/index.ts';
import { menus } from './modules/menus/index.ts';
import { menuTrees, publicMenus } from './modules/menus/trees/index.ts';
import { oembed } from './modules/embeds/index.ts';
import { openApi } from './modules/api/openapi/index.ts';
import { pageExtras } from './modules/content/page-extras/index.ts';
import { permalinks } from './modules/content/permalinks/index.ts';
import { plugins } from './modules/api/plugins/index.ts';
import { posts } from './modules/content/posts/index.ts';
import { revisions } from './modules/content/revisions/index.ts';
import { signIn } from './modules/people/sign-in/index.ts';
import { search } from './modules/content/search/index.ts';
import { seo } from './modules/seo/metadata/index.ts';
import { seoHead } from './modules/seo/head/index.ts';
import { seoConfiguration } from './modules/seo/configuration/index.ts';
import { seoEditors } from './modules/seo/editors/index.ts';
import { seoImport } from './modules/seo/import/index.ts';
import { seoIndexing } from './modules/seo/indexing/index.ts';
import { seoServices } from './modules/seo/services/index.ts';
import { relativeLinks } from './modules/content/relative-links/index.ts';
import { keptNoindex, searchEngines } from './modules/website/search-engines/index.ts';
import { sessions } from './modules/people/sessions/index.ts';
import { settings } from './modules/content/settings/index.ts';
import { siteHealth } from './modules/api/site-health/index.ts';
import { siteIcons } from './modules/website/site-icon/index.ts';
import { siteIndex } from './modules/api/site-index/index.ts';
import { siteRoutes } from './modules/api/site-routes/index.ts';
import { sitemaps } from './modules/website/sitemaps/index.ts';
import { terms } from './modules/content/terms/index.ts';
import { theme } from './modules/website/theme/index.ts';
import { translationAgency } from './modules/translation/agency/index.ts';
import { translationConfig } from './modules/languages/config/index.ts';
import { translationEditor } from './modules/translation/editor/index.ts';
import { translationManager } from './modules/translation/manager/index.ts';
import { translationStrings } from './modules/translation/strings/index.ts';
import { translationItems } from './modules/translation/items/index.ts';
import { translationJobs } from './modules/translation/jobs/index.ts';
import { translationUpstream } from './modules/translation/upstream/index.ts';
import { types } from './modules/content/types/index.ts';
import { users } from './modules/people/users/index.ts';
import { viewConfigs } from './modules/design/view-config/index.ts';
import { widgets } from './modules/design/widgets/index.ts';
import { checkContent, checkFile } from './validate/site-check.ts';

const first: readonly Module[] = [audit, mail, siteIndex, batch, oembed];
const content: readonly Module[] = [
  ...[posts, media, imageTransforms, types, terms, users, accounts, sessions, comments, spam, search, blocks, dynamicBlocks],
  ...[settings, design, plugins, widgets, blockDirectories, menus, fonts],
  ...[iconSets, viewConfigs, filteredContent],
];
const last: readonly Module[] = [
  siteHealth,
  blockEditor,
  permalinks,
  relativeLinks,
  revisions,
  sitemaps,
  feeds,
  siteIcons,
  signIn,
  editorPage,
  commentForms,
  markdownPages,
  theme,
  gitHistory,
  gitCommits,
  gitRemote,
  openApi,
  events,
];

/** What the extended deployment says of the core otherwise: specification 2.1, 4.2. */
const narrowed: Module = {
  name: 'narrowed',
  index: { page_for_posts: null, page_on_front: null, show_on_front: null },
  reshape: (route) => ({ ...route, endpoints: route.endpoints.map((endpoint) => narrow(route.path, endpoint)) }),
};

export const basic: readonly Module[] = [
  ...first,
  ...content,
  ...last,
  keptNoindex,
  abilities({ checkContent, checkFile }),
  mcp,
  customFields,
  exposedKeys,
  publicMenus,
];
/** What `site.yaml` says in every deployment. */
export const basicSettings = siteSettings(basic);

/** Namespaces are listed in this order: specification 2.1. */
export const extended: readonly Module[] = [
  ...first,
  languages,
  translationConfig,
  mediaTools,
  seo,
  seoHead,
  seoEditors,
  seoConfiguration,
  seoImport,
  seoIndexing,
  seoServices,
  menuTrees,
  translationUpstream,
  translationJobs,
  translationItems,
  translationAgency,
  translationEditor,
  translationManager,
  translationStrings,
  mediaFolders,
  mediaFolderImports,
  mediaFoldersPublic,
  ...content,
  siteRoutes,
  installer,
  ...last,
  searchEngines,
  customFields,
  fieldsV3,
  exposedKeys,
  pageExtras,
  abilities({ checkContent, checkFile }, { isServed: false }),
  mcp,
  narrowed,
];

/** Batches may call pages alone, and a page has no excerpt of another length. */
function narrow(path: string, { batch: _, ...endpoint }: Endpoint): Endpoint {
  if (path !== '/cms/v2/pages' && path !== '/cms/v2/pages/(?P<id>[\\d]+)') return endpoint;
  const { excerpt_length: __, ...args } = endpoint.args;
  return { ...endpoint, args, batch: true };
}

/** The modules of a deployment, as `site.yaml` names it. */
export function modulesOf(deployment: unknown): readonly Module[] {
  return deployment === 'extended' ? extended : basic;
}
