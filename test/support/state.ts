/** A state directory for the whole run, taken away after it: tests leave nothing behind in the home of whoever runs them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const dir = mkdtempSync(join(tmpdir(), 'cms-state-'));
  process.env.CMS_STATE_DIR = dir;
  return () => rmSync(dir, { recursive: true, force: true });
}
