/** Addresses of engines in PostgreSQL. */
import { expect, it } from 'vitest';
import { LocationError, readLocation } from '../../../src/engines/postgres/location.ts';

it('is read with its parts, and shown without user and password', () => {
  const { name, schema, pool } = readLocation('postgres://ada:s%40cret@db.example.com:6543/content?schema=blog&connections=4');
  expect(pool).toMatchObject({
    host: 'db.example.com',
    port: 6543,
    database: 'content',
    user: 'ada',
    password: 's@cret',
    max: 4,
  });
  expect(schema).toBe('blog');
  expect(name).toBe('postgres://db.example.com:6543/content#blog');
});

it('has a server on another machine prove who it is', () => {
  expect(readLocation('postgres://db.example.com/content').pool.ssl).toMatchObject({ rejectUnauthorized: true });
  expect(readLocation('postgres://db.example.com/content?sslmode=verify-full').pool.ssl).toMatchObject({
    rejectUnauthorized: true,
  });
  expect(readLocation('postgres://db.example.com/content?sslmode=disable').pool.ssl).toBe(false);
  for (const near of ['localhost', '127.0.0.1', '[::1]']) expect(readLocation(`postgres://${near}/content`).pool.ssl).toBe(false);
  expect(readLocation('postgres:///content?host=/var/run/postgresql').pool).toMatchObject({
    host: '/var/run/postgresql',
    ssl: false,
  });
});

it.each([
  ['postgres://db/content?sslmode=require', /verify-full/],
  ['postgres://db/content?sslmode=no-verify', /verify-full/],
  ['postgres://db/content?schema=a"b', /schema/],
  ['postgres://db/content?schema=public;drop', /schema/],
  ['postgres://db/content?sslrootcert=/nowhere', /sslrootcert/],
  ['postgres://db/content?notifications=maybe', /notifications/],
  ['postgres://db/content?connections=0', /connections/],
  ['postgres://db/content?options=-c', /unknown parameter "options"/],
  ['mysql://ada:secret@db/content', /postgres:/],
])('refuses %s', (address, why) => {
  expect(() => readLocation(address)).toThrow(LocationError);
  expect(() => readLocation(address)).toThrow(why);
  expect(() => readLocation(address)).not.toThrow(/secret/);
});
