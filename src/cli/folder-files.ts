/** What lies in a folder. */
import { type FileStat, walkFolder } from '../kernel/store/scan.ts';

/** A folder's files, all at once. As `walkFolder`. */
export async function scanFolder(root: string): Promise<FileStat[]> {
  const files: FileStat[] = [];
  await walkFolder(root, { file: (stat) => void files.push(stat) });
  return files;
}
