import { expect, test } from 'vitest';
import { smilies } from '../../src/render/smilies.ts';

test.each([
  ['<p>Glad :) and (c)</p>', '<p>Glad 🙂 and (c)</p>'],
  [':-( ;) :D 8-) :o :?: :arrow:', '🙁 😉 😀 😎 😮 ❓ ➡'],
  ['a:) :)b (:)', 'a:) :)b (:)'],
  ['&nbsp;:)&nbsp;', '&nbsp;🙂&nbsp;'],
  ['one\n:)\ntwo', 'one\n🙂\ntwo'],
  ['<code> :) </code> <pre> :( </pre> :)', '<code> :) </code> <pre> :( </pre> 🙂'],
  ['<textarea> :) </textarea><style> :) </style>', '<textarea> :) </textarea><style> :) </style>'],
  ['<a title=" :) ">:)</a>', '<a title=" :) ">🙂</a>'],
  ['<!-- :) -->', '<!-- :) -->'],
])('%j', (from, to) => expect(smilies(from)).toBe(to));
