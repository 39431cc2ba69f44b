import type { Module } from '../../../kernel/module.ts';
import { createBlockEditor } from './routes.ts';

export const blockEditor: Module = { name: 'block-editor', namespaces: (site) => [createBlockEditor(site)] };
