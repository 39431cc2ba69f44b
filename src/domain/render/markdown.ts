/**
 * Markdown as HTML: CommonMark with the extensions of GFM (tables, strike-through, task lists, addresses as links), HTML
 * passed through. The same typography as everywhere else.
 */

import MarkdownIt from 'markdown-it';
import { absoluteUploads } from './addresses.ts';
import type { RenderOptions } from './markup.ts';
import { typography } from './typography.ts';

type Parser = InstanceType<typeof MarkdownIt>;

let shared: Parser | undefined;

/**
 * A Markdown text as HTML; '' for an empty text. Headings get no ids.
 *
 * @param options.typography  whether quotes, dashes and the like are set typographically
 */
export function renderMarkdown(body: string, options: Pick<RenderOptions, 'typography' | 'home'>): string {
  shared ??= create();
  const html = shared.render(body);
  return absoluteUploads(options.typography ? typography(html) : html, options.home ?? '');
}

function create(): Parser {
  const md = new MarkdownIt({ html: true, linkify: true, typographer: false });
  // Only what looks like an address on purpose: `http://…`, `www.…`, `name@example.org`. `readme.md` is a file.
  md.linkify.set({ fuzzyLink: false });
  md.linkify.add('www.', {
    validate: (text, at) =>
      /^[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s<]*[^\s<?!.,:*_~'")\]])?\/?/.exec(text.slice(at, at + 2000))?.[0].length ?? 0,
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
  // Quotes in text stay quotes, for the typography that follows; in attributes they are encoded as ever.
  md.renderer.rules.text = (tokens, at) =>
    (tokens[at]?.content ?? '').replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;' })[char] ?? '&gt;');
  md.core.ruler.after('inline', 'task-lists', (state) => {
    state.tokens.forEach((token, at) => {
      const item = state.tokens[at - 2];
      const text = token.children?.[0];
      const box =
        token.type === 'inline' && item?.type === 'list_item_open' && text?.type === 'text'
          ? /^\[([ xX])\](?=\s)/.exec(text.content)
          : null;
      if (!box || !text || !token.children) return;
      text.content = text.content.slice(3);
      const input = new state.Token('html_inline', '', 0);
      input.content = `<input type="checkbox"${box[1] === ' ' ? '' : ' checked=""'} disabled="" />`;
      token.children.unshift(input);
    });
  });
  return md;
}
