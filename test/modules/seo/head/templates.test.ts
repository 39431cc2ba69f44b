import { expect, test } from 'vitest';
import type { SeoPage } from '../../../../src/modules/seo/head/record.ts';
import { fill } from '../../../../src/modules/seo/head/templates.ts';

const page = { filled: new Map(), options: { separatorCharacter: '-' }, post: { title: 'Quay' }, siteName: 'Harbour' };

test.each([
  ['%%title%% %%sep%% %%sitename%%', 'Quay - Harbour'],
  ['%%title% %%sep%% %%sitename%%', '%%title% - Harbour'],
  ['%%title% %%', '%%title% %%'],
  ['%%title', '%%title'],
  ['100% %%title%%', '100% Quay'],
  ['%%no such name%% %%title%%', 'Quay'],
  ['%% %%%%title%%', 'Quay'],
  ['%%title%% %%sep%% %%nope%% %%sep%% x', 'Quay - x'],
])('%s', (template, text) => expect(fill(page as unknown as SeoPage, template)).toBe(text));
