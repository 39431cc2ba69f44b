/**
 * The theme in use: the default one with replacements from `theme/`. An unreadable template keeps its last good text, or the default's; one that
 * fails during rendering is replaced by the default theme for that page.
 */
import { createHash } from 'node:crypto';
import type { Site } from '../../../kernel/site/site.ts';
import type { Store } from '../../../kernel/store/types.ts';
import { defaultStyle, defaultTemplates } from '../default-theme/index.ts';
import { readWords, type Say, sayIn, type WordsByLanguage, wordsFile } from '../words/index.ts';
import { createEngine, type TemplateEngine, type PageData, placeIn, TemplateError, templateFault } from './engine.ts';
import { listTheme, type ThemeFile, type ThemeFiles, themeFolder } from './files.ts';
import { pathBase } from './record.ts';

export interface Theme {
  /** Changes with the folder. */
  readonly stamp: string;
  readonly style: string;
  /** URL of the style, below the site, with its digest. */
  readonly styleUrl: string;
  has(template: string): boolean;
  /** @param names  of templates; the first existing one */
  render(names: readonly string[], data: PageData): string;
  /** Texts in a language. @param tag  `de-DE` */
  say(tag: string): Say;
  /** @param path  below `theme/` */
  asset(path: string): ThemeFile | undefined;
  assets(): readonly string[];
}

interface Themes {
  /** The current folder; checked again after a moment. */
  current(): Promise<Theme>;
}

/** Interval between checks. */
const lookMs = 250;
/** A page may be slow once on a busy machine; a slow template is always slow. */
const maxExceeded = 2;
/** Reported messages, until the folder changes. */
const maxSaid = 200;

/** @param log  receives messages for the operator */
export function createThemes(site: Pick<Site, 'store' | 'records' | 'url'>, log: (line: string) => void): Themes {
  const plain = createEngine(defaultTemplates);
  const good = new Map<string, string>();
  let goodWords: WordsByLanguage = new Map();
  let theme: Theme | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<Theme> | null = null;
  return {
    current() {
      if (theme && performance.now() - lookedAt < lookMs) return Promise.resolve(theme);
      loading ??= look().finally(() => {
        loading = null;
        lookedAt = performance.now();
      });
      return loading;
    },
  };

  async function look(): Promise<Theme> {
    try {
      const files = listTheme(site.store);
      if (theme?.stamp === files.stamp) return theme;
      for (const remark of files.remarks) log(remark);
      const isChange = theme !== null;
      theme = await load(files);
      // Invalidates everything rendered.
      if (isChange) site.records.apply([]);
    } catch (error) {
      log(`theme/ cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      theme ??= await load({ stamp: '', templates: new Map(), style: null, words: null, assets: new Map(), remarks: [] });
    }
    return theme;
  }

  async function load({ stamp, templates, style, words, assets }: ThemeFiles): Promise<Theme> {
    const texts = new Map(defaultTemplates);
    for (const name of [...good.keys()]) if (!templates.has(name)) good.delete(name);
    for (const [name, { path }] of templates) {
      const text = await textOf(site.store, path);
      const fault = text === null ? null : templateFault(name, text, (one) => templates.has(one) || defaultTemplates.has(one));
      if (fault) {
        const instead = good.has(name)
          ? 'its last good state'
          : defaultTemplates.has(name)
            ? 'that of the default theme'
            : 'none';
        log(`theme/${fault.file}:${fault.line}:${fault.column}: ${fault.message}; in service: ${instead}`);
      } else if (text !== null) good.set(name, text);
      const used = good.get(name);
      if (used !== undefined) texts.set(name, used);
    }
    const css = (style && (await textOf(site.store, style.path))) ?? defaultStyle;
    const assetUrl = (path: string): string => {
      const file = assets.get(`assets/${path.replace(/^\/+/, '')}`);
      const base = `${pathBase(site)}/${themeFolder}/assets/${path.replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')}`;
      return file ? `${base}?v=${digest(file.stamp).slice(0, 8)}` : base;
    };
    goodWords = words ? await wordsOf(words) : new Map();
    const languages = goodWords;
    const tongues = new Map<string, Say>();
    const say = (tag: string): Say => {
      const known = tongues.get(tag) ?? sayIn(tag, languages);
      tongues.set(tag, known);
      return known;
    };
    const engine = createEngine(texts, assetUrl, say);
    const isOwn = templates.size > 0;
    const said = new Set<string>();
    /** Number of timeouts of a template: after two the default theme replaces it until the folder changes. */
    const exceeded = new Map<string, number>();
    return {
      stamp,
      style: css,
      styleUrl: `/${themeFolder}/style.${digest(css).slice(0, 12)}.css`,
      has: engine.has,
      say,
      asset: (path) => assets.get(path),
      assets: () => [...assets.keys()],
      render(names, data) {
        const used = chosen(engine, names);
        if ((exceeded.get(used) ?? 0) >= maxExceeded) return plain.render(chosen(plain, names), data);
        try {
          return engine.render(used, data);
        } catch (error) {
          if (!(error instanceof TemplateError) || !isOwn) throw error;
          if (error.isLimit) exceeded.set(used, (exceeded.get(used) ?? 0) + 1);
          const line = `theme/${error.message}; in service: the default theme`;
          if (!said.has(line) && said.size < maxSaid) log(line);
          said.add(line);
          return plain.render(chosen(plain, names), data);
        }
      },
    };
  }

  /** An unreadable file leaves the texts unchanged. */
  async function wordsOf({ path }: ThemeFile): Promise<WordsByLanguage> {
    const text = await textOf(site.store, path);
    if (text === null) return goodWords;
    const { words, faults } = readWords(text);
    for (const { offset, message } of faults) {
      const { line, column } = placeIn(text, offset);
      log(`theme/${wordsFile}:${line}:${column}: ${message}`);
    }
    return words.size === 0 && faults.length > 0 ? goodWords : words;
  }
}

function chosen(engine: TemplateEngine, names: readonly string[]): string {
  return names.find((name) => engine.has(name)) ?? 'list';
}

/** Null if removed meanwhile. */
async function textOf(store: Pick<Store, 'readBytes'>, path: string): Promise<string | null> {
  const bytes = await store.readBytes(`${themeFolder}/${path}`);
  return bytes === null
    ? null
    : Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\uFEFF/, '');
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
