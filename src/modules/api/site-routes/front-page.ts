/** The front page: the static one as in `cms/v2/pages/<id>`, else the first posts as in `cms/v2/posts`. */
import type { Params, RestRequest } from '../../../kernel/rest/request.ts';
import { answer, type Answer, type Call } from '../../../kernel/rest/types.ts';
import { settingPage } from '../../content/permalinks/record.ts';
import { translatedId } from './language.ts';

const maxPerPage = 100;

export async function frontPage(call: Call): Promise<Answer> {
  const { site, dispatcher, request } = call;
  const { method, dialect, address, user, credential } = request;
  const page = pageOf(call);
  const front: Pick<RestRequest, 'route' | 'query'> =
    page === null
      ? { route: '/cms/v2/posts', query: { per_page: perPage(site.settings.value('posts_per_page')), ignore_sticky: false } }
      : { route: `/cms/v2/pages/${page}`, query: {} };
  const query = { ...kept(call), ...front.query };
  // Serialized parts would be serialized again.
  const own = { method, dialect, address, user, credential, headers: {}, isPrinted: false };
  const { status, headers, data, state } = await dispatcher.dispatch({ ...own, route: front.route, query });
  return answer(data, { status, headers, state });
}

/** Id of the static front page, translated; null if posts are the front page, or it is not published. */
function pageOf(call: Call): number | null {
  const { site } = call;
  const post =
    site.settings.value('front') === 'page' ? site.posts.get(translatedId(call, settingPage(site, 'front_page'))) : undefined;
  return post?.type === 'page' && post.status === 'publish' ? post.id : null;
}

function perPage(setting: unknown): number {
  return Math.max(1, Math.min(maxPerPage, Number(setting) || 10));
}

/** Parameters of every route, and those for output. */
function kept({ site, request }: Call): Params {
  const names = new Set(['_fields', '_embed', ...site.modules.argNames]);
  const neutral = (name: string): string => Object.keys(request.dialect.readNames({ [name]: '' }))[0] ?? name;
  return Object.fromEntries(Object.entries(request.query).filter(([name]) => names.has(neutral(name))));
}
