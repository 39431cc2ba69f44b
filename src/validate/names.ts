/**
 * Names of files on other systems: those that are one file where capitals do not count, and those that Windows cannot have.
 */
import { type Finding, say } from './finding.ts';

/** @param paths  of every file in the folder, content or not */
export function checkNames(paths: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const spellings = new Map<string, string>();
  const sound = new Set<string>();
  for (const path of [...paths].sort()) {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const part = end === -1 ? path : path.slice(0, end);
      if (!sound.has(part)) {
        sound.add(part);
        findings.push(...collision(part, path), ...reserved(part, path));
      }
      if (end === -1) break;
    }
  }
  return findings;

  function collision(part: string, path: string): Finding[] {
    const folded = part.toLowerCase();
    const other = spellings.get(folded);
    spellings.set(folded, other ?? part);
    // Of folders that differ, their files need not be named one by one.
    if (other === undefined || other.slice(0, other.lastIndexOf('/') + 1) !== part.slice(0, part.lastIndexOf('/') + 1)) return [];
    const message = `${part === path ? 'is' : `${part}/ is`} one with ${other} where capitals do not count`;
    return [{ path, keys: [], ...say('name-collision', message, 'macOS and Windows keep only one of them: rename one') }];
  }
}

function reserved(part: string, path: string): Finding[] {
  const name = part.slice(part.lastIndexOf('/') + 1);
  const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i.exec(name);
  const sign = /[<>:"|?*]|[. ]$/.exec(name);
  if (!device && !sign) return [];
  const why = device ? 'is the name of a device there' : `has ${JSON.stringify(sign?.[0])} in it`;
  return [{ path, keys: [], ...say('reserved-name', `Windows cannot have this file: ${JSON.stringify(name)} ${why}`) }];
}
