/** Pictures for the library of a test site. */
import sharp from 'sharp';
import type { TestSite } from './site.ts';

/** A picture of one colour. */
export function picture(width = 640, height = 480): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer();
}

/** Sends bytes as the administrator does, or `as` somebody else. @returns the answer as it comes */
export function sendFile(
  { url, password }: TestSite,
  name: string,
  bytes: Uint8Array,
  { as = 'admin', headers = {} }: { readonly as?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return fetch(`${url}/cms-json/cms/v2/media`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${as}:${password}`).toString('base64')}`,
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      ...headers,
    },
    body: bytes as never,
  });
}

export interface Uploaded {
  readonly id: number;
  readonly link: string;
  /** Address of the original. */
  readonly full: string;
  readonly medium: string;
}

/** Puts a picture into the library. */
export async function upload(site: TestSite, name: string): Promise<Uploaded> {
  const response = await sendFile(site, name, await picture(), { headers: { 'content-type': 'image/jpeg' } });
  const { id, source_url, link, media_details } = (await response.json()) as any;
  return { id, link, full: source_url, medium: media_details.sizes.medium.source_url };
}
