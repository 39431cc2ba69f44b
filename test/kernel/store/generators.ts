/** Values and texts for the property tests of the store. */

import fc from 'fast-check';

const awkward = [
  '',
  ' ',
  'no',
  'Yes',
  'null',
  '~',
  '1e3',
  '12:30',
  '2026-03-01',
  '2026-03-01T10:00:00',
  '2024',
  '007',
  '-0',
  '0x1F',
  '1_000',
  '.inf',
  '<<',
  '=',
  '---',
  '...',
  '- a',
  '? b',
  ': c',
  'a: b',
  'a:',
  'a #b',
  '#c',
  '*x',
  '&y',
  '!z',
  '[a]',
  '{b}',
  '@a',
  '`b`',
  '%c',
  '| d',
  '> e',
  "it's",
  '"quoted"',
  'both \' and "',
  'back\\slash',
  'tab\there',
  '\ttab first',
  ' lead',
  'trail ',
  'line\nbreak',
  'line\nbreak\n',
  'many\n\n\n',
  '\nfirst',
  '  indented\nfirst',
  'a\n  \nb',
  'a\n---\nb',
  'cr\rlf\r\n',
  '\u0000\u0007',
  '\u0085\u2028\u2029',
  '\ufeffbom',
  '\ud83d\ude00 emoji',
  '\ud800',
  '\udfff lone',
  '\u00a0',
  'a\u00a0',
  '\uffff',
  'true',
  'false',
  '123456789012345678901234567890',
];

export const anyText = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 20 }),
  fc.array(fc.constantFrom(...awkward, 'word', ' ', '\n', '\r\n'), { maxLength: 5 }).map((parts) => parts.join('')),
);

const key = anyText.filter((text) => text !== '__proto__');

export const anyScalar = fc.oneof(
  anyText,
  fc.maxSafeInteger(),
  fc.integer({ min: -20, max: 20 }),
  fc.boolean(),
  fc.constant(null),
);

export const { anyValue } = fc.letrec<{ anyValue: unknown }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyScalar,
    fc.array(tie('anyValue'), { maxLength: 4 }),
    fc.dictionary(key, tie('anyValue'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

export const anyMap = fc.dictionary(key, anyValue, { maxKeys: 5, noNullPrototype: true });

/** Bodies, as anyone might send one. */
export const anyBody = fc.oneof(
  fc.constantFrom(
    '',
    '\n',
    '\r\n',
    '\n\n',
    '---',
    '---\n',
    '---\ntitle: x\n---\n',
    '\ufeff',
    '\ufefftext',
    'text',
    'text\n',
    '\r',
    '\n\r',
    'text\r',
    'text\r\n',
    'a\r\nb\r',
    'a\nb\r\n',
    '--- \nx',
    '---js\nx',
    '<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n',
  ),
  fc
    .array(
      fc.constantFrom(
        '---',
        '\n',
        '\r\n',
        '\r',
        ' ',
        '\t',
        'a',
        '# b',
        '\ufeff',
        '\u2028',
        '\ud83d\ude00',
        '=======\n',
        '<<<<<<< x',
        '>>>>>>> y',
        'title: x\n',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/\p{Surrogate}/gu, '')),
);
