/**
 * Settings of a user and of the site, file sizes, and galleries.
 *
 * Shape    `true`; `{success, next}`; `{html}`
 * Access   upload_files; keys of the site also manage_options
 * Errors   rest_forbidden, validation_failed
 * Source   specification 4.15; reference of media folders, 5
 */
import { fail } from '../../../kernel/errors.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE } from '../../../kernel/rest/types.ts';
import { mayUse } from './access.ts';
import { galleryOf } from './gallery.ts';
import { sentWith, wholeNumber } from './exchange.ts';
import { attachment, type FiledAttachment, writeFiled } from './plan.ts';
import { readPreferences, setPreferences } from './preferences.ts';
import { planSiteSettings, readSwitch, type SiteKey, siteKeys } from './site-settings.ts';

const perPage = 50;

export const settingsRoutes: Namespace['routes'] = [
  post('set-settings', set),
  post('generate-attachment-size', measure),
  post('gutenberg-get-images', async (call) => ({ html: await galleryOf(call, sentWith(call)) })),
];

function post(path: string, handle: (call: Call) => Promise<unknown>): Namespace['routes'][number] {
  return { path: `/folders/v1/${path}`, endpoints: [{ methods: CREATE, args: {}, allow: mayUse, handle }] };
}

async function set(call: Call) {
  const { site, user } = call;
  const sent = sentWith(call);
  const wanted = siteKeys.filter((key) => Object.hasOwn(sent, key));
  if (wanted.length > 0 && !call.can('manage_options')) fail('rest_forbidden');
  const switches = wanted.map((key): [SiteKey, boolean] => [key, readSwitch(sent[key]) ?? fail('validation_failed')]);
  const own = readPreferences(sent) ?? fail('validation_failed');
  if (switches.length > 0)
    await site.write(() => ({ changes: planSiteSettings(site.folderTrees, Object.fromEntries(switches)), result: null }));
  if (Object.keys(own).length > 0) await setPreferences(site, user?.id ?? 0, own);
  return true;
}

/** Records the file sizes of a page. */
async function measure(call: Call) {
  const { site } = call;
  const page = Math.max(1, wholeNumber(sentWith(call).page) ?? 1);
  const { records } = site.posts.query({
    where: [{ kind: 'in', index: 'type', values: ['attachment'] }],
    sort: { by: 'id', direction: 'asc' },
    offset: (page - 1) * perPage,
    limit: perPage,
  });
  await site.write(() => ({ changes: records.flatMap(({ id }) => measured(call, attachment(site, id))), result: null }));
  return { success: true, next: records.length > 0 ? '1' : '0' };
}

function measured({ site }: Call, media: FiledAttachment | undefined) {
  const file = media && site.media.fileOf(media);
  return file ? writeFiled(site, media, { ...media, fileBytes: file.size }) : [];
}
