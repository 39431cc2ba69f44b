import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAmpersands, typography } from '../../src/render/typography.ts';
import { cpuMs, long, maxLongMs } from '../support/long-texts.ts';

/** Rows are written with signs, `typography` writes entities. */
const signs: Record<string, string> = {
  '“': '8220',
  '”': '8221',
  '‘': '8216',
  '’': '8217',
  '′': '8242',
  '″': '8243',
  '–': '8211',
  '—': '8212',
  '…': '8230',
  '™': '8482',
  '×': '215',
};
const coded = (text: string) => text.replace(/[“”‘’′″–—…™×]/g, (sign) => `&#${signs[sign]};`);

describe('typography', () => {
  test.each([
    // recorded
    [`<p>He said "yes" and it's fine -- really --- so...</p>`, '<p>He said “yes” and it’s fine — really — so…</p>'],
    [`The "big" one -- it's <i>here</i> & now`, 'The “big” one — it’s <i>here</i> &#038; now'],
    ['a &lt; b & c &amp; d &copy; 5 x 4', 'a &lt; b &#038; c &amp; d &copy; 5 x 4'],
    ['and (c) (tm)', 'and (c) ™'],
    // quotes
    [`"a 'b' c"`, '“a ‘b’ c”'],
    [`He said: 'go'.`, 'He said: ‘go’.'],
    [`("quoted")`, '(“quoted”)'],
    [`the '90s, '99, '99's, class of '99`, 'the ’90s, ’99, ’99’s, class of ’99'],
    [`rock 'n' roll`, 'rock ‘n’ roll'],
    [`'tis the season, get 'em, 'twas`, '’tis the season, get ’em, ’twas'],
    [`dogs' bowls`, 'dogs’ bowls'],
    ["``old'' style", '“old” style'],
    [`x <b>"y"</b> z`, 'x <b>“y”</b> z'],
    [`"unfinished`, '“unfinished'],
    [`&nbsp;"a"&nbsp;`, '&nbsp;“a”&nbsp;'],
    [`"42" and '0.5'`, '“42” and ‘0.5’'],
    // primes
    [`6' 3" tall`, '6′ 3″ tall'],
    [`a 9" disc`, 'a 9″ disc'],
    [`"a 9" disc"`, '“a 9″ disc”'],
    [`"nine 9"`, '“nine 9”'],
    // dashes
    ['a -- b', 'a — b'],
    ['a--b', 'a–b'],
    ['a---b', 'a—b'],
    ['a - b', 'a – b'],
    ['well-known', 'well-known'],
    ['xn--abc', 'xn--abc'],
    ['1----2', '1—-2'],
    // the rest
    ['wait....', 'wait….'],
    ['3x4 and 3.5x4,5', '3×4 and 3.5×4,5'],
    ['0x9999 and 1x2x3 and ax3', '0x9999 and 1x2x3 and ax3'],
    ['1x2,3x4', '1×2,3×4'],
    ['R&D & &amp; &#38; &nope', 'R&#038;D &#038; &amp; &#38; &#038;nope'],
    // left alone
    ['<a title="it\'s -- x & y">it\'s</a>', '<a title="it\'s -- x &#038; y">it’s</a>'],
    [`<pre>"a" & b</pre>"c"`, '<pre>"a" & b</pre>“c”'],
    [`<code class="x">'a'</code> <kbd>--</kbd> <tt>...</tt>`, `<code class="x">'a'</code> <kbd>--</kbd> <tt>...</tt>`],
    [`<script>a && "b"</script><style>x{content:"--"}</style>`, `<script>a && "b"</script><style>x{content:"--"}</style>`],
    [`<!-- "a" & -- -->`, '<!-- "a" & -- -->'],
    [`<pre><code>"a"</pre>"b"</code>"c"</pre>"d"`, '<pre><code>"a"</pre>"b"</code>"c"</pre>“d”'],
    [`[gallery ids="1,2"] [other x="1"]`, '[gallery ids="1,2"] [other x=”1″]'],
    [`[[gallery]]'a' [gallery "x" <b>]"`, '[[gallery]]‘a’ [gallery "x" <b>]“'],
    [`--[/caption] [gallery]--`, '–[/caption] [gallery]—'],
    [`[/gallery]"a`, '[/gallery]”a'],
    ['', ''],
  ])('%s', (from, to) => expect(typography(from)).toBe(coded(to)));

  test('leaves plain text alone', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).map((text) => text.replace(/[-'"&`.x<(]/g, '')),
        (text) => typography(text) === text,
      ),
    );
  });

  test.each(['<', '"', "'", '\n', '&', "'1", '1x', '1,', '-', '[caption ', '\ud800', '\0'])(
    'stays fast on a quarter of a megabyte of %j',
    async (unit) => {
      const text = long(unit);
      expect(await cpuMs(() => typography(text))).toBeLessThan(maxLongMs);
    },
  );
});

test('encodeAmpersands', () =>
  expect(encodeAmpersands('& &amp; &#1; &#xA; &#; &&')).toBe('&#038; &amp; &#1; &#xA; &#038;#; &#038;&#038;'));
