import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operatorOf } from '../../src/cli/operator.ts';
import { type Io, processIo } from '../../src/cli/io.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';

const io = (cwd: string, env: Io['env'] = {}): Io => ({ ...processIo, cwd, env });

it('cms.config.yaml is read next to the content folder, never inside it', () => {
  const folder = temporaryFolder({ 'site/site.yaml': 'name: x\n', 'site/cms.config.yaml': 'upload_limit: 3\n' });
  expect(operatorOf('site', io(folder.dir)).upload_limit).toBe(256);
  mkdirSync(folder.at('site/.cms'));
  writeFileSync(folder.at('site/.cms/cms.config.yaml'), 'upload_limit: 3\n');
  expect(operatorOf('site', io(folder.dir)).upload_limit).toBe(256);
  folder.write('cms.config.yaml', 'upload_limit: 4\n');
  expect(operatorOf('site', io(folder.dir)).upload_limit).toBe(4);
  folder.write('other.yaml', 'upload_limit: 5\n');
  expect(operatorOf('site', io(folder.dir, { CMS_CONFIG: 'other.yaml' })).upload_limit).toBe(5);
});

it('cms.config.yaml is rejected if it is broken, owned by another user, or missing although named', () => {
  const folder = temporaryFolder({ 'cms.config.yaml': 'upload_limit: [\n' });
  expect(() => operatorOf('site', io(folder.dir))).toThrow('cms.config.yaml');
  folder.write('cms.config.yaml', 'upload_limit: none\n');
  expect(() => operatorOf('site', io(folder.dir))).toThrow('cms.config.yaml: upload_limit: "none" is not a whole number');
  expect(() => operatorOf('site', io(folder.dir, { CMS_CONFIG: 'gone.yaml' }))).toThrow('gone.yaml does not exist');
  if (process.getuid?.() !== 0) return;
  folder.write('cms.config.yaml', 'upload_limit: 4\n');
  chmodSync(folder.at('cms.config.yaml'), 0o644);
  chownSync(folder.at('cms.config.yaml'), 12_345, 12_345);
  expect(() => operatorOf('site', io(folder.dir))).toThrow('belongs to another user');
});

it('webhooks are checked only by a command that serves, the media store by all', () => {
  const folder = temporaryFolder({ 'cms.config.yaml': 'events: { build: { preset: deploy, url_env: NOT_SET } }\n' });
  expect(operatorOf('site', io(folder.dir)).events).toMatchObject({ build: { preset: 'deploy' } });
  expect(() => operatorOf('site', io(folder.dir), { serves: true })).toThrow('NOT_SET');
  folder.write('cms.config.yaml', 'media_store: { bucket: 7 }\n');
  expect(() => operatorOf('site', io(folder.dir))).toThrow('cms.config.yaml: media_store');
});

it('an error names the file only if the value is from there, and an ignored file is mentioned once', () => {
  const folder = temporaryFolder({ 'cms.config.yaml': 'upload_limit: 4\n' });
  expect(() => operatorOf('site', io(folder.dir, { CMS_SIGN_IN_ATTEMPTS: 'none' }))).toThrow(/^CMS_SIGN_IN_ATTEMPTS/);
  mkdirSync(folder.at('.git'));
  const said: string[] = [];
  const one = { ...io(folder.dir), err: (line: string) => void said.push(line) };
  expect([operatorOf('site', one).upload_limit, operatorOf('site', one).upload_limit]).toEqual([256, 256]);
  expect(said.filter((line) => line.includes('is ignored'))).toHaveLength(1);
});
