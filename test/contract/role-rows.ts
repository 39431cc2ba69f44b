/**
 * Who gets what on each route of the extended deployment: what a visitor, a subscriber, a contributor, an author, an editor, an
 * administrator, a translator and a manager of translations are answered. Written by rule, not from answers.
 *
 * Source: specification, section 4; decisions, "Who may"; reference on languages, 1.1; on media folders, 3; on media tools, menus and
 * fields, A to C; on search metadata, 1; core behaviour for the routes of the basic deployment.
 *
 * In paths, `{post}` is an item of the administrator that is there, `{new post}` one that is made for the request alone.
 */
export const roles = [
  ...(['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const),
  ...(['translator', 'translation_manager'] as const),
];

/**
 * Method and path; what each of `roles` gets, in their order; and what is sent. Where the last two are left out, those who translate get
 * what subscribers get: their roles are for translating alone.
 */
export type RoleRow = readonly [does: string, gets: string, body?: unknown];

const all = '200 200 200 200 200 200';
const signedIn = '401 200 200 200 200 200';
/** Whoever may edit posts of their own. */
const contributors = '401 403 200 200 200 200';
/** Whoever may upload, or publish. */
const authors = '401 403 403 200 200 200';
/** Whoever may edit what others have written. */
const editors = '401 403 403 403 200 200';
const administrators = '401 403 403 403 403 200';

/** The same with another status of those who may. */
function answering(pattern: string, status: number): string {
  return pattern.replaceAll('200', String(status));
}

/** What the routes of fields are asked for. */
const fieldItems = {
  ...{ posts: 'post', pages: 'page', media: 'media', categories: 'category', tags: 'tag', users: 'user', comments: 'comment' },
} as const;

/** The three methods that change an item, by one rule. */
function changes(path: string, gets: string, body: unknown = {}): readonly RoleRow[] {
  return ['POST', 'PUT', 'PATCH'].map((method): RoleRow => [`${method} ${path}`, gets, body]);
}

const core = '/cms/v2';

/** Index, batches, embeds, and one index for each namespace. */
const indexes: readonly RoleRow[] = [
  ['GET /', all],
  // Each request in it has its own answer.
  ['POST /batch/v1', answering(all, 207), { requests: [{ method: 'DELETE', path: '/cms/v2/pages/999999' }] }],
  ...[
    ...['oembed/1.0', 'lang/v1', 'media-tools/v1', 'seo/v1', 'menus/v1', 'lang/tm/v1', 'lang/ate/v1', 'lang/st/v1', 'folders/v1'],
    ...['folders/public/v1', 'cms/v2', 'cms/v2/custom', 'installer/v1', 'cms-site-health/v1', 'cms-block-editor/v1', 'fields/v3'],
  ].map((name): RoleRow => [`GET /${name}`, all]),
  ['GET /oembed/1.0/embed?url={url}/en/?p={post}', all],
  ['GET /oembed/1.0/proxy?url={url}/en/?p={post}', contributors],
];

/** Posts, pages, media, and what is kept like them. */
const content: readonly RoleRow[] = [
  [`GET ${core}/posts`, all],
  [`POST ${core}/posts`, answering(contributors, 201), { title: 'A' }],
  [`GET ${core}/posts/{post}`, all],
  ...changes(`${core}/posts/{post}`, editors, { title: 'B' }),
  [`DELETE ${core}/posts/{new post}`, editors],
  [`GET ${core}/posts/{post}/revisions`, editors],
  [`GET ${core}/posts/{post}/revisions/{revision}`, editors],
  [`DELETE ${core}/posts/{post}/revisions/{new revision}?force=true`, editors],
  [`GET ${core}/posts/{post}/autosaves`, editors],
  [`POST ${core}/posts/{post}/autosaves`, editors, { title: 'C' }],
  [`GET ${core}/posts/{post}/autosaves/{autosave}`, editors],
  [`GET ${core}/pages`, all],
  // Authors have no right to pages.
  [`POST ${core}/pages`, answering(editors, 201), { title: 'A' }],
  [`GET ${core}/pages/{page}`, all],
  ...changes(`${core}/pages/{page}`, editors, { title: 'B' }),
  [`DELETE ${core}/pages/{new page}`, editors],
  [`GET ${core}/pages/{page}/revisions`, editors],
  [`GET ${core}/pages/{page}/revisions/{page revision}`, editors],
  [`DELETE ${core}/pages/{page}/revisions/{new page revision}?force=true`, editors],
  [`GET ${core}/pages/{page}/autosaves`, editors],
  [`POST ${core}/pages/{page}/autosaves`, editors, { title: 'C' }],
  [`GET ${core}/pages/{page}/autosaves/{page autosave}`, editors],
  [`GET ${core}/media`, all],
  // Nothing is sent, which is found once it is known who sends it.
  [`POST ${core}/media`, answering(authors, 400)],
  [`GET ${core}/media/{media}`, all],
  ...changes(`${core}/media/{media}`, editors, { title: 'B' }),
  [`DELETE ${core}/media/{new media}?force=true`, editors],
  [`POST ${core}/media/{media}/post-process`, editors, { action: 'create-image-subsizes' }],
  [
    `POST ${core}/media/{media}/edit`,
    answering(editors, 201),
    { src: '{media src}', modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
  ],
  [`GET ${core}/blocks`, all],
  [`POST ${core}/blocks`, answering(authors, 201), { title: 'A', content: 'x', status: 'publish' }],
  [`GET ${core}/blocks/{block}`, contributors],
  ...changes(`${core}/blocks/{block}`, editors, { title: 'B' }),
  [`DELETE ${core}/blocks/{new block}`, editors],
  [`GET ${core}/blocks/{block}/revisions`, editors],
  [`GET ${core}/blocks/{block}/revisions/{block revision}`, editors],
  [`DELETE ${core}/blocks/{block}/revisions/{new block revision}?force=true`, editors],
  [`GET ${core}/blocks/{block}/autosaves`, editors],
  [`POST ${core}/blocks/{block}/autosaves`, editors, { title: 'C' }],
  [`GET ${core}/blocks/{block}/autosaves/{block autosave}`, editors],
  [`GET ${core}/search`, all],
  [`GET ${core}/types`, all],
  [`GET ${core}/types/post`, all],
  [`GET ${core}/statuses`, all],
  [`GET ${core}/statuses/publish`, all],
  [`GET ${core}/taxonomies`, all],
  [`GET ${core}/taxonomies/category`, all],
  [`GET ${core}/comments`, all],
  // Visitors may not comment over this interface.
  [`POST ${core}/comments`, '401 201 201 201 201 201', { post: '{post}', content: 'From {role}, at {n}' }],
  [`GET ${core}/comments/{comment}`, all],
  ...changes(`${core}/comments/{comment}`, editors, { content: 'Changed {n}' }),
  [`DELETE ${core}/comments/{new comment}`, editors],
];

/** Terms: whoever may edit posts may make those that have no order above and below. */
const terms: readonly RoleRow[] = [
  [`GET ${core}/categories`, all],
  [`POST ${core}/categories`, answering(editors, 201), { name: 'C {n}' }],
  [`GET ${core}/categories/{category}`, all],
  ...changes(`${core}/categories/{category}`, editors, { description: 'B' }),
  [`DELETE ${core}/categories/{new category}?force=true`, editors],
  [`GET ${core}/tags`, all],
  [`POST ${core}/tags`, answering(contributors, 201), { name: 'T {n}' }],
  [`GET ${core}/tags/{tag}`, all],
  ...changes(`${core}/tags/{tag}`, editors, { description: 'B' }),
  [`DELETE ${core}/tags/{new tag}?force=true`, editors],
  [`GET ${core}/cms_pattern_category`, all],
  [`POST ${core}/cms_pattern_category`, answering(contributors, 201), { name: 'P {n}' }],
  [`GET ${core}/cms_pattern_category/{pattern}`, all],
  ...changes(`${core}/cms_pattern_category/{pattern}`, editors, { description: 'B' }),
  [`DELETE ${core}/cms_pattern_category/{new pattern}?force=true`, editors],
];

/** Whoever may edit posts sees what the editor needs; what a site looks like is changed by administrators. */
const design: readonly RoleRow[] = [
  [`GET ${core}/menu-items`, contributors],
  [
    `POST ${core}/menu-items`,
    answering(administrators, 201),
    { title: 'A', menus: '{menu}', url: 'https://a.example', status: 'publish' },
  ],
  [`GET ${core}/menu-items/{item}`, contributors],
  ...changes(`${core}/menu-items/{item}`, administrators, { title: 'B' }),
  [`DELETE ${core}/menu-items/{new item}?force=true`, administrators],
  [`GET ${core}/menu-items/{item}/autosaves`, administrators],
  [`POST ${core}/menu-items/{item}/autosaves`, administrators, { title: 'C' }],
  [`GET ${core}/menu-items/{item}/autosaves/{item autosave}`, administrators],
  [`GET ${core}/menus`, contributors],
  [`POST ${core}/menus`, answering(administrators, 201), { name: 'M {n}' }],
  [`GET ${core}/menus/{menu}`, contributors],
  ...changes(`${core}/menus/{menu}`, administrators, { description: 'B' }),
  [`DELETE ${core}/menus/{new menu}?force=true`, administrators],
  [`GET ${core}/menu-locations`, administrators],
  [`GET ${core}/menu-locations/primary`, administrators],
  ...['templates', 'template-parts'].flatMap((base): readonly RoleRow[] => {
    const item = `${core}/${base}/{${base}}`;
    return [
      [`GET ${core}/${base}`, contributors],
      [`POST ${core}/${base}`, answering(administrators, 201), { slug: '{n}-made', title: 'A', content: 'x' }],
      [`GET ${core}/${base}/lookup?slug=index`, contributors],
      [`GET ${item}`, contributors],
      ...changes(item, administrators, { title: 'B' }),
      [`DELETE ${core}/${base}/{new ${base}}?force=true`, administrators],
      [`GET ${item}/revisions`, administrators],
      [`GET ${item}/revisions/{${base} revision}`, administrators],
      [`DELETE ${item}/revisions/{new ${base} revision}?force=true`, administrators],
      [`GET ${item}/autosaves`, administrators],
      [`POST ${item}/autosaves`, administrators, { title: 'C' }],
      [`GET ${item}/autosaves/{${base} autosave}`, administrators],
    ];
  }),
  [`GET ${core}/global-styles/{styles}`, contributors],
  ...changes(`${core}/global-styles/{styles}`, administrators, { title: 'B', styles: { color: { text: '{n}' } } }),
  [`GET ${core}/global-styles/{styles}/revisions`, administrators],
  [`GET ${core}/global-styles/{styles}/revisions/{styles revision}`, administrators],
  [`GET ${core}/global-styles/themes/{theme}`, contributors],
  [`GET ${core}/global-styles/themes/{theme}/variations`, contributors],
  [`GET ${core}/navigation`, all],
  [`POST ${core}/navigation`, answering(administrators, 201), { title: 'A', content: 'x' }],
  [`GET ${core}/navigation/{navigation}`, all],
  ...changes(`${core}/navigation/{navigation}`, administrators, { title: 'B' }),
  [`DELETE ${core}/navigation/{new navigation}`, administrators],
  [`GET ${core}/navigation/{navigation}/revisions`, administrators],
  [`GET ${core}/navigation/{navigation}/revisions/{navigation revision}`, administrators],
  [`DELETE ${core}/navigation/{navigation}/revisions/{new navigation revision}?force=true`, administrators],
  [`GET ${core}/navigation/{navigation}/autosaves`, administrators],
  [`POST ${core}/navigation/{navigation}/autosaves`, administrators, { title: 'C' }],
  [`GET ${core}/navigation/{navigation}/autosaves/{navigation autosave}`, administrators],
  [`GET ${core}/font-collections`, administrators],
  [`GET ${core}/font-collections/none`, answering(administrators, 404)],
  [`GET ${core}/font-families`, administrators],
  [
    `POST ${core}/font-families`,
    answering(administrators, 201),
    { font_family_settings: '{"name":"F {n}","slug":"f-{n}","fontFamily":"F{n}"}' },
  ],
  [`GET ${core}/font-families/{family}`, administrators],
  ...changes(`${core}/font-families/{family}`, administrators, {
    font_family_settings: '{"name":"Changed {n}"}',
  }),
  [`DELETE ${core}/font-families/{new family}?force=true`, administrators],
  [`GET ${core}/font-families/{family}/font-faces`, administrators],
  [
    `POST ${core}/font-families/{family}/font-faces`,
    answering(administrators, 201),
    { font_face_settings: '{"fontFamily":"F","fontWeight":"{n}","src":"https://a.example/f.woff2"}' },
  ],
  [`GET ${core}/font-families/{family}/font-faces/{face}`, administrators],
  [`DELETE ${core}/font-families/{family}/font-faces/{new face}?force=true`, administrators],
  [`GET ${core}/block-types`, contributors],
  [`GET ${core}/block-types/core`, contributors],
  [`GET ${core}/block-types/core/paragraph`, contributors],
  [`GET ${core}/block-renderer/core/archives?context=edit`, contributors],
  [`POST ${core}/block-renderer/core/archives?context=edit`, contributors, {}],
  // There is nobody whom a site by itself could ask for more of them.
  [`GET ${core}/block-directory/search?term=a`, answering(administrators, 500)],
  [`GET ${core}/block-patterns/patterns`, contributors],
  [`GET ${core}/block-patterns/categories`, contributors],
  [`GET ${core}/icons`, contributors],
  [`GET ${core}/icons/core`, contributors],
  [`GET ${core}/icons/core/home`, contributors],
  [`GET ${core}/icon-collections`, contributors],
  [`GET ${core}/icon-collections/core`, contributors],
  [`GET ${core}/view-config?kind=postType&name=post`, contributors],
  [`GET ${core}/pattern-directory/patterns`, answering(contributors, 500)],
  [`GET ${core}/sidebars`, administrators],
  [`GET ${core}/sidebars/{sidebar}`, administrators],
  ...changes(`${core}/sidebars/{sidebar}`, administrators, { widgets: ['{widget}'] }),
  [`GET ${core}/widget-types`, administrators],
  [`GET ${core}/widget-types/text`, administrators],
  [`POST ${core}/widget-types/text/encode`, administrators, { instance: {} }],
  [`POST ${core}/widget-types/text/render`, administrators, { instance: {} }],
  [`GET ${core}/widgets`, administrators],
  [
    `POST ${core}/widgets`,
    answering(administrators, 201),
    { id_base: 'text', sidebar: '{sidebar}', instance: { raw: { text: 'x' } } },
  ],
  [`GET ${core}/widgets/{widget}`, administrators],
  ...changes(`${core}/widgets/{widget}`, administrators, { instance: { raw: { text: '{n}' } } }),
  [`DELETE ${core}/widgets/{new widget}?force=true`, administrators],
  // Without `status=active` all themes are meant.
  [`GET ${core}/themes`, administrators],
  [`GET ${core}/themes/{theme}`, contributors],
  // Nothing is called so, which is found once it is known who asks.
  ['GET /cms-block-editor/v1/url-details?url=https://quay.invalid/', answering(contributors, 400)],
  ['GET /cms-block-editor/v1/export', administrators],
  ['GET /cms-block-editor/v1/navigation-fallback', administrators],
];

/** People, settings, and the state of the server. */
const administration: readonly RoleRow[] = [
  [`GET ${core}/users`, all],
  [
    `POST ${core}/users`,
    answering(administrators, 201),
    { username: 'u{n}', email: 'u{n}@example.org', password: 'Sturdy-pass-{n}' },
  ],
  // Of who has written something, everybody sees the profile.
  [`GET ${core}/users/1`, all],
  ...changes(`${core}/users/{user}`, administrators, { description: 'B' }),
  [`DELETE ${core}/users/{new user}?force=true&reassign=1`, administrators],
  [`GET ${core}/users/me`, signedIn],
  // A visitor is no user at all; the last administrator stays.
  ...changes(`${core}/users/me`, '404 200 200 200 200 200', { description: 'B' }),
  [`DELETE ${core}/users/me?force=true&reassign=1`, '404 403 403 403 403 403'],
  [`GET ${core}/users/1/application-passwords`, administrators],
  [`POST ${core}/users/1/application-passwords`, answering(administrators, 201), { name: 'P {n}' }],
  [`DELETE ${core}/users/{user}/application-passwords`, administrators],
  [`GET ${core}/users/1/application-passwords/introspect`, administrators],
  [`GET ${core}/users/1/application-passwords/{password}`, administrators],
  ...changes(`${core}/users/1/application-passwords/{password}`, administrators, { name: 'Changed {n}' }),
  [`DELETE ${core}/users/1/application-passwords/{new password}`, administrators],
  [`GET ${core}/settings`, administrators],
  ...changes(`${core}/settings`, administrators, { description: 'B' }),
  [`GET ${core}/plugins`, administrators],
  // Plugins are installed and taken away where the files are, by nobody over this interface.
  [`POST ${core}/plugins`, answering(administrators, 403), { slug: 'a' }],
  [`GET ${core}/plugins/a/a`, answering(administrators, 404)],
  ...changes(`${core}/plugins/a/a`, answering(administrators, 404), { status: 'active' }),
  [`DELETE ${core}/plugins/a/a`, answering(administrators, 403)],
  ...[
    ...['tests/background-updates', 'tests/loopback-requests', 'tests/https-status', 'tests/dotorg-communication'],
    ...['tests/authorization-header', 'tests/page-cache', 'directory-sizes'],
  ].map((name): RoleRow => [`GET /cms-site-health/v1/${name}`, administrators]),
];

/** Section 4.8, 4.10, 4.12, and fields. */
const siteRoutes: readonly RoleRow[] = [
  // Feeds that the operator has not set up are none.
  [`GET ${core}/insta/1`, answering(all, 404)],
  [`GET ${core}/facebook/1`, answering(all, 404)],
  [`GET ${core}/getFrontpage`, all],
  [`GET ${core}/custom/search?s=a`, all],
  [`GET ${core}/custom/constants`, all],
  // There is no subscription to refresh.
  ['GET /installer/v1/push/fetch-subscription', answering(all, 403)],
  // A visitor lacks the token (400), whoever may upload lacks a file or a picture.
  ['POST /media-tools/v1/upload', '400 403 403 400 400 400', {}],
  [
    'POST /media-tools/v1/crop',
    '400 403 403 404 404 404',
    { id: 999999, cropType: 'free_crop', x: 0, y: 0, width: 9, height: 9 },
  ],
  ['GET /media-tools/v1/get/{media}', all],
  ['GET /menus/v1/menus', all],
  ['GET /menus/v1/menus/{menu}', all],
  ['GET /menus/v1/locations', all],
  ['GET /menus/v1/locations/primary', all],
  ...(['posts', 'pages', 'media', 'categories', 'tags', 'users', 'comments'] as const).flatMap((base): readonly RoleRow[] => {
    const item = `/fields/v3/${base}/{${fieldItems[base]}}`;
    // Of who has written nothing, others see nothing.
    const [sees, may] = base === 'users' ? [administrators, administrators] : [all, editors];
    return [
      [`GET /fields/v3/${base}`, all],
      [`GET ${item}`, sees],
      ...changes(item, may, { fields: { lead: 'B' } }),
      [`GET ${item}/lead`, sees],
      ...changes(`${item}/lead`, may, { fields: { lead: 'C' } }),
    ];
  }),
  ['GET /fields/v3/options/options', all],
  ...changes('/fields/v3/options/options', administrators, { fields: { claim: 'B' } }),
  ['GET /fields/v3/options/options/claim', all],
  ...changes('/fields/v3/options/options/claim', administrators, { fields: { claim: 'C' } }),
];

/** Section 4.15: whoever may upload files has the folders; the public routes are opened by the key of the site, and by nobody. */
const folders: readonly RoleRow[] = [
  ['POST /folders/v1/fld-get-old-data', authors, {}],
  ...['fld-insert-old-data', 'fld-wipe-old-data', 'fld-wipe-clear-all-data'].map(
    (name): RoleRow => [`POST /folders/v1/${name}`, administrators, { folders: [] }],
  ),
  ['POST /folders/v1/fld-no-thanks', authors, { site: 'happyfiles' }],
  ['GET /folders/v1/get-folders', authors],
  ['GET /folders/v1/gutenberg-get-folders', authors],
  ['GET /folders/v1/set-folder-counter?type=counter_file_in_folder', authors],
  ['GET /folders/v1/export-csv', authors],
  ['POST /folders/v1/new-folder', authors, { title: 'F {n}', parent: 0 }],
  ['POST /folders/v1/update-folder', authors, { id: '{folder}', parent: 0, title: 'Changed {n}' }],
  ['POST /folders/v1/update-folder-color', authors, { folderId: '{folder}', color: '#ff8800' }],
  [
    'POST /folders/v1/update-folder-ord',
    authors,
    { dragNodeId: '{new folder}', dropNodeId: '{folder}', dropPosition: 1, toParentId: 0 },
  ],
  ['POST /folders/v1/delete-folder', authors, { ids: ['{new folder}'] }],
  ['POST /folders/v1/assign-folder', authors, { folderId: '{folder}', ids: ['{media}'] }],
  ['POST /folders/v1/generate-attachment-size', authors, { page: 1 }],
  ['POST /folders/v1/fldv-api', administrators, { act: 'generate-key' }],
  ['POST /folders/v1/set-settings', authors, { DEFAULT_FOLDER: -1 }],
  ['POST /folders/v1/import-csv', authors, {}],
  ['POST /folders/v1/import-csv-detail', authors, {}],
  ['POST /folders/v1/gutenberg-get-images', authors, { selectedFolder: ['{folder}'] }],
  ['GET /folders/v1/import/get-folders/happyfiles', authors],
  ['GET /folders/v1/import/get-attachments/happyfiles', authors],
  // What was prepared is imported once; the others find nothing prepared.
  ['GET /folders/v1/import/run/happyfiles', '401 403 403 200 400 400'],
  ...['GET folders', 'POST folders', 'GET folder', 'GET attachment-id', 'GET attachment-count', 'POST folder/set-attachment'].map(
    (route): RoleRow => [route.replace(' ', ' /folders/public/v1/'), '401 403 403 403 403 403', {}],
  ),
];

/** Whoever runs translations; and whoever translates. */
const managers = '401 403 403 403 403 200 403 200';
const translators = '401 403 403 403 403 200 200 200';

/** Sections 4.9, 4.13 and 4.14 on a site without services and jobs. */
const translation: readonly RoleRow[] = [
  ['GET /lang/v1/custom-xml-config', administrators],
  ['POST /lang/v1/custom-xml-config', administrators, { content: '' }],
  ['POST /lang/v1/custom-xml-config/validate', administrators, { content: '' }],
  ['POST /lang/tm/v1/ate/jobs/store', answering(managers, 404), { lang_job_id: '1', ate_job_data: [{ ate_job_id: 1 }] }],
  ['GET /lang/tm/v1/xliff/fetch/1', answering(translators, 404)],
  ['POST /lang/tm/v1/ams/register_manager', managers, {}],
  ['GET /lang/tm/v1/ams/synchronize/translators', managers],
  ['GET /lang/tm/v1/ams/synchronize/managers', managers],
  ['GET /lang/tm/v1/ams/status', managers],
  ['GET /lang/tm/v1/ams/console', managers],
  ['GET /lang/tm/v1/ams/engines', managers],
  ['POST /lang/tm/v1/ams/engines', answering(managers, 400), [{ engine: 'deep' }]],
  ['POST /lang/tm/v1/ate/jobs', answering(managers, 400), {}],
  ['GET /lang/tm/v1/ate/jobs/1', answering(translators, 503)],
  ['GET /lang/tm/v1/jobs', translators],
  ['POST /lang/tm/v1/jobs/assign', answering(translators, 404), { jobId: 1, translatorId: 1 }],
  ['POST /lang/tm/v1/jobs/cancel', managers, []],
  ['GET /lang/tm/v1/tp/xliff/download/1/post', answering(translators, 404)],
  ['POST /lang/tm/v1/tp/apply-translations', translators, []],
  ['POST /lang/tm/v1/tp/batches/sync', answering(translators, 503), { batchId: [1] }],
  ['GET /lang/tm/v1/tp/batches/status', answering(translators, 503)],
  ['POST /lang/tm/v1/ate/jobs/sync', answering(translators, 503), {}],
  ['POST /lang/tm/v1/ate/jobs/download', translators, {}],
  ['POST /lang/tm/v1/ate/jobs/retry', answering(translators, 503), {}],
  // The editor calls it, with a token; it is told nothing of jobs that are not there.
  ['GET /lang/tm/v1/ate/jobs/receive/1', all],
  ['GET /lang/tm/v1/ate/jobs/1/fix', answering(translators, 503)],
  ['GET /lang/ate/v1/ate/proxy', answering(managers, 400)],
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method): RoleRow => [`${method} /lang/ate/v1/ate/proxy`, answering(managers, 400), {}],
  ),
  ['POST /lang/st/v1/import_mo_strings', administrators, {}],
  ['POST /lang/st/v1/pre_generate_mo_files', administrators, {}],
  ['POST /lang/st/v1/settings', administrators, { group: 'g', key: 'k', data: 1 }],
];

const seo = '/seo/v1';

/** Section 4.11 on a site without services. */
const searchMetadata: readonly RoleRow[] = [
  [`GET ${seo}/file_size?url={media src}`, administrators],
  [`GET ${seo}/statistics`, signedIn],
  [`POST ${seo}/new-content-type-visibility/dismiss-post-type`, contributors, { postTypeName: 'page' }],
  [`POST ${seo}/new-content-type-visibility/dismiss-taxonomy`, contributors, { taxonomyName: 'category' }],
  [`POST ${seo}/introductions/ai-generate-titles-and-descriptions-upsell/seen`, contributors],
  [`GET ${seo}/video_embed_permission`, contributors],
  [`POST ${seo}/video_embed_permission`, contributors, { value: true }],
  [`POST ${seo}/alerts/dismiss`, contributors, { key: 'webinar-promo-notification' }],
  [`POST ${seo}/configuration/site_representation`, administrators, { company_or_person: 'company', company_name: 'Quay' }],
  [`POST ${seo}/configuration/social_profiles`, administrators, { network_b_site: 'quay' }],
  [`GET ${seo}/configuration/check_capability?user_id=1`, administrators],
  [`POST ${seo}/configuration/enable_tracking`, administrators, { tracking: true }],
  [`POST ${seo}/configuration/save_configuration_state`, administrators, { finishedSteps: ['a'] }],
  [`GET ${seo}/configuration/get_configuration_state`, administrators],
  [`POST ${seo}/import/other-seo/posts`, administrators],
  [`GET ${seo}/get_head?url={url}/en/?p={post}`, all],
  ...['posts', 'terms', 'post-type-archives', 'general', 'prepare', 'indexables-complete', 'complete'].map(
    (name): RoleRow => [`POST ${seo}/indexing/${name}`, contributors],
  ),
  [`POST ${seo}/link-indexing/posts`, contributors],
  [`POST ${seo}/link-indexing/terms`, contributors],
  [`POST ${seo}/integrations/set_active`, administrators, { active: true, integration: 'search-service' }],
  // The post is not an author's own.
  [`GET ${seo}/meta/search?post_id={post}`, editors],
  // Not connected: there are no tokens, or the service cannot be asked.
  [`POST ${seo}/keyword-tool/authenticate`, answering(contributors, 401), { code: 'c' }],
  [`POST ${seo}/keyword-tool/country_code`, contributors, { country_code: 'de' }],
  [`GET ${seo}/keyword-tool/related_keyphrases?keyphrase=a&country_code=de`, answering(contributors, 400)],
  [`GET ${seo}/rank-tracker/authorization-url`, answering(authors, 400)],
  [`POST ${seo}/rank-tracker/authenticate`, answering(authors, 401), { code: 'c', websiteId: 1 }],
  [`POST ${seo}/rank-tracker/keyphrases/track`, answering(authors, 400), { keyphrases: 'a' }],
  [`POST ${seo}/rank-tracker/keyphrases`, authors, {}],
  [`DELETE ${seo}/rank-tracker/keyphrases/untrack`, answering(authors, 400), { keyphraseID: 7 }],
  [`GET ${seo}/rank-tracker/account/limit`, answering(authors, 400)],
  [`GET ${seo}/rank-tracker/account/upgrade-campaign`, answering(authors, 400)],
  [`GET ${seo}/workouts`, editors],
  [`POST ${seo}/workouts`, editors, { orphaned: { finishedSteps: ['b'] } }],
];

const groups = [indexes, content, terms, design, administration, siteRoutes, folders, translation, searchMetadata];

export const roleRows: readonly RoleRow[] = groups.flat().map(([does, gets, ...body]): RoleRow => {
  const said = gets.split(' ');
  const subscriber = said[roles.indexOf('subscriber')] as string;
  const rest = roles.slice(said.length).map(() => subscriber);
  return [does, [...said, ...rest].join(' '), ...body];
});
