/**
 * Pictures in other sizes and formats on demand, as a module: its settings, and what the media library lays over its files.
 */
import type { Module } from '../../../kernel/module.ts';
import { imageSettings } from './settings.ts';

export { transformingFiles } from './transforms.ts';
export { makeKey, signed } from './signature.ts';

export const imageTransforms: Module = { name: 'image-transforms', settings: imageSettings };
