/**
 * Comments as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { commentRoutes } from './routes.ts';

export const comments: Module = {
  name: 'comments',
  namespaces: () => [{ name: 'cms/v2', routes: commentRoutes }],
};
