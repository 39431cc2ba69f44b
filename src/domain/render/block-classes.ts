/**
 * Class names that static blocks get when they are shown: an editor leaves them out, style sheets expect them.
 * Source: observed behaviour of the reference (6.9) with its default theme.
 */
import { blockClass } from '../../model/kept-names.ts';
import { type Delimiter, stripBlocks } from './blocks.ts';

interface Rule {
  /** Names of the tags; the first of them in the block takes the classes. */
  readonly tags: string;
  classes(block: Delimiter): readonly string[];
}

const flow: Rule = { tags: '[a-z][a-z0-9-]*', classes: ({ name }) => layout(name, 'flow') };

const rules: Readonly<Record<string, Rule>> = {
  'core/heading': { tags: 'h[1-6]', classes: () => [blockClass('heading')] },
  'core/list': { tags: 'ul|ol', classes: () => [blockClass('list')] },
  'core/quote': flow,
  'core/column': flow,
  'core/details': flow,
  'core/buttons': { ...flow, classes: ({ name }) => layout(name, 'flex') },
  'core/group': {
    ...flow,
    classes: ({ name, json }) =>
      /"layout":\{[^{}]*"type":"constrained"/.test(json)
        ? ['has-global-padding', ...layout(name, 'constrained')]
        : layout(name, /"layout":\{[^{}]*"type":"(flex|grid)"/.exec(json)?.[1] ?? 'flow'),
  },
};

/** The markup of a text without its block delimiters, each block with its classes. Cost: linear. */
export function renderStatic(raw: string): string {
  return stripBlocks(raw, withClasses);
}

function layout(name: string, kind: string): string[] {
  return [`is-layout-${kind}`, blockClass(`${name.replace('core/', '')}-is-layout-${kind}`)];
}

/** The markup behind a delimiter; the block's own tag is in it when the delimiter opens one. */
function withClasses(html: string, block: Delimiter): string {
  const rule = block.kind === 'open' ? rules[block.name] : undefined;
  if (!rule) return html;
  return html.replace(new RegExp(`<(${rule.tags})(?=[\\s/>])([^<>]*)>`, 'i'), (_, tag: string, attributes: string) => {
    const own = /(?<=\sclass=")[^"]*(?=")/.exec(attributes);
    const classes = rule.classes(block).filter((name) => !own?.[0].split(/\s+/).includes(name));
    if (!own) return `<${tag} class="${classes.join(' ')}"${attributes}>`;
    const all = [own[0], ...classes].filter((name) => name !== '').join(' ');
    return `<${tag}${attributes.slice(0, own.index)}${all}${attributes.slice(own.index + own[0].length)}>`;
  });
}
