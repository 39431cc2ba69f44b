/** What is installed with this package: exact versions with their digests, nothing that runs while it is installed, nothing from elsewhere. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '..');
let manifest: Manifest;
let locked: Readonly<Record<string, Locked>>;
beforeAll(async () => {
  const read = async (name: string) => JSON.parse(await readFile(join(root, name), 'utf8'));
  manifest = await read('package.json');
  locked = (await read('package-lock.json')).packages;
});

const exact = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

describe('packages', () => {
  it('have exact versions that match the lock file', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect([name, version]).toEqual([name, expect.stringMatching(exact)]);
      expect([name, locked[`node_modules/${name}`]?.version]).toEqual([name, version]);
    }
  });

  it('are locked with a digest and come from a registry', () => {
    const packages = Object.entries(locked).filter(([path]) => path !== '');
    expect(packages.length).toBeGreaterThan(100);
    const wrong = packages.filter(
      ([, { integrity = '', version = '', resolved = 'https:', link }]) =>
        !/^sha512-[\w+/]{86}==$/.test(integrity) || !exact.test(version) || !/^https:/.test(resolved) || link,
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it('run nothing during installation', () => {
    const running = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(running.map(([path]) => path)).toEqual([]);
    expect(Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?install$|^postprepare$/.test(name))).toEqual([]);
  });
});

it('published files are listed explicitly', () => {
  expect(manifest.files).toContain('dist');
  expect(manifest.files.filter((one) => /^(?:\.|\*|test|bench|src)/.test(one))).toEqual([]);
});
