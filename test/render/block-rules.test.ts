import { describe, expect, test } from 'vitest';
import { createRun, showBlocks } from '../../src/render/block-tree.ts';

/** The rules of a block's classes, its own by the kind of class alone. */
function rulesOf(name: string, attributes: object, markup = '<div></div>'): string {
  const rules: string[] = [];
  const rule = (css: string): void => void rules.push(css);
  showBlocks(`<!-- wp:${name} ${JSON.stringify(attributes)} -->${markup}<!-- /wp:${name} -->`, { ...createRun(), rule });
  return rules.join('\n').replace(/-[\da-f]{8}/g, '');
}

const box = '.wp-container-core-group-is-layout';

describe('style rules of block classes', () => {
  test.each([
    [{ layout: { type: 'grid', columnCount: 3 } }, `.is-layout-grid${box}{grid-template-columns:repeat(3,minmax(0,1fr));}`],
    [
      { layout: { type: 'grid', minimumColumnWidth: '9rem' }, style: { spacing: { blockGap: '7px' } } },
      `.is-layout-grid${box}{grid-template-columns:repeat(auto-fill,minmax(min(9rem,100%),1fr));gap:7px;}`,
    ],
    [
      { layout: { type: 'flex', flexWrap: 'nowrap', justifyContent: 'right', verticalAlignment: 'bottom' } },
      `.is-layout-flex${box}{flex-wrap:nowrap;justify-content:flex-end;align-items:flex-end;}`,
    ],
    [
      { layout: { type: 'flex', orientation: 'vertical' } },
      `.is-layout-flex${box}{flex-direction:column;align-items:flex-start;}`,
    ],
    [
      { layout: { type: 'constrained', contentSize: '40rem', justifyContent: 'left' } },
      `.is-layout-constrained${box}>:where(:not(.alignleft):not(.alignright):not(.alignfull)){max-width:40rem;margin-left:0;margin-right:auto;}` +
        `.is-layout-constrained${box}>.alignwide{max-width:40rem;}`,
    ],
    [{ style: { spacing: { blockGap: { top: '3px' } } } }, `.is-layout-flow${box}>*+*{margin-block-start:3px;}`],
    [{ style: { position: { type: 'sticky', top: '2px' } } }, '.wp-container-1{position:sticky;top:2px;z-index:10;}'],
    [
      { style: { layout: { columnStart: 2, columnSpan: 3, rowSpan: '2' } } },
      '.wp-container-content{grid-column:2/span 3;grid-row:span 2;}',
    ],
    [{ style: { layout: { selfStretch: 'fixed', flexSize: '120px' } } }, '.wp-container-content{flex-basis:120px;}'],
    [
      { style: { elements: { link: { color: { text: 'var:preset|color|harbour' }, ':hover': { color: { text: '#0f0' } } } } } },
      '.wp-elements-1 a:where(:not(.wp-element-button)){color:var(--wp--preset--color--harbour);}' +
        '.wp-elements-1 a:where(:not(.wp-element-button)):hover{color:#0f0;}',
    ],
    [
      { style: { elements: { button: { color: { background: '#123' } }, h2: { color: { text: 'red' } } } } },
      '.wp-elements-1 .wp-element-button,.wp-elements-1 .wp-block-button__link{background-color:#123;}.wp-elements-1 h2{color:red;}',
    ],
  ])('%j', (attributes, css) => expect(rulesOf('group', attributes)).toBe(css));

  test.each(['red}</style><script>', 'red;position:fixed', 'red{', 'url(https://elsewhere.example/x)', '\\75rl(x)', 'x/*'])(
    '%s is not a value',
    (value) => {
      const style = { elements: { link: { color: { text: value, background: value, gradient: value } } } };
      expect(rulesOf('group', { style })).toBe('');
      expect(rulesOf('group', { layout: { type: 'constrained', contentSize: value } })).not.toContain(value);
      expect(rulesOf('group', { layout: { type: 'grid', minimumColumnWidth: value } })).toMatch(/\(min\(12rem,100%\),1fr\)\);}$/);
      expect(rulesOf('group', { style: { layout: { selfStretch: 'fixed', flexSize: value } } })).toBe('');
    },
  );

  test('column counts are numbers', () => {
    for (const columnCount of [0, -1, 1.5, 1e9, 'many', '3;'])
      expect(rulesOf('group', { layout: { type: 'grid', columnCount } })).toContain('auto-fill');
  });
});
