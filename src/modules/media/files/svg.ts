/** Sanitizes untrusted SVG: parsed and printed again with elements and attributes that draw, and nothing that runs, loads or links elsewhere. */
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../../kernel/model/escape.ts';

const elements = words(
  'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath marker pattern mask clipPath ' +
    'linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix ' +
    'feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur ' +
    'feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence image switch view',
);
const maxDepth = 100;
const maxElements = 50_000;

/** The sanitized SVG; null if it is not SVG. */
export function sanitiseSvg(source: string): string | null {
  if (/<!ENTITY|<!DOCTYPE(?:(?!<!DOCTYPE)[^>])*\[/i.test(source)) return null;
  const out: string[] = [];
  const open: string[] = [];
  let dropped = 0;
  let count = 0;
  let isSvg = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (
          count++ > maxElements ||
          open.length > maxDepth ||
          dropped > 0 ||
          !elements.has(name) ||
          (open.length === 0 && name !== 'svg')
        ) {
          dropped++;
          return;
        }
        if (name === 'svg') isSvg = true;
        open.push(name);
        const kept = Object.entries(attributes).filter(([key, value]) => isHarmless(name, key, value));
        out.push(`<${name}${kept.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')}>`);
      },
      ontext(text) {
        if (dropped === 0 && open.length > 0) out.push(escapeHtml(text));
      },
      onclosetag() {
        if (dropped > 0) dropped--;
        else if (open.length > 0) out.push(`</${open.pop()}>`);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(source);
  return isSvg ? `${out.join('')}\n` : null;
}

function isHarmless(element: string, key: string, value: string): boolean {
  const name = key.toLowerCase();
  const plain = value.replace(/[\u0000-\u0020]/g, '').toLowerCase();
  if (!/^[a-z][\w:.-]*$/i.test(key) || name.startsWith('on')) return false;
  if (name === 'xmlns') return plain === 'http://www.w3.org/2000/svg';
  if (name === 'xmlns:xlink') return plain === 'http://www.w3.org/1999/xlink';
  if (name.includes(':') && !/^(?:xlink:(?:href|title)|xml:(?:space|lang))$/.test(name)) return false;
  if (name === 'href' || name === 'xlink:href') {
    return plain.startsWith('#') || (element === 'image' && /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(plain));
  }
  if (name === 'style' && /[\\@]|expression|javascript:|behavior|-moz-binding/.test(plain)) return false;
  // References may only point to the same drawing.
  return (
    ![...plain.matchAll(/url\(["']?([^)]*)/g)].some(([, target]) => !target?.startsWith('#')) && !plain.includes('javascript:')
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
