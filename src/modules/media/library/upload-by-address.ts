/**
 * Uploads by URL: `url` of a new attachment in place of a file. The file is fetched with the safe client, and checked like any upload.
 *
 * Errors   rest_invalid_param (with rest_invalid_url in its details): a URL that is not allowed; rest_invalid_url: not an image; http_request_failed:
 * no response
 */
import { rm } from 'node:fs/promises';
import { fail } from '../../../kernel/errors.ts';
import { FetchError, type Fetcher, ownOrigins } from '../../../http-client/fetch.ts';
import { createAllowList } from '../../../kernel/http/ip-ranges.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { type Arg, bySchema } from '../../../kernel/rest/args.ts';
import { cleanUri } from '../../../kernel/rest/coerce.ts';
import { type Invalid, invalid } from '../../../kernel/rest/validate.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { cleanFileName } from '../files/names.ts';
import { mimeOf } from '../files/types.ts';
import type { NewFile } from './plan.ts';
import { acceptFile, UploadRefusal, uploadRules } from './uploads.ts';

/** Reserved top-level names (RFC 6761, 2606). */
const reserved = /(?:^|\.)(?:example|invalid|test|localhost)$/;

/** The argument, validated before permissions. */
export function urlArg(site: Site, fetcher: Fetcher): Arg {
  return {
    description: 'Address of a picture to fetch, in place of a file.',
    type: 'string',
    format: 'uri',
    validate: (value, request, param, arg) =>
      bySchema(value, request, param, arg) ?? (mayBeAsked(site, fetcher, scalarText(value)) ? null : notPublic(param)),
    coerce: (value) => (value === null ? null : cleanUri(scalarText(value))),
  };
}

/** The file at a URL, checked and ready to be planned as an attachment. @throws RestError */
export async function fetchedFile(site: Site, fetcher: Fetcher, url: string): Promise<NewFile> {
  const name = cleanFileName(lastPart(url));
  if (!mimeOf(name)?.startsWith('image/')) fail('rest_invalid_url');
  const path = site.store.spoolFile();
  const maxBytes = site.operator.upload_limit * 1024 * 1024;
  try {
    await fetcher.download(url, path, { maxBytes, own: ownOrigins(site) });
    const file = await acceptFile(path, name, uploadRules(site));
    return file.mime.startsWith('image/') ? file : fail('rest_invalid_url');
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof UploadRefusal) return fail('rest_invalid_url', {}, error.message);
    if (!(error instanceof FetchError)) throw error;
    const { code, message, data } = notPublic('url');
    return error.refused
      ? fail('rest_invalid_param', { params: { url: message }, details: { url: { code, message, data } } })
      : fail('http_request_failed');
  }
}

function mayBeAsked(site: Site, fetcher: Fetcher, address: string): boolean {
  if (fetcher.refusal(address, { own: ownOrigins(site) }) !== null) return false;
  const url = new URL(address);
  return (
    ownOrigins(site).includes(url.origin) || createAllowList(site.operator.fetch_allow).host(url) || !reserved.test(url.hostname)
  );
}

function notPublic(param: string): Invalid {
  return invalid('rest_invalid_url', `${param} is not an address on the public internet.`, { status: 400 });
}

/** The file name of a URL; '' if invalid. */
function lastPart(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  } catch {
    return '';
  }
}
