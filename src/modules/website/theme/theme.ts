/**
 * The theme in service: the default one with what `theme/` puts in its place. A template that cannot be read keeps its last good text,
 * or that of the default theme; one that fails while it is rendered gives way to the default theme for that page.
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
  /** Another one for each state of the folder. */
  readonly stamp: string;
  readonly style: string;
  /** Address of the style, below the site: it names the state of the style. */
  readonly styleUrl: string;
  has(template: string): boolean;
  /** @param names  of templates, the first that there is */
  render(names: readonly string[], data: PageData): string;
  /** Words in a language. @param tag  `de-DE` */
  say(tag: string): Say;
  /** @param path  below `theme/` */
  asset(path: string): ThemeFile | undefined;
  assets(): readonly string[];
}

export interface Themes {
  /** As the folder is now; looked at again when the last look is a moment ago. */
  current(): Promise<Theme>;
}

/** Between two looks at the folder. */
const lookMs = 250;
/** A busy machine may make one page too slow; a template that is too slow stays so. */
const maxExceeded = 2;
/** Of messages that are not said again, until the folder changes. */
const maxSaid = 200;

/** @param log  takes lines for whoever runs the site */
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
      // Whatever was made of pages is another thing now.
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
    /** How often a template took more than it may: twice, and the default theme stands in for it until the folder changes. */
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

  /** A file that cannot be read as a whole leaves the words as they were. */
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

/** Null for what has gone meanwhile. */
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
