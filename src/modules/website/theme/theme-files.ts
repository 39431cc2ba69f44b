/** Assets under `/theme/`: the style, at a URL with its digest, and files in `theme/assets/`. */
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { defaultStyle } from '../default-theme/index.ts';
import { assetTypes, extensionOf, themeFolder } from './files.ts';
import { digest, type Theme } from './theme.ts';

const forever = 'public, max-age=31536000, immutable';
/** Clients revalidate. */
const asked = 'no-cache';
/** An SVG may contain scripts; it is served with a policy that forbids them. */
const inert = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox";

/** Null for other URLs. */
export async function themeFile(site: Site, theme: Theme, url: string): Promise<Page | null> {
  const [path = '', query = ''] = url.split(/[?#]/, 2);
  if (!path.startsWith(`/${themeFolder}/`)) return null;
  if (/^\/theme\/style(?:\.[a-f\d]+)?\.css$/.test(path)) return styled(theme.style, path === theme.styleUrl ? forever : asked);
  if (path === '/theme/default.css') return styled(defaultStyle, asked);
  const file = theme.asset(nameIn(path));
  if (!file) return null;
  const bytes = await site.store.readBytes(`${themeFolder}/${file.path}`);
  if (bytes === null) return null;
  return {
    status: 200,
    headers: {
      'Content-Type': assetTypes[extensionOf(file.path)] as string,
      ETag: `"${digest(file.stamp).slice(0, 22)}"`,
      'Cache-Control': query.startsWith('v=') ? 'public, max-age=31536000' : asked,
      'Content-Security-Policy': inert,
    },
    body: new Uint8Array(bytes),
  };
}

function styled(css: string, keep: string): Page {
  const headers = {
    'Content-Type': 'text/css; charset=UTF-8',
    ETag: `"${digest(css).slice(0, 22)}"`,
    'Cache-Control': keep,
  };
  return { status: 200, headers, body: css };
}

/** The path below `theme/`; '' if invalid. */
function nameIn(path: string): string {
  try {
    return decodeURIComponent(path.slice(themeFolder.length + 2));
  } catch {
    return '';
  }
}
