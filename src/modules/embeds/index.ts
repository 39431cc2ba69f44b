import type { Module } from '../../kernel/module.ts';
import { oembedErrors } from './errors.ts';
import { createOembed } from './routes.ts';

export { oembedLinks, embeddedPost } from './oembed.ts';

export const oembed: Module = { name: 'oembed', errors: oembedErrors, namespaces: (site) => [createOembed(site)] };
