import type { Module } from '../../../kernel/module.ts';
import { blockEditorErrors } from './errors.ts';
import { createBlockEditor } from './routes.ts';

export const blockEditor: Module = {
  name: 'block-editor',
  errors: blockEditorErrors,
  namespaces: (site) => [createBlockEditor(site)],
};
