import { createDatabase, parseDsn, sql } from '@kontor/database';
import { expect, test } from 'vitest';

test.each([
  [
    'postgres://kim:p%40ss@db.example:5433/shop',
    { host: 'db.example', port: 5433, user: 'kim', password: 'p@ss', database: 'shop' },
  ],
  ['postgresql://db/shop', { host: 'db', database: 'shop' }],
  ['postgres://[::1]:5432/shop', { host: '::1', port: 5432, database: 'shop' }],
  ['postgres:///shop?host=/run/postgresql', { host: '/run/postgresql', database: 'shop' }],
  [
    'postgres://kim@/shop?host=/run/postgresql&port=5434',
    { host: '/run/postgresql', port: 5434, user: 'kim', database: 'shop' },
  ],
  ['postgres://kim@localhost/shop?host=%2Ftmp%2Fa%20b', { host: '/tmp/a b', user: 'kim', database: 'shop' }],
  ['postgres://%2Frun%2Fpg/shop', { host: '/run/pg', database: 'shop' }],
  ['postgres://db/shop?sslmode=disable', { host: 'db', database: 'shop', ssl: false }],
  ['postgres://db/shop?sslmode=require', { host: 'db', database: 'shop', ssl: { rejectUnauthorized: false } }],
  ['postgres://db/shop?sslmode=verify-full', { host: 'db', database: 'shop', ssl: { rejectUnauthorized: true } }],
  [
    'postgres://db/shop?connect_timeout=3&application_name=x',
    { host: 'db', database: 'shop', application_name: 'x', connectTimeoutMs: 3000 },
  ],
  ["host=/run/pg dbname=shop user=kim password='it''s'", undefined],
  [
    String.raw`host=/run/pg dbname=shop password='it\'s here'`,
    { host: '/run/pg', database: 'shop', password: "it's here" },
  ],
])('GEN-3 %s', (dsn, expected) => {
  if (expected) expect(parseDsn(dsn)).toEqual(expected);
  else expect(() => parseDsn(dsn)).toThrow('Not a PostgreSQL address');
});

test.each([
  ['', 'Not a PostgreSQL address'],
  ['mysql://root@db/shop', 'Not a PostgreSQL address'],
  ['postgres://db:99999/shop', 'Not a PostgreSQL address'],
  ['postgres://db/shop?port=70000', 'port in the PostgreSQL address must be a whole number from 1 to 65535'],
  ['postgres://db/shop?sslmode=prefer', 'must be disable, require, verify-ca or verify-full, not prefer'],
  ['postgres://db/shop?colour=red', 'does not take "colour"'],
  ['postgres://kim:secret%zz@db/shop', '%25'],
])('GEN-3 refuses %j', (dsn, message) => {
  expect(() => parseDsn(dsn)).toThrow(message);
});

test.each([
  ['postgres://kim:x@a:1,b:2/shop', ['a:1', 'b:2']],
  ['postgres://a,b/shop?port=7', ['a:7', 'b:7']],
  ['postgres://[::1]:1,b/shop', ['::1:1', 'b:undefined']],
  ['postgres://localhost/shop?host=/run/a,/run/b&port=1,2', ['/run/a:1', '/run/b:2']],
  ['host=a,b dbname=shop target_session_attrs=any', ['a:undefined', 'b:undefined']],
])('OPS-5 several servers: %s', (dsn, expected) => {
  const { places, host, database } = parseDsn(dsn);
  expect([host, database, places?.count]).toEqual([expected[0]?.replace(/:[^:]*$/, ''), 'shop', expected.length]);
  const seen = expected.map(() => {
    const place = places?.now() ?? {};
    places?.leave(place);
    places?.leave(place);
    return `${place.host}:${place.port}`;
  });
  expect(seen).toEqual(expected);
});

test.each([
  ['postgres://a:1,b:2,c/shop?port=1,2', '3 hosts and 2 ports'],
  ['postgres://a:1,b:x/shop', 'Not a PostgreSQL address'],
  ['postgres://a/shop?target_session_attrs=best', 'any, read-write, primary, standby, not best'],
])('OPS-5 refuses %s', (dsn, message) => {
  expect(() => parseDsn(dsn)).toThrow(message);
});

test('GEN-3 no message repeats a password', () => {
  for (const dsn of ['postgres://kim:hunter2@db:x/shop', 'kim:hunter2', 'postgres://kim:hunter2@db/shop?hunter=2']) {
    expect(() => parseDsn(dsn)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }));
  }
});

test('GEN-3 a database that is not there is UNAVAILABLE with a reason', async () => {
  const absent = createDatabase({ dsn: 'postgres://kim@/shop?host=/nonexistent' });
  await expect(absent.query(sql`select 1`)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: /cannot be reached/,
  });
  await absent.close();
  const refused = createDatabase({ dsn: 'postgres://kim@127.0.0.1:1/shop' });
  await expect(refused.transaction(async () => {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: /cannot be reached/,
  });
  await refused.close();
});
