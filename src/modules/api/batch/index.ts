/** Batch requests as a module. */
import type { Module } from '../../../kernel/module.ts';
import { batchErrors } from './errors.ts';
import { batchRoute } from './routes.ts';

export const batch: Module = { name: 'batch', errors: batchErrors, namespaces: () => [{ name: '', routes: [batchRoute] }] };
