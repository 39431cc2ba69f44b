/** Batch requests as a module. */
import type { Module } from '../../../kernel/module.ts';
import { batchRoute } from './routes.ts';

export const batch: Module = { name: 'batch', namespaces: () => [{ name: '', routes: [batchRoute] }] };
