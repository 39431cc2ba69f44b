/**
 * Pictures for fields with a fixed shape, `media-tools/v1`: taken in, cut, and described for scripts.
 *
 * Shape    upload: `{attachment_id}`; crop: `{id}`; get: an attachment, flat, dates in milliseconds
 * Access   writing: users who may upload, and visitors with the token of one; reading: everyone who may read the attachment
 * Errors   as upload.ts and crop.ts; `{success: false, data: [{code, message}]}` for tokens and for attachments that are not there
 * Source   specification 4.10; reference on media tools, part A
 */
import { fail } from '../../../kernel/errors.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Answer, anyone, type Call, CREATE, READ } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { mayTry, refusal, senderOf, tokenUser } from './access.ts';
import { crop } from './crop.ts';
import { upload } from './upload.ts';
import { attachmentForScripts } from './view.ts';

const base = '/media-tools/v1';

export function mediaToolsRoutes(site: Site): Namespace['routes'] {
  return [
    {
      path: `${base}/upload`,
      uploader: (request) => tokenUser(site, request),
      endpoints: [write(async (call, sender) => ({ attachment_id: await upload(call, sender) }))],
    },
    { path: `${base}/crop`, endpoints: [write(async (call, sender) => ({ id: await crop(call, sender) }))] },
    {
      path: `${base}/get/(?P<id>[\\d]+)`,
      endpoints: [{ methods: READ, args: { id: of('integer', 'ID of the attachment.') }, allow: anyone, handle: get }],
    },
  ];
}

function write(handle: (call: Call, sender: Actor) => Promise<object>): Namespace['routes'][number]['endpoints'][number] {
  return {
    methods: CREATE,
    args: {},
    allow: mayTry,
    handle(call) {
      const sender = senderOf(call);
      if ('kind' in sender) return sender;
      return call.site.store.readOnly ? fail('rest_read_only') : handle(call, sender);
    },
  };
}

async function get(call: Call): Promise<Answer | object> {
  const { site, user, params } = call;
  const media = site.posts.get(Number(params.id));
  if (!isAttachment(media) || media.status === 'trash' || !canReadPost(site.access, user, media))
    return refusal('attachment_not_found', 404);
  const cover = media.featuredMedia > 0 ? site.posts.get(media.featuredMedia) : undefined;
  await site.media.prepare(isAttachment(cover) ? [media, cover] : [media]);
  return attachmentForScripts(call, media);
}
