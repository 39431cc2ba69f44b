/**
 * The members `seo_head` and `seo_head_json` of items, terms, users and types.
 *
 * Source: reference on seo/v1, 6.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Field, FieldCall } from '../../../kernel/model/field.ts';
import { everywhere, of } from '../../../kernel/model/schema.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { Head, SeoTarget } from '../metadata/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { archiveSlug, type PostType } from '../../types/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { hasPosts } from '../metadata/index.ts';
import { hasPages, postsTarget } from './addresses.ts';

const partOf = table({ seo_head: 'html', seo_head_json: 'json' } as const satisfies Readonly<Record<string, keyof Head>>);

type TargetOf<R> = (record: R, call: FieldCall) => SeoTarget | null;

/** Both members, of whatever has a page. */
function headFields<R>(targetOf: TargetOf<R>): Readonly<Record<'seo_head' | 'seo_head_json', Field<R, unknown>>> {
  const shown = (record: R, call: FieldCall, member: 'seo_head' | 'seo_head_json'): unknown => {
    if (!call.site.seo.options().headInAnswers) return undefined;
    const target = targetOf(record, call);
    if (target) return call.site.heads.of(target)[partOf[member]];
    // Members that are requested by name are not returned (observed).
    return call.fields.wants(`${call.request.dialect.memberName(member)}.`) ? null : undefined;
  };
  const prepare = (record: R, call: FieldCall): Promise<void> | undefined => {
    const target = call.site.seo.options().headInAnswers ? targetOf(record, call) : null;
    return target ? call.site.heads.prepare(target) : undefined;
  };
  const more = { context: everywhere, readonly: true };
  return {
    seo_head: {
      schema: of(['string', 'null'], 'Lines for the head of its page.', more),
      get: (record, _view, call) => shown(record, call, 'seo_head'),
      prepare,
    },
    seo_head_json: {
      schema: of(['object', 'null'], 'The same as data.', more),
      get: (record, _view, call) => shown(record, call, 'seo_head_json'),
      prepare,
    },
  };
}

export const itemHead = headFields<PostRecord>((post, { site }) => {
  const isShown = site.types.get(post.type)?.viewable === true && post.status !== 'auto-draft';
  return isShown && !(post.type === 'attachment' && site.seo.options().attachmentDisabled) ? { kind: 'post', post } : null;
});

export const termHead = headFields<TermRecord>((term, { site }) => (hasPages(site, term) ? { kind: 'term', term } : null));

export const userHead = headFields<UserRecord>((user, { site, params }) =>
  !site.seo.options().authorDisabled && hasPosts(site, user) ? { kind: 'user', user, ...languageIn(params) } : null,
);

/** Of a type, its archive; of posts, the page where they are. */
export const typeHead = headFields<PostType>((type, { site, params }) => {
  const language = languageIn(params);
  if (type.name === 'post') return postsTarget(site, language.language);
  return archiveSlug(type) === '' ? null : { kind: 'archive', type: type.name, ...language };
});

function languageIn(params: Readonly<Record<string, unknown>>): { readonly language?: string } {
  return typeof params.lang_language === 'string' ? { language: params.lang_language } : {};
}
