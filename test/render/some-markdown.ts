/** Markdown of all kinds of blocks. */
import fc from 'fast-check';

const inline = [
  'plain words of a sentence',
  'it\'s *soft* and **bold**, "quoted" ...',
  '[a link](https://example.com/some-where "title") behind',
  '[by label][one], [two]',
  '`code` and ``more`` of it',
  'https://example.com/%C3%A4/x www.example.com/y',
  '![a picture](2026/a.png) with *text*',
  'a &amp; b &copy; c < d',
  'back\\*slash\\\nhard break  \nsoft\nline',
  '<span class="x">inline</span> <!-- remark --> text',
  'snake_case un*frigging*believable ~~gone~~',
  'wörter – ärger',
  'see[this](/one)and [*that*](https://example.com/no) or ![no](/no.png)',
  '[[in](/no)](/no) \\[out](/yes) [bad](javascript:no) [x](/a "t") [a](#b)(c)',
  'one - two -- three --- four\n- five',
  '- first\n-second\n2. - third',
  'with a note[^n] and one that is not written[^no]',
];
const blocks = [
  '# A heading',
  'Setext heading\n---',
  '- one\n- two *three*\n\n  more of two\n- [x] done',
  '1. first\n2. second',
  '> quoted\n> > deeper\nlazy',
  '```js\nconst no = "word";\n\nstill = 1;\n```',
  '    indented code\n\n    goes on',
  '<div title="a > b">\nraw *not emphasis*\n</div>',
  '<pre>\nkept\n\n*as markdown*\n</pre>',
  '<!-- a remark\n\nof two paragraphs -->',
  '| a | b |\n|---|---|\n| c | *d* |',
  '---',
  '--',
  '- - -',
  '- a\n- - b\n  c\n-',
  '1. -',
  '## A part {#no-word}',
  'Another {#no-word .no}\n===',
  'term\n: what it is\n: - or else',
  'term\n\n: what it is\n\n  of two paragraphs',
  ': nothing above',
  '> [!NOTE]\n> quite *important*',
  '> [!TIP]\n>\n> - by the way',
  '> [!INFO]\n> no alert',
];
const rare = [
  '<!--more-->',
  '[one]: https://example.com/one',
  '[two]: /two "T"',
  '[gallery ids="1,2"]',
  '[^n]: the note, of *words*\n\n    and more',
  '[^m]: nobody refers to it[^n]',
  '<script>\nlet x;\n\n</script>',
];

const paragraph = fc.array(fc.constantFrom(...inline), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
const block = fc.oneof(
  { weight: 30, arbitrary: paragraph },
  { weight: 10, arbitrary: fc.constantFrom(...blocks) },
  { weight: 1, arbitrary: fc.constantFrom(...rare) },
);

export const someMarkdown = fc
  .tuple(fc.array(block, { maxLength: 20 }), fc.constantFrom('\n\n', '\n\n', '\n\n', '\n'))
  .map(([parts, between]) => parts.join(between));
