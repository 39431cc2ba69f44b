/** Icons, and playlists. */
import { border, colours, dimensions, spacing } from '../../../render/block-styles.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { filterStyle } from '../../../render/styles.ts';
import { openingTag, withAttributes } from '../../../render/tags.ts';
import { icons } from '../icons/index.ts';
import { escapeHtml, href, part, type Renderers, word, wrap } from './markup.ts';

export const mediaBlocks: Renderers = { 'core/icon': icon, 'core/playlist': playlist, 'core/playlist-track': () => '' };

/** An SVG with the block's colors, border and padding; its box has only margins. */
function icon(live: LiveBlock): string {
  const { attributes } = live;
  const drawing = icons.get(word(attributes.icon))?.content ?? '';
  const tag = openingTag(drawing);
  if (!tag) return '';
  const padding = spacing(attributes, (_, side) => side === 'padding');
  const looks = [colours(attributes), border(attributes), padding, dimensions(attributes)];
  const own = filterStyle(looks.map((one) => one.css).join(''));
  const style = [own, turned(attributes)].filter((one) => one !== '').join(';');
  const label = word(attributes.ariaLabel);
  const told: Record<string, string> =
    label === '' ? { 'aria-hidden': 'true', focusable: 'false' } : { 'aria-label': label, role: 'img' };
  const looked: Record<string, string> = style === '' ? {} : { style };
  const shown = withAttributes(
    drawing,
    tag,
    { ...told, ...looked },
    looks.flatMap((one) => one.classes),
  );
  return wrap('div', live, shown);
}

/** CSS for a flipped or rotated icon. */
function turned({ flipHorizontal, flipVertical, rotation }: LiveBlock['attributes']): string {
  const side = (flipped: unknown): number => (flipped === true ? -1 : 1);
  return [
    ...(typeof rotation === 'number' && rotation !== 0 ? [`rotate:${rotation}deg`] : []),
    ...(flipHorizontal === true || flipVertical === true ? [`scale:${side(flipHorizontal)} ${side(flipVertical)}`] : []),
  ].join(';');
}

/** Tracks with a recording, each with a player; empty without any (observed). */
function playlist(live: LiveBlock): string {
  const tracks = live.block.innerBlocks.flatMap(({ name, attrs }) =>
    name === 'core/playlist-track' && typeof attrs?.id === 'number' && word(attrs.src) !== '' ? [attrs] : [],
  );
  if (tracks.length === 0) return '';
  const { showArtists, order } = live.attributes;
  const items = (order === 'desc' ? tracks.toReversed() : tracks).map(({ src, title, artist }) => {
    const by = showArtists === false || word(artist) === '' ? '' : ` — ${escapeHtml(word(artist))}`;
    return `<li class="${part('playlist-track')}">${escapeHtml(word(title))}${by} <audio controls preload="none" src="${href(src)}"></audio></li>`;
  });
  return wrap('figure', live, `<ol class="${part('playlist__tracklist')}">${items.join('')}</ol>`);
}
