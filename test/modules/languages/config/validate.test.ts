/** Which documents are valid, and what clients get to hear of others: level, code and line of each fault. */
import { describe, expect, it } from 'vitest';
import { mergeRules, meansName, modeOf, readRules } from '../../../../src/modules/languages/config/rules.ts';
import { validate, validRoot } from '../../../../src/modules/languages/config/validate.ts';
import { cpuMs, long, maxLongMs } from '../../../support/long-texts.ts';

const faults = (text: string) => validate(text).map(({ level, code, line }) => [level, code, line]);
const inside = (text: string, root = 'lang-config'): string => `<${root}>${text}</${root}>`;
const fields = (text: string): string => inside(`<custom-fields>${text}</custom-fields>`);

it.each(['<!DOCTYPE lang-config>', '<!DOCTYPE lang-config [<!ENTITY a "b">]>', '<!DOCTYPE a SYSTEM "file:///etc/passwd">'])(
  '%s: a DOCTYPE is refused, and no entity is read',
  (type) => expect(validate(`${type}${fields('<custom-field action="copy">a</custom-field>')}`)[0]).toMatchObject({ code: 61 }),
);

describe('a valid document', () => {
  it.each<[string, string]>([
    ['nothing at all', ''],
    ['no word', ' <!-- -->\n'],
    ['an empty root', '<lang-config/>'],
    ['the root of the other spelling', '<wpml-config></wpml-config>'],
    [
      'a declaration and comments',
      `<?xml version="1.0"?>\n<!-- a > b -->${fields('<custom-field action="copy">a</custom-field>')}`,
    ],
    [
      'sections in any order',
      inside(
        '<taxonomies><taxonomy translate="0">t</taxonomy></taxonomies><custom-types><custom-type translate="1">b</custom-type></custom-types>',
      ),
    ],
    ['text in a section of CDATA', fields('<custom-field action="ignore"><![CDATA[a<b]]></custom-field>')],
    [
      'all attributes of a field',
      fields(
        '<custom-field action="translate" style="visual" label="L" group="G" translate_link_target="1" convert_to_sticky="0" encoding="json,urlencode">a</custom-field>',
      ),
    ],
    [
      'keys in keys',
      inside('<admin-texts><key name="a"><key name="*" search-method="regex"><key name="c"/></key></key></admin-texts>'),
    ],
    [
      'a shortcode with and without attributes',
      inside(
        '<shortcodes><shortcode><tag>a</tag></shortcode><shortcode><tag ignore-content="1">b</tag><attributes><attribute type="link">c</attribute></attributes></shortcode></shortcodes>',
      ),
    ],
    ['names with commas', inside('<shortcode-list>a, b,c</shortcode-list>')],
    [
      'blocks',
      inside(
        '<gutenberg-blocks><gutenberg-block type="a/b" translate="1"><xpath type="link">//a</xpath><key name="k"/></gutenberg-block></gutenberg-blocks>',
      ),
    ],
    [
      'widgets, which nobody reads',
      inside('<elementor-widgets><widget name="x"><fields><field type="a">b</field></fields></widget></elementor-widgets>'),
    ],
    ['notices', inside('<notices><notice><locations><location/></locations><content>x</content></notice></notices>')],
  ])('is %s', (_name, text) => expect(validate(text)).toEqual([]));
});

describe('an invalid document', () => {
  it.each<[string, string, (readonly [number, number, number])[]]>([
    [
      'tags do not match',
      '<lang-config>\n<custom-fields></lang-config>',
      [
        [3, 76, 2],
        [3, 77, 2],
        [2, 1872, -1],
      ],
    ],
    [
      'tags do not match twice',
      '<lang-config><a></b></lang-config>',
      [
        [3, 76, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'it is cut off',
      '<lang-config>\n<custom-fields>\n',
      [
        [3, 77, 3],
        [2, 1872, -1],
      ],
    ],
    [
      'it is plain text',
      'hello',
      [
        [3, 4, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'something stands behind it',
      '<lang-config/></b>',
      [
        [3, 5, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'there are two roots',
      '<lang-config/><lang-config/>',
      [
        [3, 5, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'an attribute stands there twice',
      fields('<custom-field action="copy" action="copy">a</custom-field>'),
      [
        [3, 42, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'an entity is not known',
      fields('<custom-field action="copy">&a;</custom-field>'),
      [
        [3, 26, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'a value has no quotes',
      fields('<custom-field action=copy>a</custom-field>'),
      [
        [3, 39, 1],
        [2, 1872, -1],
      ],
    ],
    [
      'it has a document type',
      '<!DOCTYPE a [<!ENTITY b "c">]><lang-config/>',
      [
        [3, 61, 1],
        [2, 1872, -1],
      ],
    ],
    ['the root is another', '<other><custom-fields/></other>', [[2, 1845, 1]]],
    ['an attribute is missing', fields('\n<custom-field>a</custom-field>'), [[2, 1868, 2]]],
    ['a value is not one of those', fields('<custom-field action="shout">a</custom-field>'), [[2, 1840, 1]]],
    [
      'an attribute is not allowed',
      inside('<taxonomies><taxonomy translate="1" hidden="1">a</taxonomy></taxonomies>'),
      [[2, 1866, 1]],
    ],
    ['a name is empty', inside('<custom-types><custom-type translate="1"></custom-type></custom-types>'), [[2, 1831, 1]]],
    ['an element is not known', inside('<other/>'), [[2, 1871, 1]]],
    [
      'a section stands there twice',
      inside('<shortcode-list>a</shortcode-list><shortcode-list>b</shortcode-list>'),
      [[2, 1871, 1]],
    ],
    ['a section is empty', inside('<custom-fields/>'), [[2, 1871, 1]]],
    ['a shortcode has no tag', inside('<shortcodes><shortcode><attributes/></shortcode></shortcodes>'), [[2, 1871, 1]]],
    [
      'a shortcode has two tags',
      inside('<shortcodes><shortcode><tag>a</tag><tag>b</tag></shortcode></shortcodes>'),
      [[2, 1871, 1]],
    ],
    ['a list has an empty name', inside('<shortcode-list>a,,b</shortcode-list>'), [[2, 1839, 1]]],
    ['an encoding has other letters', fields('<custom-field action="copy" encoding="A">a</custom-field>'), [[2, 1839, 1]]],
    ['text stands between elements', inside('text'), [[2, 1843, 1]]],
    [
      'several things are wrong',
      fields('<custom-field hidden="1" style="loud"></custom-field>'),
      [
        [2, 1866, 1],
        [2, 1840, 1],
        [2, 1868, 1],
        [2, 1831, 1],
      ],
    ],
    ['siblings follow what may not be there', inside('<other/><custom-types/>'), [[2, 1871, 1]]],
  ])('is reported if %s', (_name, text, wanted) => expect(faults(text)).toEqual(wanted));

  it('is reported with all members, but no server paths', () => {
    const [fault] = validate(inside('<taxonomies>\n<taxonomy translate="1" hidden="1">a</taxonomy></taxonomies>'));
    expect(fault).toEqual({
      level: 2,
      code: 1866,
      column: 0,
      message: "Element 'taxonomy', attribute 'hidden': The attribute 'hidden' is not allowed.",
      file: '',
      line: 2,
    });
  });

  it('is refused beyond a hundred nested elements', () => {
    const keys = (depth: number) =>
      inside(`<admin-texts>${'<key name="a">'.repeat(depth)}${'</key>'.repeat(depth)}</admin-texts>`);
    expect(faults(keys(98))).toEqual([]);
    expect(faults(keys(99))).toEqual([
      [3, 1, 1],
      [2, 1872, -1],
    ]);
  });
});

it.each(['<', '<!--', '<![CDATA[', '<?', '<a ', '<a>', '</a>', '<a b="', '&a', '"', '<key name="*">', ','])(
  'texts of many %s take linear time',
  async (unit) => {
    expect(await cpuMs(() => validate(inside(long(unit))))).toBeLessThan(maxLongMs);
    expect(await cpuMs(() => validate(long(unit)))).toBeLessThan(maxLongMs);
  },
);

describe('document rules', () => {
  const rulesOf = (text: string) => readRules(validRoot(text) ?? expect.fail('not valid'));

  it('name field modes, exact names before wildcards', () => {
    const rules = rulesOf(
      fields(
        '<custom-field action="copy">sub*</custom-field><custom-field action="translate">subtitle</custom-field><custom-field action="ignore">*_x</custom-field>',
      ),
    );
    expect(['subtitle', 'submarine', 'a_x', 'a'].map((name) => modeOf(rules, 'post', name))).toEqual([
      'translate',
      'copy',
      'ignore',
      undefined,
    ]);
    expect(modeOf(rules, 'term', 'subtitle')).toBeUndefined();
  });

  it('are merged by name, the last document wins', () => {
    const one = rulesOf(fields('<custom-field action="copy">a</custom-field><custom-field action="copy">b</custom-field>'));
    const two = rulesOf(fields('<custom-field action="ignore">a</custom-field>'));
    const joined = mergeRules([one, two]);
    expect([...joined.fields].map(([name, { mode }]) => [name, mode])).toEqual([
      ['a', 'ignore'],
      ['b', 'copy'],
    ]);
  });

  it('support paths of keys, blocks and shortcodes', () => {
    const rules = rulesOf(
      inside(
        '<admin-texts><key name="theme"><key name="a"/><key name="b*"/></key></admin-texts>' +
          '<gutenberg-blocks><gutenberg-block type="x/y" translate="1" label="L"><xpath label="T">//p</xpath><key name="u"><key name="v"/><key name="w" search-method="regex"/><key name="x" encoding="json"/></key></gutenberg-block></gutenberg-blocks>' +
          '<shortcodes><shortcode><tag raw-html="1">box</tag><attributes><attribute label="T">title</attribute><attribute type="link">to</attribute><attribute encoding="base64">b</attribute></attributes></shortcode></shortcodes><shortcode-list>row</shortcode-list>',
      ),
    );
    expect(rules.adminTexts).toEqual([
      ['theme', 'a'],
      ['theme', 'b*'],
    ]);
    expect(rules.blocks.get('x/y')).toEqual({
      isTranslated: true,
      label: 'L',
      parts: [
        { kind: 'xpath', path: ['//p'], label: 'T', type: '' },
        { kind: 'key', path: ['u', 'v'], label: '', type: '' },
      ],
    });
    expect([...rules.shortcodes]).toEqual([
      ['box', { label: '', ignoresContent: true, attributes: new Map([['title', 'T']]) }],
      ['row', { label: '', ignoresContent: false, attributes: new Map() }],
    ]);
  });

  it.each([
    ['*', 'abc', true],
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c*', 'abcd', true],
    ['a*b*c', 'acb', false],
    ['ab*ab', 'ab', false],
    ['.', 'a', false],
  ])('%s matches %s: %s', (pattern, name, wanted) => expect(meansName(pattern, name)).toBe(wanted));
});
