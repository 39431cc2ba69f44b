/**
 * What search engines and social networks are told, as a module: values of items, options of the site.
 */
import type { Module } from '../../../kernel/module.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { seoChecks } from './checks.ts';
import { nothingStored, seoField, userSeoField } from './fields.ts';
import { createOptions, planOptions, seoSetting } from './options.ts';
import type { SeoValues, UserSeoValues, WithSeo, WithUserSeo } from './record.ts';
import { robotsOf } from './robots.ts';
import { noUserValues, noValues } from './values.ts';

export { printedKey, readValues } from './fields.ts';
export { rowsOfOthers } from './foreign-rows.ts';
export { rowsOf, valuesInMeta, valuesInRows } from './meta-rows.ts';
export { translateTemplate } from './variables.ts';
export { isAddress, separators } from './option-table.ts';
export { hasPosts } from './robots.ts';
export { seoRoute } from './routes.ts';
export { valueTable } from './values.ts';

export const seo: Module = {
  name: 'seo',
  settings: [seoSetting],
  capabilities: { administrator: ['seo_manage_options'] },
  extend: { item: { fields: { seo: seoField } }, term: { fields: { seo: seoField } }, user: { fields: { seo: userSeoField } } },
  checks: seoChecks,
  setup: (site) => ({
    site: {
      seo: {
        options: createOptions(site),
        planOptions: (values) => planOptions(site, values),
        valuesOf: (record: (PostRecord | TermRecord) & WithSeo) => filled<SeoValues>(noValues, record.seo),
        valuesOfUser: (user: UserRecord & WithUserSeo) => filled<UserSeoValues>(noUserValues, user.seo),
        robotsOf: (target) => robotsOf(site, target),
      },
    },
  }),
};

function filled<T>(defaults: T, stored: Partial<T> | undefined): T {
  return stored === undefined || stored === nothingStored ? defaults : { ...defaults, ...stored };
}
