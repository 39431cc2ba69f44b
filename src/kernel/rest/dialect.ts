/**
 * The two spellings of the interface's names. The server thinks in neutral names; a request's path picks the
 * dialect, its names are read through it once, and every name is spelled through it where it is written.
 */

/** Neutral name → original name. The only place for names of the original. */
const spellings = {
  root: ['/cms-json', '/wp-json'],
  prefix: ['cms', 'wp'],
  admin: ['cms-admin', 'wp-admin'],
  login: ['cms-login.php', 'wp-login.php'],
  headerPrefix: ['X-CMS-', 'X-WP-'],
  relations: ['https://api.cms.example/', 'https://api.w.org/'],
  namespaces: [
    ['cms/v2', 'wp/v2'],
    ['cms-site-health/v1', 'wp-site-health/v1'],
    ['cms-block-editor/v1', 'wp-block-editor/v1'],
    ['cms-abilities/v1', 'wp-abilities/v1'],
    ['lang/v1', 'wpml/v1'],
    ['lang/tm/v1', 'wpml/tm/v1'],
    ['lang/ate/v1', 'wpml/ate/v1'],
    ['lang/st/v1', 'wpml/st/v1'],
    ['seo/v1', 'yoast/v1'],
    ['folders/v1', 'filebird/v1'],
    ['folders/public/v1', 'filebird/public/v1'],
    ['fields/v3', 'acf/v3'],
    ['installer/v1', 'otgs/installer/v1'],
  ],
  words: [
    ['cms_block', 'wp_block'],
    ['cms_template', 'wp_template'],
    ['cms_template_part', 'wp_template_part'],
    ['cms_global_styles', 'wp_global_styles'],
    ['cms_navigation', 'wp_navigation'],
    ['cms_font_family', 'wp_font_family'],
    ['cms_font_face', 'wp_font_face'],
    ['cms_pattern_category', 'wp_pattern_category'],
    ['cms_pattern_category_exclude', 'wp_pattern_category_exclude'],
    ['_cms_note_status', '_wp_note_status'],
    ['_cms_nonce', '_wpnonce'],
    ['lang_language', 'wpml_language'],
    ['lang_job_id', 'wpml_job_id'],
    ['lang-config', 'wpml-config'],
    ['fields_format', 'acf_format'],
    ['video_embed_permission', 'wistia_embed_permission'],
    ['keyword-tool', 'semrush'],
    ['rank-tracker', 'wincher'],
    ['search-service', 'algolia'],
    ['other-seo', 'aioseo'],
    ['network_a_site', 'facebook_site'],
    ['network_b_site', 'twitter_site'],
    ['seo_error_validation', 'wpseo_error_validation'],
    ['seo_introductions_seen_error', 'wpseo_introductions_seen_error'],
    ['seo_video_embed_permission_error', 'wpseo_wistia_embed_permission_error'],
  ],
  /** Beginnings of names. */
  prefixes: [['_seo_', '_yoast_wpseo_']],
  /** Members of items in answers alone: what a client sends keeps the neutral name (observed of `fields`). */
  members: [
    ['fields', 'acf'],
    ['seo_head', 'yoast_head'],
    ['seo_head_json', 'yoast_head_json'],
  ],
} as const;

export interface Dialect {
  readonly name: 'neutral' | 'original';
  /** Path of the REST root below the site address: `/cms-json`. */
  readonly root: string;
  /** First segment of the administration's addresses. */
  readonly admin: string;
  /** Name of the page that people sign in on. */
  readonly login: string;
  /** Neutral route → route as this dialect writes it. */
  spellRoute(route: string): string;
  /** Route as written in a request → neutral route. Names of routes are known whatever the case of their letters. */
  readRoute(route: string): string;
  /** Names of types, taxonomies and fields with a product prefix. */
  wireName(word: string): string;
  readWord(word: string): string;
  /** Name of a member of items, as answers and their schemas show it. */
  memberName(name: string): string;
  /** The same parameters under neutral names. */
  readNames(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Response header with the product prefix: `Total` → `X-CMS-Total`. */
  header(name: string): string;
  /** Link relation: `cms:term`; others pass. */
  relation(rel: string): string;
  /** Before the colon of relations, and of names that carry the product's. */
  readonly prefix: string;
  /** What `cms:` stands for. @param root  address of the REST root: a place of this server, where the original names a host of its own */
  curies(root: string): readonly [{ readonly name: string; readonly href: string; readonly templated: true }];
  /** Whether a name in `_embed` means the relation (neutral spelling). */
  isEmbedName(name: string, rel: string): boolean;
  /** Absolute relation, as schemas name them. */
  relationUri(rel: string): string;
}

export const neutral: Dialect = createDialect('neutral', 0);
export const original: Dialect = createDialect('original', 1);
export const dialects: readonly Dialect[] = [neutral, original];

function createDialect(name: Dialect['name'], column: 0 | 1): Dialect {
  const out = new Map<string, string>([...spellings.namespaces, ...spellings.words].map((row) => [row[0], row[column]]));
  const back = new Map<string, string>([...spellings.namespaces, ...spellings.words].map((row) => [row[column], row[0]]));
  const begun = (word: string, from: 0 | 1, to: 0 | 1): string => {
    const row = spellings.prefixes.find((one) => word.startsWith(one[from]));
    return row ? row[to] + word.slice(row[from].length) : word;
  };
  const members = new Map<string, string>(spellings.members.map((row) => [row[0], row[column]]));
  const prefix = spellings.prefix[column];
  const headerPrefix = spellings.headerPrefix[column];
  const headers = new Map(['Total', 'TotalPages', 'Nonce', 'Seq'].map((header) => [header, headerPrefix + header]));
  // Actions on terms are reported by taxonomy.
  const actions = new Map(
    spellings.words.flatMap((row) =>
      ['assign', 'create'].map((verb): [string, string] => [`action-${verb}-${row[0]}`, `action-${verb}-${row[column]}`]),
    ),
  );
  const action = (rel: string) => actions.get(rel) ?? rel;
  return {
    name,
    root: spellings.root[column],
    admin: spellings.admin[column],
    login: spellings.login[column],
    spellRoute: column === 0 ? (route) => route : (route) => respell(route, (word) => out.get(word)),
    readRoute:
      column === 0 ? (route) => route : (route) => respell(route, (word, isName) => back.get(isName ? word.toLowerCase() : word)),
    wireName: (word) => out.get(word) ?? begun(word, 0, column),
    readWord: (word) => back.get(word) ?? begun(word, column, 0),
    memberName: (member) => members.get(member) ?? member,
    readNames: column === 0 ? (params) => params : (params) => rename(params, back),
    header: (header) => headers.get(header) ?? headerPrefix + header,
    relation: (rel) => (rel.startsWith('cms:') ? `${prefix}:${action(rel.slice(4))}` : rel),
    prefix,
    curies: (root) => [
      { name: prefix, href: column === 0 ? `${root}/#{rel}` : `${spellings.relations[column]}{rel}`, templated: true },
    ],
    // In `_embed` the reference knows prefixed relations by the original's prefix alone (observed in both spellings), or in full.
    isEmbedName: (name, rel) =>
      name === (rel.startsWith('cms:') ? spellings.prefix[1] + rel.slice(3) : rel) ||
      name === spellings.relations[column] + rel.slice(4),
    relationUri: (rel) => spellings.relations[column] + action(rel),
  };
}

/** Replaces the namespace (three segments or two) and any later word. @param find  `isName`: of a route, and no parameter */
function respell(route: string, find: (word: string, isName: boolean) => string | undefined): string {
  const query = route.indexOf('?');
  if (query >= 0) return respell(route.slice(0, query), find) + route.slice(query);
  const parts = route.split('/');
  const long = parts.length > 3 ? find(`${parts[1]}/${parts[2]}/${parts[3]}`, true) : undefined;
  const namespace = long ?? find(`${parts[1]}/${parts[2]}`, true);
  for (let i = 3; i < parts.length; i++) parts[i] = find(parts[i] as string, i === (long ? 4 : 3)) ?? (parts[i] as string);
  if (namespace) parts.splice(1, long ? 3 : 2, namespace);
  return parts.join('/');
}

function rename(
  params: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const given = Object.keys(params);
  if (!given.some((name) => names.has(name))) return params;
  return Object.fromEntries(given.map((name) => [names.get(name) ?? name, params[name]]));
}
