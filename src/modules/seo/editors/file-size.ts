/**
 * The size of a file of the uploads, by its address.
 *
 * Shape    `{type: success, size_in_bytes}`; 404 `{type: failure, response}`
 * Access   administrators
 * Source   reference of seo/v1, 3.1 and 7.4
 */
import { answer, type Answer, type Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { uploadUrl } from '../../media/library/index.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export async function fileSize({ site, params }: Call): Promise<Answer | object> {
  const url = addressIn(params.url);
  if (url?.hostname !== new URL(site.url).hostname) return failure('This file is hosted elsewhere.');
  const path = pathBelowUploads(site, url);
  // Looked up among known files, never joined to a path on disk.
  const file = path === null ? null : await site.media.serve(path);
  return file && file.size > 0 ? { type: 'success', size_in_bytes: file.size } : failure('There is no such file.');
}

/** The address that was meant: it may be encoded once more than an address is. */
function addressIn(sent: string): URL | undefined {
  const text = decoded(sent) ?? sent;
  return isUrl(text) ? new URL(text) : undefined;
}

/** Path below the folder of media, decoded; null for what is elsewhere, or cannot be the path of a file. */
function pathBelowUploads(site: Pick<Site, 'url'>, { pathname }: URL): string | null {
  const root = new URL(uploadUrl(site, '')).pathname;
  if (!pathname.startsWith(root)) return null;
  const path = decoded(pathname.slice(root.length)) ?? pathname.slice(root.length);
  return /[\\\0]/.test(path) || path.split('/').some((step) => step === '' || step === '.' || step === '..') ? null : path;
}

/** Undefined for what is no encoded text. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function failure(response: string): Answer {
  return answer({ type: 'failure', response }, { status: 404 });
}
