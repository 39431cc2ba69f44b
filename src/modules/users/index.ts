/**
 * People as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { userRoutes } from './routes.ts';

export const users: Module = {
  name: 'users',
  namespaces: () => [{ name: 'cms/v2', routes: userRoutes }],
};
