/** Import progress: what was read, done and declined. In the private mount. */
import { parseYaml } from '../../../kernel/yaml/parse.ts';
import { printMap } from '../../../kernel/yaml/print.ts';
import type { TrustedDocuments } from '../../../kernel/store/types.ts';
import type { SourceFolder } from './record.ts';

interface Marks {
  readonly completed: readonly string[];
  readonly declined: readonly string[];
  /** Prefix → what was read of its source; `isWhole` with the attachments. */
  readonly snapshots: Readonly<Record<string, FolderSnapshot>>;
  /** Old id → folder, of inserted legacy folders. */
  readonly legacy: Readonly<Record<string, number>>;
}

export interface FolderSnapshot {
  readonly isWhole: boolean;
  readonly folders: readonly SourceFolder[];
}

const document = 'folders/imports.yaml';
const none: Marks = { completed: [], declined: [], snapshots: {}, legacy: {} };

export async function readMarks(documents: TrustedDocuments): Promise<Marks> {
  return parse(await documents.get(document));
}

export async function changeMarks(documents: TrustedDocuments, change: (marks: Marks) => Partial<Marks>): Promise<void> {
  const alter = (bytes: Uint8Array | null): Uint8Array => {
    const before = parse(bytes);
    return Buffer.from(`${printMap({ ...before, ...change(before) }).join('\n')}\n`);
  };
  if (documents.update) return documents.update(document, alter);
  await documents.set(document, alter(await documents.get(document)));
}

/** Written only by this machine, so no validation is needed. */
function parse(bytes: Uint8Array | null): Marks {
  return bytes === null ? none : { ...none, ...(parseYaml(Buffer.from(bytes).toString('utf8')) as Partial<Marks>) };
}
