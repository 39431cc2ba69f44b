/** Design settings of the site. */
import { type Bounds, fileOnly, line, type Setting } from '../../../kernel/model/settings.ts';

const themeBounds: Readonly<Record<string, Bounds>> = {
  stylesheet: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,100}$' },
  name: { type: 'string', ...line },
  description: { type: 'string', form: 'text', maxLength: 10_000 },
  version: { type: 'string', ...line },
  author: { type: 'string', ...line },
  author_url: { type: 'string', form: 'address', maxLength: 1000 },
  url: { type: 'string', form: 'address', maxLength: 1000 },
  screenshot: { type: 'string', form: 'place', maxLength: 1000 },
  tags: { type: 'array', items: { type: 'string', maxLength: 200 } },
  block_theme: { type: 'boolean' },
  supports: { type: 'object' },
  settings: { type: 'object' },
  styles: { type: 'object' },
};

export const designSettings: readonly Setting[] = [
  {
    group: 'reading',
    key: 'theme',
    schema: {
      ...fileOnly(
        'The design for editors: stylesheet, name, version, description, author, author_url, url, screenshot, ' +
          'tags, block_theme, supports, settings, styles; `none`: the server shows no pages',
        'object',
      ),
      additionalProperties: true,
    },
    bounds: { properties: themeBounds, words: ['none'] },
    default: {},
  },
];
