/** The program as `lockstep.mjs` needs it, put together from its modules. */

/** Routes that ask others on the web, or measure the machine. Batches are made of the others. */
export const isLeftOut = (path) =>
  /site-health|url-details|block-directory|pattern-directory|\/oembed\/1\.0\/proxy|\/font-collections|\/plugins/.test(path) ||
  path === '/batch/v1';

/**
 * What the reference itself answers otherwise than its schema says, each with its reason. The recordings hold these.
 * `member of an item`: why.
 */
export const exceptions = {
  'meta of ability': 'the schema of the reference knows a flag where it answers a map',
  'status of post': 'the schema of the reference names those that clients may write',
  'status of page': 'as of posts',
  'status of cms_block': 'as of posts',
  'status of cms_navigation': 'as of posts',
  'status of nav_menu_item': 'as of posts',
  'status of attachment': 'as of posts',
  'post of attachment': 'the reference answers null of what belongs to no post',
  'menu_order of nav_menu_item': 'the reference asks for 1 and answers 0 of what is in no menu',
  'origin of cms_template': 'the reference answers null of what comes with the theme',
  'origin of cms_template_part': 'as of templates',
  'has_theme_file of cms_template': 'the schema of the reference has a type "bool"',
  'has_theme_file of cms_template_part': 'as of templates',
  'is_custom of cms_template': 'the schema of the reference has a type "bool"',
  'type of search-result': 'the reference names the taxonomy of a term, and its schema the kinds of search',
  'wp_pattern_sync_status of cms_block': 'the reference moves it out of meta without declaring it',
};

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** @param modules  `{dialect, newSite, openSite, dispatch, address, request, answers, frontCache, errors, deployments, validate}` */
export function programOf(modules) {
  const { dialect, newSite, openSite, dispatch, address, request, answers, frontCache, errors, deployments, validate } = modules;
  const ofModules = Object.assign({}, ...[...deployments.basic, ...deployments.extended].map((one) => one.errors));
  return {
    dialects: dialect.dialects,
    scaffoldSite: newSite.scaffoldSite,
    openSite: openSite.openSite,
    composeSite: openSite.composeSite,
    createDispatcher: dispatch.createDispatcher,
    readAddress: address.readAddress,
    createRequestReader: request.createRequestReader,
    createAnswers: answers.createAnswers,
    createFrontCache: frontCache.createFrontCache,
    faultOf(status, body) {
      if (status === 0) return `no answer: ${String(body).slice(0, 400)}`;
      if (status < 500) return null;
      const row = errors.errorRow(body?.code, ofModules);
      return row && body.code !== 'internal_server_error' ? null : JSON.stringify(body).slice(0, 200);
    },
    schemaProblems(item, { title, properties }, context) {
      if (item === null || typeof item !== 'object' || item.deleted === true) return [];
      return Object.entries(item).flatMap(([name, value]) => {
        if (name.startsWith('_') || exceptions[`${name} of ${title}`]) return [];
        const property = properties[name];
        if (!property) return [`${title} has a member "${name}" that its schema does not know`];
        if (property.context && !property.context.includes(context))
          return [`${title} shows "${name}" in the context ${context}`];
        if (!types.includes(property.type) && typeof property.type === 'string')
          return [`${name} of ${title} is of the type ${property.type}`];
        // A setting whose stored value is none of its type reads as null.
        const problem = value === null && title === 'settings' ? null : validate.validateValue(value, property, name);
        return problem
          ? [`${name} of ${title} does not fit its schema: ${problem.message} (${JSON.stringify(value)?.slice(0, 100)})`]
          : [];
      });
    },
  };
}
