/**
 * What people sign in by, as a module: the page that lets an application in, at the address that the site index names.
 */
import type { Module } from '../../kernel/module.ts';
import { dialects } from '../../kernel/rest/dialect.ts';
import { createAuthorize } from './authorize.ts';

const addresses = new Set(dialects.map(({ admin }) => `/${admin}/authorize-application.php`));

export const signIn: Module = {
  name: 'sign-in',
  setup(site) {
    const authorize = createAuthorize(site);
    return {
      page: async (url) => (isAuthorize(url) ? authorize.page(url) : null),
      form: (url) => (isAuthorize(url) ? authorize.form(url) : null),
    };
  },
};

function isAuthorize(url: string): boolean {
  return addresses.has(url.split('?', 1)[0] as string);
}
