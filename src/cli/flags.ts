/**
 * Values of arguments and options, checked where they are read: a wrong one is a usage error that names its flag.
 */
import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { isScope, scopesInWords } from '../modules/people/accounts/scope.ts';
import { isLanguageCode } from '../modules/languages/settings.ts';
import { isLogin } from '../modules/people/users/plan.ts';
import { readSiteAddress } from '../kernel/model/addresses.ts';
import { isZone } from '../kernel/model/dates.ts';
import { slugify } from '../kernel/model/slugs.ts';
import { isEngineAddress } from '../kernel/store/content-engine.ts';
import { readLocation } from '../engines/postgres/location.ts';
import { failed, misuse, refusalOf } from './failure.ts';
import type { Io } from './io.ts';
import { codeOf, localeFor } from './new-languages.ts';

export { examples } from './help.ts';

export const defaultPort = 4180;
export const defaultHost = '127.0.0.1';

export function port(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65535) return number;
  throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 picks a free one.');
}

export function url(text: string): string {
  const address = readSiteAddress(text);
  if (address !== undefined) return address;
  throw new InvalidArgumentError('Include the scheme: https://example.com');
}

export function zone(text: string): string {
  if (isZone(text)) return text;
  throw new InvalidArgumentError('Use a name such as Europe/Berlin or an offset such as +02:00.');
}

export function email(text: string): string {
  if (/^[^\s@]+@(?=[^\s@]+$)[^\s@]+\.[^\s@]+$/.test(text)) return text;
  throw new InvalidArgumentError('Not a valid email address.');
}

/** A name to sign in with, as the interface accepts it. */
export function login(text: string): string {
  if (isLogin(text) && text.length <= 60 && slugify(text) !== '') return text;
  throw new InvalidArgumentError('A login has 1 to 60 letters, digits or _ . - @, with single spaces inside.');
}

export function language(text: string): string {
  if (/^[a-z]{2,3}(_[A-Za-z]{2,8}){0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('Use a locale such as en_US or de_DE.');
}

/** Locales, or languages, in a list: the first is the default. */
export function languages(text: string): readonly string[] {
  const locales = text.split(',').map((one) => localeFor(language(one.trim())));
  const codes = locales.map(codeOf);
  if (new Set(codes).size === codes.length && codes.every(isLanguageCode)) return locales;
  throw new InvalidArgumentError('Name languages such as en,de or en_GB,fr_CA, each once.');
}

/** What an application password is for. */
export function scope(text: string): string {
  if (isScope(text)) return text;
  throw new InvalidArgumentError(`Use ${scopesInWords}, such as type:post; several with commas.`);
}

/** Login and application password of another site. */
export function credentials(text: string): string {
  if (/^[^:]+:./.test(text)) return text;
  throw new InvalidArgumentError('Use login:password, with an application password created on the other site.');
}

/** The port of the environment: CMS_PORT before PORT. */
export function environmentPort({ env }: Io): number | undefined {
  const name = env.CMS_PORT ? 'CMS_PORT' : 'PORT';
  const text = env[name];
  if (!text) return undefined;
  try {
    return port(text);
  } catch {
    return misuse(`${name}=${text} is not a valid port`, 'a port is a number from 0 to 65535');
  }
}

/**
 * Where the content is that a command works on: an engine, where `--engine` or `CMS_ENGINE` names one, else the content folder.
 * @throws Failure
 */
export function contentPlace(named: string | undefined, io: Io): string {
  const engine = io.env.CMS_ENGINE;
  if (!engine) return contentFolder(named, io);
  if (named !== undefined) bothNamed(named);
  return engineAddress(engine);
}

/** That of a copy of an engine. */
function copiedFolder(dir: string, named: string | undefined): string {
  if (named !== undefined && named !== dir) bothNamed(named);
  return existsSync(join(dir, 'site.yaml')) ? dir : misuse('the engine has no site', 'to copy one into it: cms engine push');
}

/** @throws Failure */
export function bothNamed(named: string): never {
  misuse(`both "${named}" and an engine are named`, 'leave out the folder, or --engine and CMS_ENGINE');
}

/** @throws Failure for what is not the address of an engine */
export function engineAddress(text: string): string {
  if (isEngineAddress(text)) return text;
  return misuse('--engine and CMS_ENGINE name a database', 'use postgres://user:password@host:5432/database');
}

/** As it may be shown: without a password. */
export function shownPlace(place: string, io: Io): string {
  return isEngineAddress(place) ? readLocation(place).name : relative(io.cwd, place) || '.';
}

/**
 * The content folder a command works on: the one named, else the current folder when it is one, else `./content`.
 * @throws Failure when it is no content folder
 */
export function contentFolder(named: string | undefined, io: Io): string {
  const copied = io.copied?.();
  if (copied) return copiedFolder(copied.dir, named);
  const isSite = (dir: string): boolean => existsSync(join(dir, 'site.yaml'));
  const dir = resolve(io.cwd, named ?? (isSite(io.cwd) ? '.' : 'content'));
  const shown = named ?? (dir === resolve(io.cwd) ? '.' : 'content');
  const stats = statsOf(dir, shown);
  if (!stats)
    misuse(
      `"${shown}" does not exist`,
      named === undefined
        ? 'name a content folder, or create one: cms init my-site'
        : `to create a site there: cms init ${shown}`,
    );
  if (!stats.isDirectory()) misuse(`"${shown}" is not a folder`);
  const settings = statsOf(join(dir, 'site.yaml'), shown);
  if (settings && !settings.isFile()) misuse(`"${shown}/site.yaml" is not a file`);
  if (!settings) {
    const isEmpty = readdirSync(dir).length === 0;
    misuse(
      `"${shown}" is not a content folder (no site.yaml)`,
      isEmpty ? `to create a site there: cms init ${shown}` : `to turn its files into a site: cms import ${shown} --into my-site`,
    );
  }
  return dir;
}

/** Undefined when there is nothing. @throws Failure with status 1 when the folder does not let it be seen */
function statsOf(path: string, shown: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const reason = refusalOf(error);
    if (reason !== undefined) failed(`${shown}: ${reason}`, 'check its owner and permissions', error);
    throw error;
  }
}

/** The system's time zone; UTC when it does not say one that is known. */
export function systemZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isZone(zone) ? zone : 'UTC';
}
