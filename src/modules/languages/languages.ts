import type { Settings } from '../../kernel/site/settings.ts';
import type { Languages } from './record.ts';
import { type Language, type LanguageSettings, readLanguageSettings } from './settings.ts';

export function createLanguages(site: { readonly settings: Pick<Settings, 'value'> }): Languages {
  let read: State | undefined;
  const state = (): State => {
    const stored = site.settings.value('lang');
    if (read === undefined || read.stored !== stored) read = stateOf(stored);
    return read;
  };
  return {
    get default() {
      return state().settings.default;
    },
    get codes() {
      return state().codes;
    },
    get settings() {
      return state().settings;
    },
    of: (code) => state().byCode.get(code),
  };
}

interface State {
  readonly stored: unknown;
  readonly settings: LanguageSettings;
  readonly codes: readonly string[];
  readonly byCode: ReadonlyMap<string, Language>;
}

function stateOf(stored: unknown): State {
  const settings = readLanguageSettings(stored);
  return {
    stored,
    settings,
    codes: settings.list.map(({ code }) => code),
    byCode: new Map(settings.list.map((one) => [one.code, one])),
  };
}
