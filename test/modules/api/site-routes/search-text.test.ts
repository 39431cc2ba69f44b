import { describe, expect, it } from 'vitest';
import { excerptOf, textOf, weightIn, wordsOf } from '../../../../src/modules/api/site-routes/search-text.ts';

describe('words', () => {
  it.each<[string, readonly string[]]>([
    ['Paris  "by Night" paris', ['paris', 'by night']],
    ['"unclosed phrase', ['unclosed phrase']],
    ['Ça va?', ['ca', 'va?']],
    ['""  ', []],
    [Array.from({ length: 30 }, (_, at) => `w${at}`).join(' '), Array.from({ length: 10 }, (_, at) => `w${at}`)],
  ])('of %s', (query, words) => expect(wordsOf(query)).toEqual(words));
});

describe('text', () => {
  it.each<[string, string, string]>([
    ['# Head\n\n- **one** [two](http://x)\n![alt](y.png)', 'md', 'Head one two alt'],
    ['<p>One</p><p>Two &amp; three</p><!-- cms:x {"a":1} --><script>no</script>', 'html', 'One Two & three'],
    ['snake_case * star', 'html', 'snake_case * star'],
  ])('of %j', (body, kind, text) => expect(textOf(body, kind)).toBe(text));
});

it.each<[string, string, number]>([
  ['parisian paris', 'paris', 2],
  ['parisian', 'paris', 1],
  ['comparisons', 'paris', 1],
  ['rome', 'paris', 0],
  ['aaa', 'aa', 1],
])('%j weighs %j', (text, word, weight) => expect(weightIn(text, word)).toBe(weight));

describe('an excerpt', () => {
  it('is the text around the first match, escaped, with every match highlighted', () => {
    const text = `${'before '.repeat(30)}the <b>Façade</b> & facade ${'after '.repeat(30)}`;
    const excerpt = excerptOf(text, ['facade', 'the']);
    expect(excerpt).toMatch(
      /^… before .*<mark>the<\/mark> &lt;b&gt;<mark>Façade<\/mark>&lt;\/b&gt; &amp; <mark>facade<\/mark> after .* …$/,
    );
    expect(excerpt.replace(/<\/?mark>|&\w+;/g, '').length).toBeLessThan(180);
  });

  it('is the beginning of the text if nothing matches', () => expect(excerptOf('Short text', ['y'])).toBe('Short text'));

  it('handles letters that fold to none or several, and split surrogate pairs', () => {
    const text = `e\u0301\u{1f600}ﬁ ${'\u{1f600}'.repeat(200)}`;
    for (const word of ['e', 'fi', '\u{1f600}', '\ud83d'])
      expect(() => encodeURIComponent(excerptOf(text, [word]).replace(/\ud83d(?![\udc00-\udfff])/g, ''))).not.toThrow();
    expect(excerptOf('I\u0301stanbul', ['istanbul'])).toContain('<mark>');
  });

  it('of a long text without spaces is cut', () =>
    expect(excerptOf('x'.repeat(5000), ['x'.repeat(10)]).length).toBeLessThan(600));
});
