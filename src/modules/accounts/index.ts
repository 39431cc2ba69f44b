/**
 * Accounts, of which clients see the application passwords, as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { applicationPasswordRoutes } from './routes.ts';

export const accounts: Module = {
  name: 'accounts',
  namespaces: () => [{ name: 'cms/v2', routes: applicationPasswordRoutes }],
};
