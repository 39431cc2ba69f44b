/** What a document says of blocks and shortcodes, in units, in jobs and in what comes back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRules } from '../../../../src/modules/languages/config/rules.ts';
import { textRulesOf } from '../../../../src/modules/languages/config/text-rules.ts';
import { validRoot } from '../../../../src/modules/languages/config/validate.ts';
import { createUnitCodec, spliced, unitsOf } from '../../../../src/modules/translation/units/index.ts';
import type { TextFormat, UnitRange } from '../../../../src/modules/translation/units/record.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered } from '../../translation/jobs/site.ts';

const document = `<lang-config>
  <gutenberg-blocks>
    <gutenberg-block type="my/card" translate="1" label="Card">
      <xpath>//h3</xpath>
      <key name="heading" label="Heading"/>
      <key name="rows"><key name="*"><key name="label"/><key name="to" type="link"/></key></key>
      <key name="to" type="link"/>
    </gutenberg-block>
    <gutenberg-block type="my/code" translate="0"><key name="text"/></gutenberg-block>
  </gutenberg-blocks>
  <shortcodes>
    <shortcode>
      <tag label="Button">button</tag>
      <attributes><attribute label="Title">title</attribute><attribute type="link">to</attribute></attributes>
    </shortcode>
    <shortcode><tag ignore-content="1">math</tag></shortcode>
  </shortcodes>
</lang-config>`;
const rules = textRulesOf(readRules(validRoot(document) as NonNullable<ReturnType<typeof validRoot>>), {
  'my/card': ['note'],
  'my/own': ['text'],
});

function seen(format: TextFormat, text: string): (string | undefined)[][] {
  const codec = createUnitCodec(format, text);
  return unitsOf(format, text, rules).map((unit) => {
    const shown = codec.pieces(unit).map((one) => (one.kind === 'text' ? one.text : `{${one.raw}}`));
    return unit.label === undefined ? [shown.join('')] : [shown.join(''), unit.label];
  });
}

describe('units of a site with rules', () => {
  it.each<[string, TextFormat, string, (string | undefined)[][]]>([
    [
      'are members of blocks, however deep, with their labels',
      'blocks',
      '<!-- cms:my/card {"heading":"A","to":"/b","rows":[{"label":"C","to":"/c"},{"label":"D"}],"note":"E","heading2":"F"} --><h3>G</h3><!-- /cms:my/card --> H',
      [['A', 'Card: Heading'], ['C', 'Card'], ['D', 'Card'], ['E', 'Card'], ['G', 'Card'], ['H']],
    ],
    [
      'are those of blocks within one that is left alone',
      'blocks',
      '<!-- cms:my/code {"text":"A"} --><p>B</p><!-- cms:my/own {"text":"C"} --><p>D</p><!-- /cms:my/own --><p>E</p><!-- /cms:my/code --><p>F</p>',
      [['C'], ['D'], ['F']],
    ],
    ['are standard ones as before', 'blocks', '<!-- cms:search {"label":"A","width":"B"} /-->', [['A']]],
    [
      'are values of shortcodes, which part what they stand in',
      'html',
      '<p>A <b>b</b> [button title="C &amp; %s" to="/d"] E [x title="f"]</p>',
      [['A {<b>}b{</b>}'], ['C & {%s}', 'Button: Title'], ['E']],
    ],
    ['are not what shortcodes say is none', 'html', '<p>A [math]b</p>\n\n<p>c[/math] D</p>', [['A'], ['D']]],
    [
      'are what stands behind a shortcode that is closed in itself',
      'html',
      '<p>A [math/]b [math]c[/math] D</p>',
      [['A'], ['b'], ['D']],
    ],
    ['are what no other half takes away', 'html', '<p>A [math]B</p>', [['A'], ['B']]],
    [
      'are the same in Markdown',
      'markdown',
      '# A [button title=\'B\']\n\n> c [math]*d*\n> e[/math] F *g*\n\n`[button title="h"]`\n\n<div>[button title="I"]</div>',
      [['A'], ['B', 'Button: Title'], ['c'], ['F {*}g{*}'], ['I', 'Button: Title']],
    ],
  ])('%s', (_, format, text, expected) => expect(seen(format, text)).toEqual(expected));

  it.each<[TextFormat, string, string]>([
    ['html', '<p>[button title="A"]</p>', '<p>[button title="&quot;*&#91;x&#93;*&quot; &lt; y"]</p>'],
    ['markdown', '[button title="A"]', '[button title="&quot;&#42;&#91;x&#93;&#42;&quot; &lt; y"]'],
  ])('keep values within their quotes in %s', (format, text, expected) => {
    const codec = createUnitCodec(format, text);
    const units = unitsOf(format, text, rules);
    const targets = units.map((unit: UnitRange) => codec.print(unit, [{ kind: 'text', text: '"*[x]*"\n< y' }]));
    expect(spliced(text, units, targets)).toBe(expected);
  });
});

describe('a job of a site with a translation document', () => {
  let at: TestSite;
  const body = `<!-- cms:my/card {"heading":"Hello","to":"/x"} -->
<p>One [button title="Press"] two</p>
<!-- /cms:my/card -->

<!-- cms:my/code -->
<p>Verbatim</p>
<!-- /cms:my/code -->
`;
  const indented = document.replace(/^/gm, '  ');
  beforeAll(async () => {
    at = await startSite({
      files: {
        'site.yaml': `name: Harbour\ndeployment: extended\ntranslation_config: |\n${indented}\n`,
        'pages/card.html': `---\nid: 10\ntitle: Cards\ndate: 2026-03-05T10:00:00\n---\n${body}`,
      },
    });
  });
  afterAll(() => at.close());

  it('has labels for translators, and includes what the document says', async () => {
    const id = await ordered(at.site, 10, 'page');
    expect(at.site.translationJobs.xliff(id)).toContain('<note>Card: Heading</note>');
    expect(at.site.translationJobs.xliff(id, '2.0')).toContain('<notes><note>Button: Title</note></notes>');
    expect(await at.read(`lang/jobs/${id}.yaml`)).toContain("label: 'Card: Heading'");
    const change = (text: string): string => `${text} "x"`;
    const result = await at.site.translationJobs.applyResult(id, answered(at.site, id, { change }), null);
    expect(result).toMatchObject({ finished: 5, units: 5 });
    expect(await at.read('pages/card.de.html')).toContain(`<!-- cms:my/card {"heading":"Hello \\u0022x\\u0022","to":"/x"} -->
<p>One "x" [button title="Press &quot;x&quot;"] two "x"</p>
<!-- /cms:my/card -->

<!-- cms:my/code -->
<p>Verbatim</p>
<!-- /cms:my/code -->`);
  });

  it('reuses translated units in the next job', async () => {
    await at.write('pages/card.html', (await at.read('pages/card.html')).replace('One ', 'Another '));
    await expect.poll(() => at.site.posts.get(10)?.content).toContain('Another');
    const id = await ordered(at.site, 10, 'page');
    const units = at.site.translationJobs.job(id)?.parts.flatMap((part) => part.units) ?? [];
    expect(units.map(({ target, state }) => [target, state])).toEqual([
      ['Cards "x"', 'memory'],
      ['Hello \\u0022x\\u0022', 'memory'],
      ['One "x"', 'fuzzy'],
      ['Press &quot;x&quot;', 'memory'],
      ['two "x"', 'memory'],
    ]);
  });
});
