/**
 * The document format as a table: elements, their number, attributes and text.
 *
 * Source: reference on languages, 3.2.
 */
export interface ElementRule {
  readonly attributes?: Readonly<Record<string, AttributeRule>>;
  /** By name, in any order. Absent: no elements. */
  readonly children?: Readonly<Record<string, ChildRule>>;
  /** Any content, unchecked. */
  readonly isOpen?: true;
  /** At least one child. */
  readonly hasChildren?: true;
  /** Required text; absent: none. */
  readonly text?: 'any' | 'filled' | 'names';
}

interface ChildRule {
  /** Lazy, because elements are recursive. */
  readonly rule: () => ElementRule;
  readonly isRequired?: true;
  /** At most once. */
  readonly isSingle?: true;
}

export interface AttributeRule {
  readonly isRequired?: true;
  /** Allowed values. */
  readonly values?: readonly string[];
  readonly pattern?: RegExp;
}

const any: AttributeRule = {};
const flag: AttributeRule = { values: ['0', '1'] };
const encoding: AttributeRule = { pattern: /^[0-9a-z,]*$/ };
const required = <A extends AttributeRule>(rule: A): A & { readonly isRequired: true } => ({ ...rule, isRequired: true });

const many = (name: string, rule: ElementRule): ElementRule => ({
  children: { [name]: { rule: () => rule } },
  hasChildren: true,
});
const open: ElementRule = { isOpen: true };

const kind: ElementRule = {
  attributes: { translate: required(flag), 'display-as-translated': flag, automatic: flag },
  text: 'filled',
};

const field: ElementRule = {
  attributes: {
    action: required({ values: ['translate', 'copy', 'copy-once', 'ignore'] }),
    style: { values: ['line', 'textarea', 'visual'] },
    label: any,
    group: any,
    translate_link_target: flag,
    convert_to_sticky: flag,
    encoding,
  },
  text: 'filled',
};

const key: ElementRule = {
  attributes: {
    name: required(any),
    label: any,
    type: any,
    'sub-type': any,
    encoding: { values: ['json'] },
    'search-method': { values: ['wildcards', 'regex'] },
  },
  children: { key: { rule: () => key } },
};

const shortcode: ElementRule = {
  children: {
    tag: {
      isRequired: true,
      isSingle: true,
      rule: () => ({
        attributes: {
          encoding: any,
          'encoding-condition': any,
          'raw-html': any,
          label: any,
          'ignore-content': flag,
          type: { values: ['media-url'] },
        },
        text: 'filled',
      }),
    },
    attributes: {
      isSingle: true,
      rule: () => ({
        children: {
          attribute: { rule: () => ({ attributes: { type: any, 'sub-type': any, encoding: any, label: any }, text: 'filled' }) },
        },
      }),
    },
  },
};

const block: ElementRule = {
  attributes: { type: required(any), translate: required(flag), label: any },
  children: {
    xpath: { rule: () => ({ attributes: { type: any, 'sub-type': any, label: any }, text: 'filled' }) },
    key: { rule: () => key },
  },
};

const jobField: ElementRule = { attributes: { type: required(any), value: required(any) } };

const widgets = many('widget', open);

/** Top-level element → its rule. Each at most once. */
const sections: Readonly<Record<string, ElementRule>> = {
  'custom-types': many('custom-type', kind),
  taxonomies: many('taxonomy', kind),
  'custom-fields': many('custom-field', field),
  'custom-term-fields': many('custom-term-field', field),
  'custom-fields-texts': many('key', key),
  'admin-texts': many('key', key),
  'language-switcher-settings': many('key', key),
  shortcodes: many('shortcode', shortcode),
  'shortcode-list': { text: 'names' },
  'gutenberg-blocks': many('gutenberg-block', block),
  'elementor-widgets': widgets,
  'beaver-builder-widgets': widgets,
  'cornerstone-widgets': widgets,
  'siteorigin-widgets': widgets,
  'built-with-page-builder': { text: 'filled' },
  'allow-translatable-job-fields': many('field', jobField),
  notices: many('notice', {
    children: {
      locations: { rule: () => open, isRequired: true, isSingle: true },
      content: { rule: () => open, isRequired: true, isSingle: true },
    },
  }),
};

export const document: ElementRule = {
  children: Object.fromEntries(Object.entries(sections).map(([name, rule]) => [name, { rule: () => rule, isSingle: true }])),
};
