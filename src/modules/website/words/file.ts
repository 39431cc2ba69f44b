/** `theme/words.yaml`: texts of a site, by language and English text. */
import { isMap } from '../../../kernel/model/maps.ts';
import { composeYaml, dataOf, offsetOf, YamlFault } from '../../../kernel/yaml/parse.ts';
import type { Word, WordsByLanguage } from './record.ts';
import { isLanguage } from './say.ts';

export const wordsFile = 'words.yaml';

interface WordFault {
  /** Offset in the file. */
  readonly offset: number;
  readonly message: string;
}

/** Valid texts of a file, and errors. */
export function readWords(text: string): { readonly words: WordsByLanguage; readonly faults: readonly WordFault[] } {
  const words = new Map<string, Record<string, Word>>();
  const faults: WordFault[] = [];
  try {
    const document = composeYaml(text);
    const wrong = (keys: readonly string[], message: string): void => {
      faults.push({ offset: offsetOf(document, keys, true), message });
    };
    for (const [language, texts] of Object.entries(dataOf(document))) {
      if (!isLanguage(language)) wrong([language], `"${language}" is not a language, such as de or pt-BR`);
      else if (!isMap(texts)) wrong([language], `${language}: expected lines such as "Search: Suchen"`);
      else {
        const known: Record<string, Word> = {};
        for (const [english, word] of Object.entries(texts)) {
          if (typeof word === 'string' || typeof word === 'number') known[english] = String(word);
          else if (isMap(word) && Object.keys(word).length > 0 && Object.values(word).every((one) => typeof one === 'string'))
            known[english] = word as Readonly<Record<string, string>>;
          else
            wrong([language, english], `${language}: "${english}" is neither a text nor one for each of one, few, many, other`);
        }
        words.set(language, known);
      }
    }
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    faults.push({ offset: error.offset, message: error.message });
  }
  return { words, faults };
}
