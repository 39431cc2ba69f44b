/**
 * Translation documents in use: those in `lang/config/*.xml`, as of the start, then the site's own. An invalid one is reported and ignored; the
 * site's own keeps its last valid state.
 */
import type { Site } from '../../../kernel/site/site.ts';
import type { Problem } from '../../../kernel/store/types.ts';
import { filesBelow } from './files-below.ts';
import type { TranslatedKinds, TranslatedTable } from '../record.ts';
import { configKey, type ConfigRules, type KindRule, noRules, type TranslationConfig } from './record.ts';
import { mergeRules, readRules } from './rules.ts';
import { validate, validRoot } from './validate.ts';

type Kinds = Readonly<Record<TranslatedTable, TranslatedKinds>>;

interface LoadedConfig extends TranslationConfig {
  /** Types and taxonomies with their own translation mode. */
  readonly kinds: Kinds;
  /** Loads the documents of themes and extensions, once. */
  load(): Promise<void>;
  problems(): readonly Problem[];
}

const folder = 'lang/config';
const maxBytes = 1024 * 1024;
export const configRule = 'translation-config';
export const howTo = 'the list of what may stand where is in docs/translation-services.md';

interface Own {
  readonly text: string;
  readonly rules: ConfigRules;
}

export function createConfig({ settings, store }: Pick<Site, 'settings' | 'store'>): LoadedConfig {
  /** Path → rules; null if invalid. */
  const files = new Map<string, { readonly rules: ConfigRules | null; readonly problems: readonly Problem[] }>();
  let own: Own = { text: '', rules: noRules };
  let isKnown = false;
  let merged: ConfigRules = noRules;
  let kinds: Kinds = { posts: kindsIn(noRules.types), terms: kindsIn(noRules.taxonomies) };

  function current(): Own {
    const text = String(settings.value(configKey) ?? '');
    if (isKnown && text === own.text) return own;
    isKnown = true;
    const root = validRoot(text);
    own = { text, rules: root ? readRules(root) : /\w/.test(text) ? own.rules : noRules };
    merge();
    return own;
  }

  function merge(): void {
    const brought = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, { rules }]) => rules ?? []);
    merged = mergeRules([...brought, own.rules]);
    kinds = { posts: kindsIn(merged.types), terms: kindsIn(merged.taxonomies) };
  }

  async function load(): Promise<void> {
    for (const { path, size } of await filesBelow(store, folder)) {
      if (!path.endsWith('.xml')) continue;
      const bytes = size > maxBytes ? null : await store.readBytes(path);
      const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8');
      const root = validRoot(text);
      files.set(path, { rules: root ? readRules(root) : null, problems: root ? [] : problemOf(path, text || '.') });
    }
    current();
    merge();
  }

  return {
    get text() {
      return current().text;
    },
    get rules() {
      current();
      return merged;
    },
    get kinds() {
      current();
      return kinds;
    },
    load,
    problems: () => [...problemOf('site.yaml', current().text), ...[...files.values()].flatMap(({ problems }) => problems)],
  };
}

/** By type or taxonomy. */
export function kindsIn(rules: ReadonlyMap<string, KindRule>): TranslatedKinds {
  const named = (is: (rule: KindRule) => boolean): ReadonlySet<string> =>
    new Set([...rules].filter(([, rule]) => is(rule)).map(([name]) => name));
  return {
    untranslated: named(({ isTranslated }) => !isTranslated),
    shownUntranslated: named(({ isTranslated, displayAsTranslated }) => isTranslated && displayAsTranslated),
  };
}

function problemOf(path: string, text: string): readonly Problem[] {
  const [first] = validate(text);
  const keys = path === 'site.yaml' ? { keys: [configKey] } : {};
  const message = `line ${first?.line} of the document: ${first?.message}`;
  return first ? [{ path, line: 1, column: 1, ...keys, severity: 'error', rule: configRule, message, hint: howTo }] : [];
}
