/** The pages of the website as Markdown, and a list of them (`/llms.txt`), if `site.yaml` enables them. */
import type { Module } from '../../../kernel/module.ts';
import { fileOnly } from '../../../kernel/model/settings.ts';
import { createMarkdownPages, markdownPagesKey } from './pages.ts';

export { markdownAddresses } from './pages.ts';

export const markdownPages: Module = {
  name: 'markdown-pages',
  settings: [
    {
      group: 'reading',
      key: markdownPagesKey,
      schema: fileOnly(
        'Offer every page as Markdown (`/hello.md`, or `Accept: text/markdown`) and a list of them at `/llms.txt`',
        'boolean',
      ),
      default: false,
    },
  ],
  setup: (site) => ({ page: createMarkdownPages(site) }),
};
