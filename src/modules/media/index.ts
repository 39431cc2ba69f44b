/**
 * Media files as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { mediaRoutes } from './routes.ts';

export const media: Module = { name: 'media', typeRoutes: { attachment: mediaRoutes } };
