import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDate,
  isZone,
  now,
  offsetHours,
  parseDateTime,
  parseFileDate,
  printFileDate,
  resolveDates,
  shownLocal,
  toGmt,
  toLocal,
} from '../../../src/kernel/model/dates.ts';

const berlin = 'Europe/Berlin';

describe('time zones', () => {
  it.each([
    ['winter', '2023-01-15T12:00:00', '2023-01-15T11:00:00'],
    ['summer', '2023-07-15T12:00:00', '2023-07-15T10:00:00'],
    ['last second before the gap', '2023-03-26T01:59:59', '2023-03-26T00:59:59'],
    ['after the gap', '2023-03-26T03:00:00', '2023-03-26T01:00:00'],
    ['the repeated hour is the second one', '2023-10-29T02:30:00', '2023-10-29T01:30:00'],
    ['last second of summer time', '2023-10-29T01:59:59', '2023-10-28T23:59:59'],
    ['after the repeated hour', '2023-10-29T03:00:00', '2023-10-29T02:00:00'],
  ])('%s', (_, local, gmt) => {
    expect(toGmt(local, berlin)).toBe(gmt);
    expect(toLocal(gmt, berlin)).toBe(local);
  });

  it('move a skipped hour one hour forward', () => {
    expect(toGmt('2023-03-26T02:30:00', berlin)).toBe('2023-03-26T01:30:00');
    expect(toLocal('2023-03-26T01:30:00', berlin)).toBe('2023-03-26T03:30:00');
  });

  it('convert to local time and back', () => {
    expect(shownLocal('2023-03-26T02:30:00', berlin)).toBe('2023-03-26T03:30:00');
    const seconds = fc.integer({ min: -2_000_000_000, max: 4_000_000_000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(berlin, 'America/New_York', 'Asia/Kolkata', 'UTC-3.5'), (second, zone) => {
        const local = new Date(second * 1000).toISOString().slice(0, 19);
        expect(shownLocal(local, zone)).toBe(toLocal(toGmt(local, zone), zone));
      }),
    );
  });

  it('agree with the calendar for every day and time', () => {
    const number = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
    fc.assert(
      fc.property(number(12), number(31), number(24), number(59), number(60), (month, day, hour, minute, second) => {
        const at = Date.UTC(2023, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
        const text = `2023-${month}-${day}T${hour}:${minute}:${second}`;
        expect(parseDateTime(text)?.local).toBe(new Date(at).toISOString().slice(0, 19));
      }),
    );
  });

  it('know both instants of a repeated hour', () => {
    expect(toLocal('2023-10-29T00:30:00', berlin)).toBe('2023-10-29T02:30:00');
    expect(toLocal('2023-10-29T01:30:00', berlin)).toBe('2023-10-29T02:30:00');
  });

  it.each([
    ['+02:00', 2],
    ['-0330', -3.5],
    ['UTC+2', 2],
    ['UTC+5.75', 5.75],
    ['UTC-9:30', -9.5],
    ['UTC', 0],
    ['', 0],
    ['Asia/Kolkata', 5.5],
    ['Asia/Kathmandu', 5.75],
  ])('include %s', (zone, hours) => {
    expect(offsetHours(zone, Date.UTC(2023, 0, 1))).toBe(hours);
  });

  it('are distinguished from other words', () => {
    expect(['Europe/Berlin', '+02:00', 'UTC+14', 'Nowhere/Town', 'UTC+1:99', 'x'].map(isZone)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(() => toGmt('2023-01-01T00:00:00', 'Nowhere/Town')).toThrow(RangeError);
  });

  it('agree with Intl for every second of many zones', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Africa/Casablanca',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Asia/Tehran',
      'America/Sao_Paulo',
    ];
    const formats = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
      ]),
    );
    const seconds = fc.integer({ min: Date.UTC(1975, 0, 1) / 1000, max: Date.UTC(2037, 11, 31) / 1000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(...zones), (second, zone) => {
        const expected = formats
          .get(zone)!
          .format(second * 1000)
          .replace(' ', 'T');
        expect(now(zone, second * 1000 + 999).local).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('round-trip GMT, except in the first half of a repeated hour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (second) => {
        const { local, gmt } = now('America/New_York', second * 1000);
        const back = toGmt(local, 'America/New_York');
        expect(toLocal(back, 'America/New_York')).toBe(local);
        expect([gmt, new Date(Date.parse(`${gmt}Z`) + 3_600_000).toISOString().slice(0, 19)]).toContain(back);
      }),
    );
  });
});

describe('parseDateTime', () => {
  it.each([
    ['2023-02-01T10:00:00', '2023-02-01T10:00:00', null],
    ['2023-02-01 10:00:00', '2023-02-01T10:00:00', null],
    ['2023-02-01t10:00:00', '2023-02-01T10:00:00', null],
    ['2023-02-01T10:00:00.500', '2023-02-01T10:00:00', null],
    ['2023-06-01T10:00:00Z', '2023-06-01T10:00:00', 0],
    ['2023-06-01T10:00:00.25+09:00', '2023-06-01T10:00:00', 540],
    ['2023-06-01T10:00:00-05', '2023-06-01T10:00:00', -300],
    ['2023-02-29T00:00:00', '2023-03-01T00:00:00', null],
    ['2023-12-31T24:00:00', '2024-01-01T00:00:00', null],
    ['0099-01-01T00:00:00', '0099-01-01T00:00:00', null],
  ])('%s', (text, local, offsetMinutes) => {
    expect(parseDateTime(text)).toEqual({ local, offsetMinutes });
  });

  it.each([
    'yesterday',
    '',
    '2023-02-01',
    '2023-02-01T10:00',
    '2022-13-45T99:00:00',
    '2023-13-01T00:00:00',
    '2023-01-32T00:00:00',
    '2023-01-01T25:00:00',
    '2023-01-01T00:60:00',
    '2023-01-01T00:00:00z',
    '2023-01-01T00:00:00+0900',
    '2023-01-01T00:00:00+99:00',
    ' 2023-01-01T00:00:00',
  ])('rejects "%s"', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });
});

describe('resolveDates', () => {
  it.each([
    ['spring gap', { date: '2023-03-26T02:30:00' }, '2023-03-26T03:30:00', '2023-03-26T01:30:00'],
    ['autumn, local', { date: '2023-10-29T02:30:00' }, '2023-10-29T02:30:00', '2023-10-29T01:30:00'],
    ['autumn, first in GMT', { date_gmt: '2023-10-29T00:30:00' }, '2023-10-29T02:30:00', '2023-10-29T00:30:00'],
    ['zone in date', { date: '2023-06-01T10:00:00Z' }, '2023-06-01T12:00:00', '2023-06-01T10:00:00'],
    ['offset in date', { date: '2023-06-01T10:00:00+09:00' }, '2023-06-01T03:00:00', '2023-06-01T01:00:00'],
    ['offset in date_gmt', { date_gmt: '2023-06-01T10:00:00-05:00' }, '2023-06-01T17:00:00', '2023-06-01T15:00:00'],
    ['date wins', { date: '2023-02-01T10:00:00', date_gmt: '2023-02-01T20:00:00' }, '2023-02-01T10:00:00', '2023-02-01T09:00:00'],
  ])('%s', (_, dates, local, gmt) => {
    expect(resolveDates(dates, berlin)).toEqual({ local, gmt });
  });

  it('distinguishes "no own date" from "not given"', () => {
    expect(resolveDates({ date: null }, berlin)).toBeNull();
    expect(resolveDates({ date: '2023-02-01T10:00:00', date_gmt: null }, berlin)).toBeNull();
    expect(resolveDates({}, berlin)).toBeUndefined();
    expect(resolveDates({ date: '' }, berlin)).toBeUndefined();
  });
});

describe('file dates', () => {
  it.each([
    ['2026-03-05', '2026-03-05T00:00:00', '2026-03-04T23:00:00'],
    ['2026-03-05 10:00', '2026-03-05T10:00:00', '2026-03-05T09:00:00'],
    ['2026-03-05T10:00:05', '2026-03-05T10:00:05', '2026-03-05T09:00:05'],
    ['2026-03-05 10:00:00 +0200', '2026-03-05T09:00:00', '2026-03-05T08:00:00'],
    ['2026-03-05T10:00:00.123Z', '2026-03-05T11:00:00', '2026-03-05T10:00:00'],
    ['2023-10-29T02:30:00+02:00', '2023-10-29T02:30:00', '2023-10-29T00:30:00'],
    [' 2023-03-26T02:30:00 ', '2023-03-26T03:30:00', '2023-03-26T01:30:00'],
  ])('accept %s', (text, local, gmt) => {
    expect(parseFileDate(text, berlin)).toEqual({ local, gmt });
  });

  it.each(['2026-02-30', '2026-13-01', '2026-03-05 25:00', '2026-03-05 +0200', 'soon', '2026-3-5', '2026-03-05T10:00:00+25:00'])(
    'reject %s',
    (text) => {
      expect(parseFileDate(text, berlin)).toBeNull();
    },
  );

  it('are written with an offset only if the zone is ambiguous', () => {
    expect(printFileDate('2023-10-29T02:30:00', '2023-10-29T01:30:00', berlin)).toBe('2023-10-29T02:30:00');
    expect(printFileDate('2023-10-29T02:30:00', '2023-10-29T00:30:00', berlin)).toBe('2023-10-29T02:30:00+02:00');
  });

  it('round-trip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }),
        fc.constantFrom(berlin, 'Australia/Lord_Howe', 'UTC+5.75', 'America/St_Johns'),
        (second, zone) => {
          const moment = now(zone, second * 1000);
          expect(parseFileDate(printFileDate(moment.local, moment.gmt, zone), zone)).toEqual(moment);
        },
      ),
    );
  });
});

describe('formatDate', () => {
  it.each([
    ['F j, Y', 'March 5, 2026'],
    ['g:i a', '4:07 pm'],
    ['d D j l N S w z', '05 Thu 5 Thursday 4 th 4 63'],
    ['W o F m M n t L', '10 2026 March 03 Mar 3 31 0'],
    ['X x Y y', '2026 2026 2026 26'],
    ['a A B g G h H i s u v', 'pm PM 671 4 16 04 16 07 09 000000 000'],
    ['e I O P p T Z', 'Europe/Berlin 0 +0100 +01:00 +01:00 CET 3600'],
    ['c', '2026-03-05T16:07:09+01:00'],
    ['r', 'Thu, 05 Mar 2026 16:07:09 +0100'],
    ['U', '1772723229'],
    ['\\D\\a\\y: jS \\o\\f F', 'Day: 5th of March'],
    ['Y年n月j日 \\\\', '2026年3月5日 \\'],
  ])('%s', (format, text) => {
    expect(formatDate(format, '2026-03-05T16:07:09', berlin)).toBe(text);
  });

  it.each([
    ['2021-01-03T00:00:00', '53 2020'],
    ['2024-12-30T00:00:00', '01 2025'],
    ['2020-12-31T00:00:00', '53 2020'],
  ])('puts %s into the ISO week', (local, week) => {
    expect(formatDate('W o', local, berlin)).toBe(week);
  });

  it('knows summer time, ordinals and fixed zones', () => {
    expect(formatDate('I T P', '2026-07-01T00:00:00', berlin)).toBe('1 CEST +02:00');
    expect(
      [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 30]
        .map((day) => formatDate('jS', `2026-01-${String(day).padStart(2, '0')}T00:00:00`, 'UTC'))
        .join(),
    ).toBe('1st,2nd,3rd,4th,11th,12th,13th,21st,22nd,23rd,30th');
    expect(formatDate('T p e', '2026-01-01T00:00:00', 'UTC')).toBe('UTC Z UTC');
    expect(formatDate('T', '2026-01-01T00:00:00', 'America/Sao_Paulo')).toBe('-03');
    expect(formatDate('g a A', '2026-01-01T00:30:00', 'UTC')).toBe('12 am AM');
    expect(formatDate('L', '2024-01-01T00:00:00', 'UTC')).toBe('1');
  });
});
