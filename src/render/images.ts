/**
 * Loading hints on images and frames: when the browser should decode and fetch them. What the author wrote stays.
 *
 * Source: observed behaviour of the reference (6.9) in its REST interface, which knows of no place on a page:
 * only images and frames with both dimensions are loaded lazily, so that nothing jumps.
 */

/** An image of this many pixels is worth fetching first when its author said that it is in view. */
const minPriorityPixels = 50_000;

/** Markup whose `img` and `iframe` tags have loading hints. Cost: linear. */
export function hintLoading(markup: string): string {
  let claimed = false;
  return markup.replace(/<(?:img|iframe)\s[^<>]+>/g, (tag) => {
    if (tag.startsWith('<iframe')) return hintFrame(tag);
    const priority = priorityOf(tag, claimed);
    claimed ||= priority !== undefined;
    return hintImage(tag, priority);
  });
}

/** `high` for the first image that may claim it: marked as such, or in view by its author's word and large. */
function priorityOf(tag: string, claimed: boolean): 'high' | undefined {
  const given = wordOf(tag, 'fetchpriority');
  const loading = wordOf(tag, 'loading');
  const pixels = numberOf(tag, 'width') * numberOf(tag, 'height');
  if (Number.isNaN(pixels)) return undefined;
  if (given !== undefined) return given === 'high' ? 'high' : undefined;
  return !claimed && loading !== undefined && loading !== 'lazy' && pixels >= minPriorityPixels ? 'high' : undefined;
}

function hintImage(tag: string, priority: 'high' | undefined): string {
  if (!tag.includes(' src="')) return tag;
  const loading = wordOf(tag, 'loading');
  const given = wordOf(tag, 'fetchpriority');
  let hints = wordOf(tag, 'decoding') === undefined ? ' decoding="async"' : '';
  let out = tag;
  if (tag.includes(' width="') && tag.includes(' height="')) {
    const lazy =
      loading === undefined &&
      (given === undefined || given === 'auto') &&
      !Number.isNaN(numberOf(tag, 'width') * numberOf(tag, 'height'));
    if (lazy) hints = ` loading="lazy"${hints}`;
    if (priority === 'high' && given === undefined) hints = ` fetchpriority="high"${hints}`;
    if (lazy || loading === 'lazy') out = tag.replace(/ sizes="(?!auto)(?=[^"])/i, ' sizes="auto, ');
  }
  return `<img${hints}${out.slice(4)}`;
}

function hintFrame(tag: string): string {
  const ready = [' src="', ' width="', ' height="'].every((part) => tag.includes(part));
  return ready && !tag.includes(' data-secret="') && !tag.includes(' loading=') ? `<iframe loading="lazy"${tag.slice(7)}` : tag;
}

function wordOf(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}=["']([A-Za-z]+)["']`).exec(tag)?.[1];
}

/** The value of a numeric attribute; NaN without one. */
export function numberOf(tag: string, name: string): number {
  return Number(new RegExp(` ${name}=["'](\\d+)["']`).exec(tag)?.[1] ?? Number.NaN);
}
