/**
 * Block bindings: data of a post or term, and public custom fields.
 *
 * Source: behaviour of the reference (7.1).
 */
import { table } from '../../../kernel/model/maps.ts';
import type { BindingQuestion } from '../../../render/bindings.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { BlockSite } from './view.ts';

export function boundValue(question: BindingQuestion, site: BlockSite): unknown {
  return sources[question.source]?.(question, site);
}

const sources: Readonly<Record<string, (question: BindingQuestion, site: BlockSite) => unknown>> = table({
  'core/post-data': (question: BindingQuestion, site: BlockSite) => {
    const post = postOf(question, site);
    const field = fieldOf(question);
    return post && postFields[field]?.(post, site);
  },
  'core/post-meta': (question: BindingQuestion, site: BlockSite) => {
    const post = postOf(question, site);
    const { key } = question.args;
    return post && typeof key === 'string' && !site.isLocked(post) ? site.meta(post, key) : undefined;
  },
  'core/term-data': (question: BindingQuestion, site: BlockSite) => {
    const term = termOf(question, site);
    const field = fieldOf(question);
    return term && termFields[field]?.(term, site);
  },
});

const postFields: Readonly<Record<string, (post: PostRecord, site: BlockSite) => unknown>> = table({
  date: (post: PostRecord, site: BlockSite) => site.formatted('c', post.date),
  link: (post: PostRecord, site: BlockSite) => site.link(post),
  modified: (post: PostRecord, site: BlockSite) => (post.modified > post.date ? site.formatted('c', post.modified) : ''),
});

const termFields: Readonly<Record<string, (term: TermRecord, site: BlockSite) => unknown>> = table({
  id: ({ id }: TermRecord) => id,
  name: ({ name }: TermRecord) => name,
  slug: ({ slug }: TermRecord) => slug,
  description: ({ description }: TermRecord) => description,
  parent: ({ parent }: TermRecord) => parent,
  link: (term: TermRecord, site: BlockSite) => site.termLink(term),
  count: (term: TermRecord, site: BlockSite) => site.count(term),
});

/** `key` in older texts. */
function fieldOf({ args }: BindingQuestion): string {
  return String(args.field ?? args.key ?? '');
}

/** Menu links have their own targets. */
const isLink = ({ block }: BindingQuestion): boolean =>
  block.name === 'core/navigation-link' || block.name === 'core/navigation-submenu';

function postOf(question: BindingQuestion, site: BlockSite): PostRecord | undefined {
  const id = isLink(question) ? question.block.attrs?.id : question.context.postId;
  return site.own(id) ?? site.post(id);
}

function termOf(question: BindingQuestion, site: BlockSite): TermRecord | undefined {
  const id = isLink(question) ? question.block.attrs?.id : question.context.termId;
  const term = typeof id === 'number' ? site.term(id) : undefined;
  return term && site.taxonomy(term.taxonomy)?.public ? term : undefined;
}
