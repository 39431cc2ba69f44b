/**
 * Limits wrong passwords per account and network: after too many, the account is locked for that network for a while. Other networks and accounts are
 * not affected. Wider networks have a higher limit than one address, but lower than the sum of theirs.
 *
 * Names are limited too: after wrong passwords for too many of them, nobody can sign in from that network, whether the accounts exist or not, so that
 * names are not revealed. Signed-in users are not affected.
 *
 * Chosen passwords also have limits over all networks, per account and in total, against attackers with many networks. These only affect strangers:
 * at a known address of an account, only that address counts.
 *
 * A pending attempt counts, so that concurrency is no way around. Memory is bounded, whatever names are tried.
 */
import { createHash } from 'node:crypto';
import { type Network, networksOf } from './record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly signIns: SignInLimit;
  }
}
interface SignInLimit {
  /** Seconds until an account that has signed in at the address may continue there; 0: now. */
  wait(account: string, address: string): number;
  /** Whether any network is locked out of the account. */
  isLocked(account: string): boolean;
  begin(account: string, address: string, reach?: Reach): Attempt;
  /** Remembers that a secret was right at an address, within a limit. */
  remember(secret: string, address: string): void;
  remembers(secret: string, address: string): boolean;
  /** An attempt that failed in another process. */
  failed(account: string, address: string, reach: Reach): void;
  /** A lock from another process. */
  lock(lock: SignInLock): void;
  /** Active locks. */
  locks(): readonly SignInLock[];
  /** Called for a new lock, by an attempt in this process. */
  onLock(listener: (lock: SignInLock) => void): void;
  /** Called after a failed attempt in this process. */
  onFailure(listener: (account: string, address: string, reach: Reach) => void): void;
}

/**
 * The reach of a wrong password: only its address, if the account is known there; the networks around it; or everywhere, for chosen passwords, which
 * can be guessed.
 */
export type Reach = 'address' | 'networks' | 'everywhere';

interface Attempt {
  /** Seconds to wait instead; 0: the attempt has begun, and ends with `end`. */
  readonly wait: number;
  end(isRight: boolean): void;
}

export interface SignInLock {
  readonly account: string;
  readonly network: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

interface SignInLimitOptions {
  /** Wrong passwords before the account is locked; 0: unlimited. */
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Whether the account was used from the address before. */
  readonly isKnown?: (account: string, address: string) => boolean;
}

interface Tries {
  failures: number;
  /** Attempts being checked. */
  pending: number;
  readonly since: number;
}

/** Names tried from one network. */
interface Names {
  readonly failed: Set<string>;
  /** Attempts being checked. */
  pending: number;
  readonly since: number;
}

const windowMs = 5 * 60_000;
const slowWindowMs = 60 * 60_000;
const maxKept = 10_000;
/** In place of an account: any new sign-in. */
export const anybody = '*';
/** In place of a network. */
export const anywhere = 'anywhere';
/** Per hour, for one account and for all, as multiples of the limit of one address in five minutes. */
const slowly = { account: 10, all: 30 };
/** Programs at one address may all start at once: this multiple of the limit is checked concurrently. */
const atOnce = 10;

export function createSignInLimit({ attempts, clock, isKnown = () => false }: SignInLimitOptions): SignInLimit {
  const tries = new Map<string, Tries>();
  const names = new Map<string, Names>();
  const locked = new Map<string, SignInLock>();
  const given = new Map<string, true>();
  const lockListeners: ((lock: SignInLock) => void)[] = [];
  const failureListeners: ((account: string, address: string, reach: Reach) => void)[] = [];
  return {
    wait: (account, address) => secondsOf(account, networksOf(address)[0].name),
    isLocked(account) {
      // Fast path.
      if (locked.size === 0) return false;
      for (const one of locked.values()) if (one.account === account && one.until > clock()) return true;
      return false;
    },
    begin(account, address, reach = 'networks') {
      const networks = networksIn(account, address, reach);
      const isSlow = networks.some(({ name }) => name === anywhere);
      const seconds = Math.max(...networks.flatMap(({ name }) => [secondsOf(account, name), secondsOf(anybody, name)]));
      if (seconds > 0 || attempts === 0) return { wait: seconds, end: () => undefined };
      const counted = [
        ...networks.map(({ name, room }) => ({ one: triesOf(account, name), most: attempts * room })),
        ...(isSlow ? [{ one: triesOf(anybody, anywhere), most: attempts * slowly.all }] : []),
      ];
      const groups = networks.flatMap(({ name, room }) =>
        name === anywhere ? [] : [{ one: namesOf(name), most: attempts * room * atOnce }],
      );
      const isFull =
        counted.some(({ one, most }) => one.failures + one.pending >= most) ||
        groups.some(({ one, most }) => one.failed.size + one.pending >= most);
      if (isFull) return { wait: 1, end: () => undefined };
      const all = [...counted, ...groups].map(({ one }) => one);
      for (const one of all) one.pending++;
      return {
        wait: 0,
        end(isRight) {
          for (const one of all) one.pending--;
          if (isRight) return;
          for (const listener of failureListeners) listener(account, address, reach);
          for (const lock of fail(account, networks)) for (const listener of lockListeners) listener(lock);
        },
      };
    },
    remember: (secret, address) => keep(given, keyOf(digestOf(secret), networksOf(address)[0].name), true),
    remembers: (secret, address) => given.has(keyOf(digestOf(secret), networksOf(address)[0].name)),
    failed(account, address, reach) {
      if (attempts > 0) fail(account, networksIn(account, address, reach));
    },
    lock: (lock) => keep(locked, keyOf(lock.account, lock.network), lock),
    locks: () => [...locked.values()].filter(({ until }) => until > clock()),
    onLock: (listener) => void lockListeners.push(listener),
    onFailure: (listener) => void failureListeners.push(listener),
  };

  /** The networks in which an attempt counts. */
  function networksIn(account: string, address: string, reach: Reach): readonly Network[] {
    const [own, ...wider] = networksOf(address);
    if (reach === 'address' || isKnown(account, address)) return [own];
    return [own, ...wider, ...(reach === 'everywhere' ? [{ name: anywhere, room: slowly.account }] : [])];
  }

  function secondsOf(account: string, network: string): number {
    if (locked.size === 0) return 0;
    const key = keyOf(account, network);
    const until = locked.get(key)?.until ?? 0;
    if (until <= clock()) locked.delete(key);
    return Math.max(0, Math.ceil((until - clock()) / 1000));
  }

  function triesOf(account: string, network: string): Tries {
    const key = keyOf(account, network);
    const known = tries.get(key);
    const one = known && isOpen(known, network) ? known : { failures: 0, pending: 0, since: clock() };
    keep(tries, key, one);
    return one;
  }

  function namesOf(network: string): Names {
    const known = names.get(network);
    const one = known && isOpen(known, network) ? known : { failed: new Set<string>(), pending: 0, since: clock() };
    keep(names, network, one);
    return one;
  }

  function isOpen({ since }: Tries | Names, network: string): boolean {
    return since + (network === anywhere ? slowWindowMs : windowMs) > clock();
  }

  /** @returns the locks that this makes */
  function fail(account: string, networks: readonly Network[]): readonly SignInLock[] {
    return networks.flatMap(({ name, room }) => [
      ...count(account, name, attempts * room),
      ...(name === anywhere ? count(anybody, anywhere, attempts * slowly.all) : countName(account, name, attempts * room)),
    ]);
  }

  function count(account: string, network: string, most: number): readonly SignInLock[] {
    const one = triesOf(account, network);
    if (++one.failures < most) return [];
    tries.delete(keyOf(account, network));
    return [lockOut(account, network, one)];
  }

  function countName(account: string, network: string, most: number): readonly SignInLock[] {
    const one = namesOf(network);
    if (one.failed.add(account).size < most) return [];
    names.delete(network);
    return [lockOut(anybody, network, one)];
  }

  /** For five minutes; for all networks until the end of the hour with too many. */
  function lockOut(account: string, network: string, { since }: Tries | Names): SignInLock {
    const until = Math.max(clock() + windowMs, network === anywhere ? since + slowWindowMs : 0);
    const lock = { account, network, until };
    keep(locked, keyOf(account, network), lock);
    return lock;
  }
}

/** Keeps the most recently used entries. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  if (map.size >= maxKept) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

function keyOf(account: string, network: string): string {
  return `${network} ${account}`;
}
