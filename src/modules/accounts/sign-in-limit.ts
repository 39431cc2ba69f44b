/**
 * Wrong passwords, counted for each account and address: after too many the account cannot be tried from there for a while. Others,
 * and other accounts from the same address, go on.
 *
 * Names are counted as well: after wrong passwords for too many of them from one address nobody can begin to sign in from there, whether
 * there are such accounts or not, as the difference would tell which there are. Who has signed in goes on.
 *
 * An attempt counts while it is being checked, so that many at once are no way around. Bounded, whatever names are tried.
 */
import { networkOf } from './record.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Wrong passwords, and who has to wait for them. */
    readonly signIns: SignInLimit;
  }
}
interface SignInLimit {
  /** Seconds until the account may be tried again from the address; 0: now. */
  wait(account: string, address: string): number;
  /** Whether any address is kept from the account. */
  isLocked(account: string): boolean;
  /** Begins an attempt. @returns seconds to wait instead; 0: it has begun, and ends with `end` */
  begin(account: string, address: string): number;
  end(account: string, address: string, isRight: boolean): void;
  /** An attempt that failed elsewhere. */
  failed(account: string, address: string): void;
  /** Keeps an address from an account, as was decided elsewhere. */
  lock(lock: Lock): void;
  /** Those in force. */
  locks(): readonly Lock[];
  /** Called when one is decided here. */
  onLock(listener: (lock: Lock) => void): void;
  /** Called when an attempt has failed, here or elsewhere. */
  onFailure(listener: (account: string, address: string) => void): void;
}

export interface Lock {
  readonly account: string;
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

interface SignInLimitOptions {
  /** Wrong passwords before the account is locked; 0: any number. */
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

interface Tries {
  failures: number;
  /** Being checked. */
  pending: number;
  readonly since: number;
}

/** Names tried from one address. */
interface Names {
  readonly failed: Set<string>;
  /** How many are being checked. */
  pending: number;
  readonly since: number;
}

const windowMs = 5 * 60_000;
const maxKept = 10_000;
/** In place of an account: whoever begins to sign in. */
export const anybody = '*';
/** Programs of one address may all begin at once; so many times more than may fail are checked together. */
const atOnce = 10;

export function createSignInLimit({ attempts, clock }: SignInLimitOptions): SignInLimit {
  const tries = new Map<string, Tries>();
  const names = new Map<string, Names>();
  const locked = new Map<string, Lock>();
  const lockListeners: ((lock: Lock) => void)[] = [];
  const failureListeners: ((account: string, address: string) => void)[] = [];
  return {
    wait,
    isLocked(account) {
      // Nearly always there are none.
      if (locked.size === 0) return false;
      for (const one of locked.values()) if (one.account === account && one.until > clock()) return true;
      return false;
    },
    begin(account, address) {
      const seconds = Math.max(wait(account, address), wait(anybody, address));
      if (seconds > 0 || attempts === 0) return seconds;
      const [one, group] = [triesOf(account, address), namesOf(address)];
      if (one.failures + one.pending >= attempts || group.failed.size + group.pending >= attempts * atOnce) return 1;
      one.pending++;
      group.pending++;
      return 0;
    },
    end(account, address, isRight) {
      if (attempts === 0) return;
      const [one, group] = [triesOf(account, address), namesOf(address)];
      one.pending = Math.max(0, one.pending - 1);
      group.pending = Math.max(0, group.pending - 1);
      if (isRight) return;
      for (const listener of failureListeners) listener(account, address);
      count(account, address, one);
    },
    failed(account, address) {
      if (attempts === 0) return;
      for (const listener of failureListeners) listener(account, address);
      count(account, address, triesOf(account, address));
    },
    lock: (lock) => keep(locked, keyOf(lock.account, lock.address), lock),
    locks: () => [...locked.values()].filter(({ until }) => until > clock()),
    onLock: (listener) => void lockListeners.push(listener),
    onFailure: (listener) => void failureListeners.push(listener),
  };

  function wait(account: string, address: string): number {
    if (locked.size === 0) return 0;
    const key = keyOf(account, address);
    const until = locked.get(key)?.until ?? 0;
    if (until <= clock()) locked.delete(key);
    return Math.max(0, Math.ceil((until - clock()) / 1000));
  }

  function triesOf(account: string, address: string): Tries {
    const key = keyOf(account, address);
    const known = tries.get(key);
    if (known && isOpen(known)) return known;
    const made = { failures: 0, pending: 0, since: clock() };
    keep(tries, key, made);
    return made;
  }

  function namesOf(address: string): Names {
    const key = networkOf(address);
    const known = names.get(key);
    if (known && isOpen(known)) return known;
    const made = { failed: new Set<string>(), pending: 0, since: clock() };
    keep(names, key, made);
    return made;
  }

  function isOpen({ pending, since }: Tries | Names): boolean {
    return pending > 0 || since + windowMs > clock();
  }

  function count(account: string, address: string, one: Tries): void {
    const { failed } = namesOf(address);
    failed.add(account);
    if (failed.size >= attempts) {
      names.delete(networkOf(address));
      lockOut(anybody, address);
    }
    if (++one.failures < attempts) return;
    tries.delete(keyOf(account, address));
    lockOut(account, address);
  }

  function lockOut(account: string, address: string): void {
    const lock = { account, address, until: clock() + windowMs };
    keep(locked, keyOf(account, address), lock);
    for (const listener of lockListeners) listener(lock);
  }
}

/** The newest of so many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  if (map.size >= maxKept) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

/** Whoever has one address of IPv6 has the 64 bits behind its network. */
function keyOf(account: string, address: string): string {
  return `${networkOf(address)} ${account}`;
}
