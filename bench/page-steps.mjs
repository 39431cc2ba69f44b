/**
 * What a page of the documentation tells its reader to do, in order: commands to run, and files to write. Tests and measurements follow
 * the page itself, so it cannot tell anything that does not work.
 *
 * A command is a block of `sh`. A file is a block behind a line that ends with its name: "… `src/cms.js`:".
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @returns steps, each with the heading it is below */
export function stepsOf(page) {
  const steps = [];
  let heading = '';
  for (const [, title, , name, language, text] of page.matchAll(
    /^#+ (.*)$|^(.*?(?:`([^`\n]+)`:\n\n)?)^```(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    if (title !== undefined) heading = title;
    else if (name !== undefined) steps.push({ heading, file: name, text });
    else if (language === 'sh') steps.push({ heading, run: text });
  }
  return steps;
}

/** The files among the steps, below a folder. @param places  where a file belongs that the page leaves open */
export async function writeFiles(steps, folder, places = {}) {
  for (const { file, text } of steps) {
    if (file === undefined) continue;
    const path = join(folder, places[file] ?? file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
