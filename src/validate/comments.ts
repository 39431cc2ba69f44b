/**
 * Comments: each is on an item that is there, and answers a comment on the same item.
 */
import { type Finding, say } from './finding.ts';
import { type Index, inLoops } from './references.ts';
import type { ParsedFile } from './parsed-file.ts';

export function checkComments(parsedFiles: readonly ParsedFile[], index: Index): Finding[] {
  const comments = parsedFiles.filter(({ kind }) => kind === 'comment');
  const byId = new Map(comments.map((parsedFile) => [parsedFile.entry.data.id, parsedFile]));
  const above = ({ entry: { data } }: ParsedFile): ParsedFile | undefined =>
    data.parent === 0 ? undefined : byId.get(data.parent);
  const found = comments.flatMap((parsedFile): Finding[] => {
    const { of, entry } = parsedFile;
    const { path, data } = entry;
    const findings: Finding[] = [];
    if (!index.hasItem(Number(of))) {
      const hint = `no item has the id ${of}; remove comments/${of}/ if it is gone for good`;
      findings.push({ path, keys: [], ...say('orphan-comment', 'is on an item that does not exist', hint) });
    }
    if (typeof data.parent === 'number' && data.parent !== 0) {
      const answered = above(parsedFile);
      const where = answered === undefined ? 'which is not there' : `which is on item ${answered.of}`;
      if (answered?.of !== of)
        findings.push({ path, keys: ['parent'], ...say('unknown-comment', `replies to comment ${data.parent}, ${where}`) });
    }
    return findings;
  });
  const looping = inLoops(comments, above).map(({ entry: { path } }) => ({
    path,
    keys: ['parent'],
    ...say('parent-loop', 'replies to itself, by way of others', 'remove one parent from the loop'),
  }));
  return [...found, ...looping];
}
