import { ValidationError } from '@kontor/protocol';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Describe, isRetryable, type Sql, sql, translateDatabaseError } from '../index.ts';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await createTestDatabase();
  await fixture.database.execute(sql`
    create table partner (id int primary key, code varchar(3), email text constraint partner_email_unique unique,
      age int constraint partner_age_check check (age >= 0), share numeric(4,2), born date, name text not null default '');
    create unique index partner_lower on partner (lower(name)) where name <> '';
    create table invoice (id int primary key,
      partner_id int constraint invoice_partner_fk references partner on delete restrict,
      payer_id int constraint invoice_payer_fk references partner);
    insert into partner (id, email, name) values (1, 'a@example.com', 'Ann'), (2, 'b@example.com', 'Bo');
    insert into invoice values (1, 1, 2)`);
});
afterAll(() => fixture.drop());

const describe: Describe = (constraint, table, column) => {
  if (constraint === 'partner_email_unique') return { field: 'email', label: 'E-mail' };
  if (constraint === 'partner_age_check') return { field: 'age', label: 'Age', message: 'Age cannot be negative.' };
  if (constraint === 'invoice_partner_fk') return { field: 'partner_id', label: 'Customer' };
  if (table === 'partner' && column === 'name') return { field: 'name', label: 'Name' };
  return null;
};

async function failure(statement: Sql): Promise<unknown> {
  return fixture.database.execute(statement).then(
    () => expect.fail('The statement should have failed.'),
    (error: unknown) => error,
  );
}

test.each<[string, Sql, Record<string, string[]>]>([
  [
    'unique',
    sql`insert into partner (id, email) values (3, 'a@example.com')`,
    { email: ['E-mail must be unique; another record already has this value.'] },
  ],
  [
    'unique, unknown to the caller',
    sql`insert into partner (id) values (1)`,
    { id: ['Another record already has these values.'] },
  ],
  [
    'unique over an expression',
    sql`insert into partner (id, name) values (3, 'ANN')`,
    { _record: ['Another record already has these values.'] },
  ],
  [
    'reference to nothing',
    sql`insert into invoice values (2, 99, null)`,
    { partner_id: ['Customer refers to a record that does not exist (any more).'] },
  ],
  [
    'still referenced, restrict',
    sql`delete from partner where id = 1`,
    { id: ['This is still in use: other records refer to it as Customer.'] },
  ],
  [
    'still referenced',
    sql`delete from partner where id = 2`,
    { id: ['This is still in use: other records refer to it.'] },
  ],
  ['required', sql`insert into partner (id, name) values (3, null)`, { name: ['Name is required.'] }],
  ['check', sql`insert into partner (id, age) values (3, -1)`, { age: ['Age cannot be negative.'] }],
  [
    'too long',
    sql`insert into partner (id, code) values (3, 'long')`,
    { _record: ['A text is too long: at most 3 characters.'] },
  ],
  ['too large', sql`insert into partner (id, share) values (3, 100)`, { _record: ['A number is too large.'] }],
  ['integer too large', sql`select ${'99999999999'}::int4`, { _record: ['A number is too large.'] }],
  ['not a number', sql`select ${'x'}::int4`, { _record: ['A value has the wrong form.'] }],
  ['not a date', sql`select ${'yesterday-ish'}::date`, { _record: ['A date is not a valid date or time.'] }],
  ['no such day', sql`select ${'2026-02-30'}::date`, { _record: ['A date is outside the range of dates.'] }],
  ['null byte', sql`select ${'a\0b'}::text`, { _record: ['A text has a character that cannot be stored.'] }],
])('REC-12 %s', async (_, statement, fields) => {
  const error = await failure(statement);
  const translated = translateDatabaseError(error, describe);
  expect(translated).toBeInstanceOf(ValidationError);
  expect(translated).toMatchObject({ code: 'VALIDATION_ERROR', details: { fields }, cause: error });
  expect(JSON.stringify(translated)).not.toContain('example.com');
});

test.each([
  ['57014', /too long/],
  ['25006', /read-only/],
  ['53300', /no free connection/],
  ['57P01', /shutting down/],
  ['55P03', /Someone else/],
  ['53100', /no disk space/],
])('REC-12 %s is UNAVAILABLE', (code, message) => {
  const error = Object.assign(new Error('raw text'), { code, severity: 'ERROR' });
  expect(translateDatabaseError(error, describe)).toMatchObject({ code: 'UNAVAILABLE', message });
});

test('REC-12 what was retried in vain is UNAVAILABLE, and still known as retryable', () => {
  const error = Object.assign(new Error('raw text'), { code: '40P01', severity: 'ERROR' });
  const translated = translateDatabaseError(error, describe);
  expect(translated).toMatchObject({ code: 'UNAVAILABLE', message: /Others are changing/ });
  expect(isRetryable(translated)).toBe(true);
});

test('REC-12 anything else is not for callers', async () => {
  expect(translateDatabaseError(await failure(sql`select * from nowhere`), describe)).toBeNull();
  expect(translateDatabaseError(new Error('23505'), describe)).toBeNull();
  expect(translateDatabaseError(null, describe)).toBeNull();
});
