import { sql, syncSchema } from '@kontor/database';
import { assembleRegistry, DefinitionError, defineModel, type Env, fields, tableSpecs } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../computing/trade.ts';

const book = defineModel('lib.book', {
  fields: {
    name: fields.char({ required: true }),
    copies: fields.integer({ required: true, default: 2 }),
    reservation_ids: fields.one2many('lib.reservation', 'book_id'),
  },
});
const loan = defineModel('lib.loan', {
  label: 'Loan',
  fields: {
    book_id: fields.many2one('lib.book', { label: 'Book', required: true, ondelete: 'cascade' }),
    reader: fields.char(),
    returned: fields.boolean(),
  },
  uniques: {
    lent_once: { fields: ['book_id'], where: [['returned', '=', false]], message: 'This book is lent already.' },
    one_each: { fields: ['book_id', 'reader'], message: 'One loan a reader.' },
  },
});
const reservation = defineModel('lib.reservation', {
  fields: {
    book_id: fields.many2one('lib.book', { required: true, ondelete: 'cascade' }),
    active: fields.boolean({ default: true }),
  },
  constraints: {
    enough_copies: {
      on: ['book_id', 'active'],
      reads: ['book_id.copies', 'book_id.reservation_ids.active'],
      serialize: ['book_id'],
      holds: ({ book_id: of }) => {
        const { copies, reservation_ids: all } = of as { copies: number; reservation_ids: { active: boolean }[] };
        return all.filter(({ active }) => active).length <= copies;
      },
      message: 'No copy is left.',
    },
  },
});
const shelf = defineModel('lib.shelf', { fields: { name: fields.char() } });
const place = defineModel('lib.place', {
  fields: { shelf_id: fields.many2one('lib.shelf', { required: true }) },
  constraints: {
    never_alone: { on: ['shelf_id'], serialize: ['shelf_id'], holds: () => true, message: '' },
  },
});

let library: TestWorld;
beforeAll(async () => {
  library = await createTestEnv([book, loan, reservation, shelf, place]);
});
afterAll(() => library.drop());

const newBook = (copies = 2) => library.transact((env) => env.model('lib.book').create({ name: 'Moby-Dick', copies }));
const lend = (env: Env, values: object) => env.model('lib.loan').create({ returned: false, ...values });

/** Whether some statement of this database waits for a lock before the work is done. */
async function waitsBeforeItEnds(work: Promise<unknown>): Promise<boolean> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`;
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) if ((await library.database.query(waiting)).length > 0) return true;
  return false;
}
/** The second begins while the first is not committed, and is done or waits when the first commits. */
async function atOnce(
  first: (env: Env) => Promise<unknown>,
  second: (env: Env) => Promise<unknown>,
): Promise<{ readonly hasWaited: boolean; readonly outcome: unknown }> {
  let later: Promise<unknown> | undefined;
  let hasWaited = false;
  await library.transact(async (env) => {
    await first(env);
    later = library.transact(second).catch((error: unknown) => error);
    hasWaited = await waitsBeforeItEnds(later);
  });
  return { hasWaited, outcome: await later };
}
/** How many of several writers at once come through. */
async function passed(writers: number, work: (env: Env) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: writers }, () => library.transact(work)));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

describe('uniques of some rows', () => {
  it('CMP-13 hold for the rows they are about, with their message', async () => {
    const id = await newBook();
    const first = await library.transact((env) => lend(env, { book_id: id, reader: 'Ada' }));
    expect(await refusal(library.transact((env) => lend(env, { book_id: id, reader: 'Bo' })))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { book_id: ['This book is lent already.'] } },
    });
    await library.transact((env) => env.model('lib.loan').write([first], { returned: true }));
    await library.transact((env) => lend(env, { book_id: id, reader: 'Bo' }));
    const again = await refusal(library.transact((env) => lend(env, { book_id: id, reader: 'Ada', returned: true })));
    expect(again).toMatchObject({ details: { fields: { book_id: ['One loan a reader.'] } } });
  });

  it('CMP-13 hold under parallel writers', async () => {
    const id = await newBook();
    expect(await passed(8, (env) => lend(env, { book_id: id, reader: String(Math.random()) }))).toBe(1);
  });

  it('CMP-13 are made once: a second sync changes nothing', async () => {
    const report = await library.database.transaction((tx) => syncSchema(tx, tableSpecs(library.registry)));
    expect(JSON.stringify(report)).not.toContain('lent_once');
  });

  it.each([
    [[['book_id.name', '=', 'x']], '"book_id.name" is no stored field of the model itself.'],
    [[['nothing', '=', 1]], '"nothing" is no stored field of the model itself.'],
    [[['reader', 'ilike', 'x']], '"ilike" cannot be asked of an index.'],
    [[['book_id', '=', '$uid']], '$uid is not the same for everybody.'],
    [[['returned', '=', 'x']], 'Must be true or false.'],
    [[['reader', 'in', 'x']], '"reader" has no set "x": "in" needs an array or a set of the field.'],
  ])('CMP-13 a where %j is refused when models are assembled', (where, message) => {
    const other = defineModel('lib.other', {
      fields: { book_id: fields.many2one('lib.book'), reader: fields.char(), returned: fields.boolean() },
      uniques: { u: { fields: ['book_id'], where: where as never } },
    });
    const assemble = () => assembleRegistry([{ module: 'lib', definitions: [book, reservation, other] }]);
    expect(assemble).toThrow(DefinitionError);
    expect(assemble).toThrow(`unique "u" has a "where" that does not fit: ${message}`);
  });

  it('CMP-13 a where means what a domain means', () => {
    const model = defineModel('lib.odd', {
      fields: { a: fields.char(), n: fields.integer(), day: fields.date() },
      uniques: {
        u: {
          fields: ['a'],
          where: [
            '|',
            ['a', '!=', null],
            '!',
            ['n', 'in', [1, null]],
            ['day', '>=', '2026-01-01'],
            ['a', 'not in', ["o'k"]],
          ],
        },
      },
    });
    const registry = assembleRegistry([{ module: 'lib', definitions: [model] }]);
    const [table] = tableSpecs(registry);
    expect(table?.indexes.find(({ unique }) => unique)?.where).toBe(
      `(((("a" is null or "a" = '') is not true) or (("n" in (1) or "n" is null) is not true)) and ("day" >= '2026-01-01') and (("a" in ('o''k')) is not true))`,
    );
  });
});

describe('constraints that serialize', () => {
  const reserve = (id: number) => (env: Env) => env.model('lib.reservation').create({ book_id: id });

  it('CMP-13 a second writer waits for the first and sees what it wrote', async () => {
    const id = await newBook(1);
    const { outcome } = await atOnce(reserve(id), reserve(id));
    expect(outcome).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { book_id: ['No copy is left.'] } },
    });
    expect(await library.env.model('lib.reservation').count([['book_id', '=', id]])).toBe(1);
  });

  it('CMP-13 hold under parallel writers', async () => {
    const id = await newBook(3);
    expect(await passed(8, reserve(id))).toBe(3);
  });

  it('CMP-13 records of others do not wait', async () => {
    const [one, other] = [await newBook(1), await newBook(1)];
    expect(await atOnce(reserve(one), reserve(other))).toEqual({ hasWaited: false, outcome: expect.any(Number) });
  });

  it('CMP-13 who leaves a record waits there as well', async () => {
    const shelves = await library.transact((env) => env.model('lib.shelf').createMany([{ name: 'a' }, { name: 'b' }]));
    const [a, b] = shelves as [number, number];
    const id = await library.transact((env) => env.model('lib.place').create({ shelf_id: a }));
    const { hasWaited } = await atOnce(
      (env) => env.model('lib.place').write([id], { shelf_id: b }),
      (env) => env.model('lib.place').create({ shelf_id: a }),
    );
    expect(hasWaited).toBe(true);
  });

  it('CMP-13 must name own many2ones', () => {
    const wrong = defineModel('lib.wrong', {
      fields: { name: fields.char() },
      constraints: { c: { on: ['name'], serialize: ['name', 'nam'], holds: () => true, message: '' } },
    });
    expect(() => assembleRegistry([{ module: 'lib', definitions: [wrong] }])).toThrow(
      'constraint "c" serializes on "name", which is no stored many2one of its own.',
    );
    expect(() => assembleRegistry([{ module: 'lib', definitions: [wrong] }])).toThrow(
      'constraint "c" serializes on "nam": there is no such field. Did you mean "name"?',
    );
  });
});
