import type { Module } from '../../kernel/module.ts';
import { createOembed } from './routes.ts';

export { oembedLinks, embeddedPost } from './oembed.ts';

export const oembed: Module = { name: 'oembed', namespaces: (site) => [createOembed(site)] };
