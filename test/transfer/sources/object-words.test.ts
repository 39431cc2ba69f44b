/** Words that every object answers to, where imports and uploads look words of others up. */

import { describe, expect, it } from 'vitest';
import { isFont } from '../../../src/modules/design/fonts/plan.ts';
import { readComment } from '../../../src/transfer/sources/rest/related-items.ts';
import { permalinkOf } from '../../../src/transfer/sources/rest/site.ts';

const words = Object.getOwnPropertyNames(Object.prototype);

describe.each(words)('%s', (word) => {
  it('is not a font format', () => {
    expect(isFont(`a.${word}`, Buffer.from('wOF2'))).toBe(false);
  });

  it('is not a permalink placeholder', () => {
    expect(permalinkOf({ permalink_template: `https://site.example/%${word}%/` }, 'https://site.example')).toBe(
      permalinkOf({ permalink_template: 'https://site.example/%unheard%/' }, 'https://site.example'),
    );
  });

  it('is not a comment status', () => {
    const comment = (status: string) => readComment({ id: 1, post: 2, status, content: { raw: 'x' } }, 'https://site.example');
    expect(comment(word)).toEqual(comment('unheard'));
  });
});
