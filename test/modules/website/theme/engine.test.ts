/** What templates of a content folder cannot do: reach into the server, read files, or take all its time and memory. */
import { describe, expect, it } from 'vitest';
import { createEngine, TemplateError } from '../../../../src/modules/website/theme/engine.ts';

const data = { site: { language: 'en' }, post: { title: '<b>T</b>' }, list: [{ a: 1 }, { a: 2 }] };

function render(template: string, more: Readonly<Record<string, string>> = {}): string {
  return createEngine(new Map([['page', template], ...Object.entries(more)])).render('page', data);
}

function faultOf(template: string): TemplateError {
  try {
    render(template);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('it ended well');
}

const doubled = (step: string, times: number): string =>
  `{% assign s = "aaaaaaaaaa" %}{% for i in (1..${times}) %}${step}{% endfor %}`;

describe('a template', () => {
  it.each([
    '{{ post.__proto__ }}{{ post.constructor }}{{ post.toString }}{{ post["__proto__"]["x"] }}{{ list.constructor }}',
    '{{ "x".constructor.constructor }}{{ list | map: "constructor" | first }}{{ list | sum: "__proto__" | minus: 0 | replace: "0", "" }}',
    '{{ list | find_exp: "x", "x.constructor" }}{{ list | where_exp: "x", "x.constructor.constructor" | first }}',
  ])('cannot reach inherited members: %s', (template) => {
    expect(render(template)).toBe('');
  });

  it.each([
    '{% render "../../site.yaml" %}',
    '{% assign name = "/etc/passwd" %}{% include name %}',
    '{% assign name = "__proto__" %}{% include name %}',
    '{% layout "../other" %}',
  ])('includes only templates: %s', (template) => {
    expect(faultOf(template).message).toMatch(/ENOENT|Failed to lookup/);
  });

  it('escapes its values', () => {
    expect(render('{{ post.title }}')).toBe('&lt;b&gt;T&lt;/b&gt;');
  });

  it.each([
    ['a long loop', '{% for i in (1..1000000000) %}x{% endfor %}'],
    [
      'loops in loops',
      '{% for i in (1..3000) %}{% for j in (1..3000) %}{% for k in (1..3000) %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    ['a long table', '{% tablerow i in (1..1000000000) %}x{% endtablerow %}'],
    ['a template in itself', '{% render "page" %}'],
    ['texts that double', doubled('{% assign s = s | append: s %}', 60)],
    ['lists that double', `{% assign s = "a,b" | split: "," %}{% for i in (1..60) %}{% assign s = s | concat: s %}{% endfor %}`],
    ['texts that are captured', doubled('{% capture s %}{{ s }}{{ s }}{% endcapture %}', 60)],
    ['texts that are captured as they are', doubled('{% capture s %}{{ s | raw }}{{ s | raw }}{% endcapture %}', 60)],
    ['a page of captured texts', `${doubled('{% capture s %}{{ s | raw }}{{ s | raw }}{% endcapture %}', 22)}{{ s | raw }}`],
    ['a wide date', '{{ "2020-01-01" | date: "%500000000Y" }}'],
  ])('is limited in time, and reported as too slow: %s', (_, template) => {
    expect(faultOf(template).isLimit).toBe(true);
  });
});
