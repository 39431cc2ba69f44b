/** Who has many addresses has not as many tries, and who is known is not held up by them. */
import { describe, expect, it } from 'vitest';
import { networksOf } from '../../../../src/modules/people/accounts/record.ts';
import { createSignInLimit, type SignInLock, type Reach } from '../../../../src/modules/people/accounts/sign-in-limit.ts';

const hour = 60 * 60_000;

function open(known: readonly string[] = []) {
  const time = { ms: 1_000_000_000_000 };
  const locks: SignInLock[] = [];
  const options = {
    attempts: 10,
    clock: () => time.ms,
    isKnown: (account: string, ip: string) => known.includes(`${account} ${ip}`),
  };
  const limit = createSignInLimit(options);
  limit.onLock((lock) => locks.push(lock));
  /** How many wrong passwords are looked at. */
  const wrong = (addresses: Iterable<string>, account = '3', reach: Reach = 'networks'): number => {
    let tried = 0;
    for (const address of addresses) {
      const attempt = limit.begin(account, address, reach);
      if (attempt.wait === 0) tried++;
      attempt.end(false);
    }
    return tried;
  };
  const may = (address: string, account = '3', reach: Reach = 'networks'): boolean => {
    const attempt = limit.begin(account, address, reach);
    attempt.end(true);
    return attempt.wait === 0;
  };
  return { limit, time, locks, wrong, may };
}

/** So many addresses. */
function* many(count: number, address: (at: number) => string): Generator<string> {
  for (let at = 0; at < count; at++) yield address(at);
}
const hex = (at: number): string => at.toString(16);
/** Of one network of so many bits. */
const within: Readonly<Record<number, (at: number) => string>> = {
  64: (at) => `2001:db8:0:1::${hex(at + 1)}`,
  56: (at) => `2001:db8:0:1${hex(at % 256).padStart(2, '0')}::${hex(at + 1)}`,
  48: (at) => `2001:db8:0:${hex((at * 257) % 65_536)}::1`,
  24: (at) => `192.0.2.${at % 256}`,
};
/** No two of one network. */
const apart = (at: number): string => `2001:db8:${hex(at + 1)}::1`;

describe('the networks of an address', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7', '192.0.2.0/24']],
    ['::ffff:192.0.2.7', ['192.0.2.7', '192.0.2.0/24']],
    ['2001:db8:1:2345::7', ['2001:db8:1:2345::/64', '2001:db8:1:2300::/56', '2001:db8:1::/48']],
    ['2001:0DB8:0001:2345:0:0:0:7', ['2001:db8:1:2345::/64', '2001:db8:1:2300::/56', '2001:db8:1::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
    ['1:2:3::5:6:192.0.2.1', ['1:2:3:0::/64', '1:2:3:0::/56', '1:2:3::/48']],
    ['', ['']],
    ['unknown', ['unknown']],
  ])('of %j are %j', (address, names) => {
    expect(networksOf(address).map(({ name }) => name)).toEqual(names);
  });
});

/** Bits of a network, and how many wrong passwords may come from it. */
const bounds: readonly (readonly [bits: number, most: number])[] = [
  [64, 10],
  [56, 20],
  [48, 30],
  [24, 30],
];

describe('wrong passwords for one account', () => {
  it.each(bounds)('from all addresses of a network of %i bits are limited to %i', (bits, most) => {
    const { wrong, may, locks } = open();
    const addressOf = within[bits] as (at: number) => string;
    expect(wrong(many(200, addressOf))).toBe(most);
    expect(locks.filter(({ account }) => account === '3').map(({ network }) => network)).toContainEqual(
      networksOf(addressOf(0)).map(({ name }) => name)[bits === 64 ? 0 : bits === 48 ? 2 : 1],
    );
    expect(may(addressOf(299))).toBe(false);
    expect(may(addressOf(299), '4')).toBe(true);
    expect(may('198.51.100.1')).toBe(true);
  });

  it('checked concurrently are limited alike', () => {
    const { limit } = open();
    const begun = [...many(200, within[48] as (at: number) => string)].map((address) => limit.begin('3', address));
    expect(begun.filter(({ wait }) => wait === 0)).toHaveLength(30);
  });

  it('are limited to a hundred an hour in total for chosen passwords', () => {
    const { wrong, time, may } = open();
    expect(wrong(many(400, apart), '3', 'everywhere')).toBe(100);
    expect(may('198.51.100.1', '3', 'everywhere')).toBe(false);
    expect(may('198.51.100.1', '4', 'everywhere')).toBe(true);
    time.ms += hour;
    expect(may('198.51.100.1', '3', 'everywhere')).toBe(true);
  });

  it('are counted per address for a known address, which no wider limit locks out', () => {
    const { wrong, may } = open(['3 2001:db8:0:1::1']);
    wrong(many(200, within[48] as (at: number) => string));
    wrong(many(200, apart), '3', 'everywhere');
    expect(may('2001:db8:0:1::1', '3', 'everywhere')).toBe(true);
    expect(may('2001:db8:0:2::1', '3', 'everywhere')).toBe(false);
    expect(
      wrong(
        many(50, () => '2001:db8:0:1::1'),
        '3',
        'everywhere',
      ),
    ).toBe(10);
  });

  it('do not affect generated passwords, however many come from elsewhere', () => {
    const { wrong, may } = open();
    wrong(many(400, apart), '3', 'everywhere');
    expect(may('198.51.100.1')).toBe(true);
    expect(wrong(many(400, apart), '4')).toBe(400);
    expect(may('198.51.100.1', '4', 'everywhere')).toBe(true);
  });
});

describe('wrong passwords for many accounts', () => {
  it.each(bounds)('from all addresses of a network of %i bits are limited to %i', (bits, most) => {
    const { limit, locks } = open();
    const addressOf = within[bits] as (at: number) => string;
    const tried = [...many(200, addressOf)].filter((address, at) => {
      const attempt = limit.begin(`"name ${at}"`, address);
      attempt.end(false);
      return attempt.wait === 0;
    });
    expect(tried).toHaveLength(most);
    expect(locks.at(-1)?.account).toBe('*');
  });

  it('are limited to three hundred an hour for the whole site, for chosen passwords', () => {
    const { limit, may, time } = open(['3 203.0.113.1']);
    const tried = [...many(400, apart)].filter((address, at) => {
      const attempt = limit.begin(`"name ${at}"`, address, 'everywhere');
      attempt.end(false);
      return attempt.wait === 0;
    });
    expect(tried).toHaveLength(300);
    expect(may('198.51.100.1', '3', 'everywhere')).toBe(false);
    expect(may('203.0.113.1', '3', 'everywhere')).toBe(true);
    expect(may('198.51.100.1', '3')).toBe(true);
    time.ms += hour;
    expect(may('198.51.100.1', '3', 'everywhere')).toBe(true);
  });
});

it('failures in another process count here too', () => {
  const { limit, may } = open();
  for (const address of many(100, apart)) limit.failed('3', address, 'everywhere');
  expect(may('198.51.100.1', '3', 'everywhere')).toBe(false);
  expect(may('198.51.100.1', '3')).toBe(true);
});
