import { ident, join, sql } from '@kontor/database';
import { Decimal, type Env } from '@kontor/orm';
import {
  addDays,
  fromLocal,
  type GroupSpec,
  isoWeeks,
  startOfWeek,
  type WeekRule,
  weekOf,
  weekStartOf,
} from '@kontor/protocol';
import { expectQueries } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bucketLabel, bucketStart, firstInstant } from '../../reading/group/granularity.ts';
import { createShop, type Shop } from './shop.ts';

let shop: Shop;
let user: Env;
let partners: number[];
let tags: number[];
let countries: number[];

beforeAll(async () => {
  shop = await createShop();
  user = shop.user({ tz: 'Europe/Vienna' });
  countries = await shop.insert('t.country', [{ name: 'Austria' }, { name: 'Chile' }]);
  partners = await shop.insert('t.partner', [
    { name: 'Zoe', country_id: countries[0], salary: '1' },
    { name: 'Abe', country_id: countries[1], hidden: false },
    { name: 'Mia', country_id: countries[0], hidden: true },
    { name: 'Nil' },
  ]);
  tags = await shop.insert('t.tag', [{ name: 'b' }, { name: 'a' }, { name: 'h', hidden: true }]);
  const [zoe, abe, mia, nil] = partners;
  const orders = await shop.insert('t.order', [
    {
      name: 'A',
      partner_id: zoe,
      state: 'draft',
      total: '0.10',
      qty: 1,
      paid: true,
      day: '2026-01-01',
      at: '2025-12-31T23:30:00Z',
      weight: 0.5,
    },
    {
      name: 'A',
      partner_id: zoe,
      state: 'draft',
      total: '0.20',
      qty: 2,
      paid: false,
      day: '2026-12-31',
      at: '2026-10-24T22:30:00Z',
      weight: 0.25,
    },
    {
      name: '',
      partner_id: abe,
      state: 'sale',
      total: '123456789012345.6789',
      qty: 3,
      day: '2025-12-29',
      at: '2026-10-25T00:30:00Z',
    },
    { partner_id: mia, state: 'sale', total: '1', qty: 4, paid: false, day: '2026-04-01', at: '2026-10-25T01:30:00Z' },
    { name: '$uid', total: '2', qty: 5, at: '2026-10-25T02:30:00Z' },
    { name: 'B%_', partner_id: nil, state: 'done', day: '2026-02-28', at: '2026-03-29T01:00:00Z' },
  ]);
  await shop.link('t.order', 'tag_ids', [
    [orders[0], tags[0]],
    [orders[0], tags[1]],
    [orders[1], tags[1]],
    [orders[2], tags[2]],
  ] as [number, number][]);
});
afterAll(() => shop.drop());

const group = (spec: Partial<GroupSpec>, env: Env = user) =>
  env.model('t.order').readGroup({ domain: [], groupby: [], fields: [], ...spec });

describe('groups', () => {
  it('RPC-8 no groupby is one row of exact totals', async () => {
    const fields = [
      { name: 'sum', field: 'total', measure: 'sum' },
      { name: 'average', field: 'qty', measure: 'avg' },
      { name: 'least', field: 'total', measure: 'min' },
      { name: 'last', field: 'at', measure: 'max' },
      { name: 'named', field: 'name', measure: 'count' },
      { name: 'customers', field: 'partner_id', measure: 'count_distinct' },
      { name: 'heavy', field: 'weight', measure: 'sum' },
      { name: 'lines', field: 'line_count', measure: 'sum' },
      { name: 'pieces', field: 'qty', measure: 'sum' },
      { name: 'firstDay', field: 'day', measure: 'min' },
    ] as const;
    expect(await group({ fields })).toEqual([
      {
        sum: new Decimal('123456789012348.9789'),
        average: new Decimal('3'),
        least: new Decimal('0.1'),
        last: '2026-10-25T02:30:00.000Z',
        named: 4,
        customers: 4,
        heavy: 0.75,
        lines: 0,
        pieces: 15,
        firstDay: '2025-12-29',
        __count: 6,
        __domain: [],
      },
    ]);
    const [none] = await group({ domain: [['id', '=', 0]], fields });
    expect(none).toMatchObject({ sum: new Decimal(0), average: null, least: null, pieces: 0, __count: 0 });
  });

  it('RPC-8 selections in the order of their choices, empty values last', async () => {
    const rows = await group({ groupby: ['state'], fields: [{ name: 'total', field: 'total', measure: 'sum' }] });
    expect(rows).toEqual([
      { state: 'draft', total: new Decimal('0.3'), __count: 2, __domain: [['state', '=', 'draft']] },
      { state: 'sale', total: new Decimal('123456789012346.6789'), __count: 2, __domain: [['state', '=', 'sale']] },
      { state: 'done', total: new Decimal(0), __count: 1, __domain: [['state', '=', 'done']] },
      { state: null, total: new Decimal('2'), __count: 1, __domain: [['state', '=', null]] },
    ]);
  });

  it('RPC-8 related records come in the order of their model, hidden and empty ones last', async () => {
    const orders = await user.model('t.order').search([], { limit: 2 });
    const [last = 0, first = 0] = orders;
    await shop.insert('t.line', [{ order_id: first }, { order_id: last }, {}]);
    const lines = (order?: string) =>
      user.model('t.line').readGroup({ domain: [], groupby: ['order_id'], fields: [], ...(order ? { order } : {}) });
    expect((await lines()).map((row) => row.order_id)).toEqual([last, first, null]);
    expect((await lines('-order_id')).map((row) => row.order_id)).toEqual([null, first, last]);
    const [zoe, abe, mia] = partners;
    const visits = await shop.insert('t.visit', [{ partner_id: abe }, { partner_id: zoe }, { partner_id: mia }]);
    await shop.insert('t.visit', [
      ...visits.map((id) => ({ partner_id: zoe, after_id: id })),
      { partner_id: zoe, after_id: visits[1] },
    ]);
    // By the salary, which this person may not read, highest first, and none highest; the partner of the third is hidden.
    const by = { domain: [['after_id', '!=', null]] as const, groupby: ['after_id'], fields: [], subtotals: [[]] };
    const groups = await user.model('t.visit').readGroup({ ...by, domain: [...by.domain] });
    expect(groups.map((row) => [row.after_id, row.__count])).toEqual([
      [undefined, 4],
      [visits[0], 1],
      [visits[2], 1],
      [visits[1], 2],
    ]);
  });

  it('RPC-8 many2ones carry their name, hidden ones only their id', async () => {
    const rows = await group({ groupby: ['partner_id'] });
    expect(rows.map((row) => [row.partner_id, row['partner_id.display_name'], row.__count])).toEqual([
      [partners[1], 'Abe', 1],
      [partners[3], 'Nil', 1],
      [partners[0], 'Zoe', 2],
      [partners[2], null, 1],
      [null, null, 1],
    ]);
    const without = await group(
      { groupby: ['partner_id'], order: 'partner_id.display_name' },
      shop.user({}, ['t.partner']),
    );
    expect(without.every((row) => row['partner_id.display_name'] === null)).toBe(true);
  });

  it('RPC-8 each many2many value that may be seen is a group', async () => {
    const rows = await group({ groupby: ['tag_ids'] });
    expect(rows.map((row) => [row['tag_ids.display_name'], row.__count])).toEqual([
      ['a', 2],
      ['b', 1],
      [null, 4],
    ]);
    expect(rows[0]?.tag_ids).toBe(tags[1]);
  });

  it('RPC-8 calendar buckets of dates', async () => {
    const labels = async (entry: string) => (await group({ groupby: [entry] })).map((row) => row[entry]);
    expect(await labels('day:year')).toEqual(['2025', '2026', null]);
    expect(await labels('day:quarter')).toEqual(['2025-Q4', '2026-Q1', '2026-Q2', '2026-Q4', null]);
    expect(await labels('day:month')).toEqual(['2025-12', '2026-01', '2026-02', '2026-04', '2026-12', null]);
    expect(await labels('day:week')).toEqual(['2026-W01', '2026-W09', '2026-W14', '2026-W53', null]);
    expect(await labels('day:day')).toContain('2026-02-28');
    expect(await labels('day')).toContain('2026-02-28');
    const [week] = await group({ groupby: ['day:week'] });
    expect(week?.__domain).toEqual([
      ['day', '>=', '2025-12-29'],
      ['day', '<', '2026-01-05'],
    ]);
  });

  long(
    'FIG-23 weeks begin and are numbered as the company of the reader does it, in groups and in tokens',
    async () => {
      const american = shop.user({ companyId: 1, weeks: new Map([[1, { start: 7, firstDays: 1 }]]) });
      const rows = await group({ groupby: ['day:week'] }, american);
      expect(rows.map((row) => row['day:week'])).toEqual(['2026-W01', '2026-W09', '2026-W14', '2027-W01', null]);
      expect(rows[0]?.__domain).toEqual([
        ['day', '>=', '2025-12-28'],
        ['day', '<', '2026-01-04'],
      ]);
      // Every day of some years: the same numbers as in the browser, and each week is the one that its domain says.
      const days = Array.from({ length: 3_000 }, (_, at) => addDays('2020-01-01', at));
      for (const weeks of [
        isoWeeks,
        { start: 7, firstDays: 1 },
        { start: 6, firstDays: 1 },
        { start: 7, firstDays: 4 },
      ] as WeekRule[]) {
        const at = bucketStart(sql`d::timestamp`, 'week', weeks);
        const found = await shop.database.query<{ label: string; start: string }>(sql`
        select ${bucketLabel(at, 'week', weeks)} as label, (${at})::date::text as start from unnest(${days}::date[]) d`);
        expect(found).toEqual(days.map((day) => ({ label: weekOf(day, weeks), start: weekStartOf(day, weeks.start) })));
        for (const { label, start } of found)
          expect(startOfWeek(label.slice(0, 4), Number(label.slice(6)), weeks)).toBe(start);
      }
    },
  );

  it("RPC-8 instants fall into buckets of the user's time zone, over a change of clocks too", async () => {
    const months = await group({ groupby: ['at:month'] });
    expect(months.map((row) => row['at:month'])).toEqual(['2026-01', '2026-03', '2026-10']);
    expect(months[0]?.__domain).toEqual([
      ['at', '>=', '2025-12-31T23:00:00.000Z'],
      ['at', '<', '2026-01-31T23:00:00.000Z'],
    ]);
    const hours = await group({ groupby: ['at:hour'], domain: [['at', '>', '2026-10-24T00:00:00Z']] });
    expect(hours.map((row) => [row['at:hour'], row.__count])).toEqual([
      ['2026-10-25T00', 1],
      ['2026-10-25T02', 2],
      ['2026-10-25T03', 1],
    ]);
    expect(hours[1]?.__domain.slice(1)).toEqual([
      ['at', '>=', '2026-10-25T00:00:00.000Z'],
      ['at', '<', '2026-10-25T02:00:00.000Z'],
    ]);
    const asUtc = await group({ groupby: ['at:year'] }, shop.user({ tz: 'Nowhere/None' }));
    expect(asUtc.map((row) => row['at:year'])).toEqual(['2025', '2026']);
  });

  it('TIM-1 the database has the instants of local times that the clock has', async () => {
    const nights = [
      ...[['Europe/Vienna', '2026-10-25'] as const, ['Europe/Vienna', '2026-03-29'] as const],
      ...[['America/Havana', '2026-11-01'] as const, ['Australia/Lord_Howe', '2026-04-05'] as const],
    ];
    const cases = nights.flatMap(([tz, day]) =>
      ['00:00', '01:30', '02:00', '02:30'].map((time) => ({ tz, day, time })),
    );
    const instants = cases.map(({ tz, day, time }) => firstInstant(sql`${`${day} ${time}`}::timestamp`, tz));
    const columns = instants.map((at, index) => sql`extract(epoch from ${at})::int8::text as ${ident(`at${index}`)}`);
    const [found] = await shop.database.query(sql`select ${join(columns)}`);
    const expected = cases.map(({ tz, day, time }) => String(fromLocal(Date.parse(`${day}T${time}Z`), tz) / 1000));
    expect(Object.values(found ?? {})).toEqual(expected);
  });

  it('RPC-8 every __domain finds exactly the records behind its row', async () => {
    const single = [
      'state',
      'name',
      'qty',
      'weight',
      'total',
      'paid',
      'day',
      'at',
      'partner_id',
      'tag_ids',
      'partner_name',
      'country_id',
      'line_count',
      'display_name',
      'partner_id.name',
      'partner_id.country_id',
      'partner_id.country_id.name',
      'partner_id.hidden',
      ...['day', 'week', 'month', 'quarter', 'year'].flatMap((granularity) => [
        `day:${granularity}`,
        `at:${granularity}`,
      ]),
      'at:hour',
    ];
    const several = [
      ['state', 'at:month'],
      ['partner_id', 'tag_ids'],
      ['paid', 'partner_id.country_id', 'day:quarter'],
      [],
    ];
    for (const groupby of [...single.map((entry) => [entry]), ...several]) {
      for (const domain of [[], ['|', ['qty', '>', 1], ['paid', '=', true]] as never]) {
        const rows = await group({ groupby, domain });
        for (const row of rows) {
          const behind = await user.model('t.order').count(row.__domain);
          expect({ groupby, row, behind }).toMatchObject({ behind: row.__count });
        }
        const hasTags = groupby.includes('tag_ids');
        if (!hasTags)
          expect(rows.reduce((sum, row) => sum + row.__count, 0)).toBe(await user.model('t.order').count(domain));
      }
    }
  });

  it('RPC-8 several groupbys, order by any key, limit and offset', async () => {
    const fields = [{ name: 'pieces', field: 'qty', measure: 'sum' }] as const;
    const spec = { groupby: ['state', 'paid'], fields } as const;
    const rows = await group({ ...spec, order: '-pieces' });
    expect(rows.map((row) => row.pieces)).toEqual([7, 5, 2, 1, 0]);
    expect(await group({ ...spec, order: '-pieces', limit: 2, offset: 1 })).toEqual(rows.slice(1, 3));
    expect(await group({ ...spec, limit: 0 })).toEqual([]);
    expect((await group({ groupby: ['partner_id'], order: '-__count, -partner_id.display_name' }))[0]?.partner_id).toBe(
      partners[0],
    );
    expect((await group({ groupby: ['at:month'], order: '-at:month' }))[0]?.['at:month']).toBe('2026-10');
  });

  it('RPC-8 is one statement', async () => {
    await expectQueries(shop.database, 1, () =>
      group({ groupby: ['partner_id', 'tag_ids', 'at:week'], fields: [{ name: 'n', field: 'total', measure: 'avg' }] }),
    );
  });
});

describe('refusals', () => {
  it('RPC-8 what makes no sense is INVALID_ARGS', async () => {
    const measure = (field: string, kind: string) => ({ fields: [{ name: 'x', field, measure: kind }] as never });
    const bad: readonly Partial<GroupSpec>[] = [
      { groupby: ['nope'] },
      { groupby: ['line_ids'] },
      { groupby: ['file'] },
      { groupby: ['summary'] },
      { groupby: ['day:hour'] },
      { groupby: ['name:month'] },
      { groupby: ['day:decade'] },
      { groupby: ['day:constructor'] },
      { groupby: 'state' as never },
      { groupby: ['state', 'state'] },
      { groupby: ['line_ids.product'] },
      measure('name', 'sum'),
      measure('name', 'avg'),
      measure('paid', 'min'),
      measure('total', 'median'),
      measure('line_ids', 'count'),
      measure('chained', 'count'),
      measure('nope', 'sum'),
      { fields: [{ name: '__count', field: 'qty', measure: 'sum' }] },
      { fields: [{ name: '__proto__', field: 'qty', measure: 'sum' }] },
      { fields: [null] as never },
      { groupby: ['state'], fields: [{ name: 'state', field: 'qty', measure: 'sum' }] },
      { groupby: ['partner_id'], fields: [{ name: 'partner_id.display_name', field: 'qty', measure: 'sum' }] },
      { order: 'nope' },
      { limit: -1 },
      { offset: 1.5 },
      { domain: 'x' as never },
      { lmit: 1 } as never,
    ];
    for (const spec of bad)
      await expect(group(spec), JSON.stringify(spec)).rejects.toMatchObject({ code: 'INVALID_ARGS' });
    await expect(user.model('t.order').readGroup(null as never)).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  });

  it('RPC-16 access, rules and field groups apply', async () => {
    const denied = { code: 'ACCESS_DENIED' };
    const sum = { fields: [{ name: 'x', field: 'partner_id.salary', measure: 'sum' }] } as const;
    await expect(group({ groupby: ['partner_id.salary'] })).rejects.toMatchObject({
      ...denied,
      details: { layer: 'field' },
    });
    await expect(group(sum)).rejects.toMatchObject({ ...denied, details: { layer: 'field' } });
    await expect(group({}, shop.user({}, ['t.order']))).rejects.toMatchObject({
      ...denied,
      details: { layer: 'model' },
    });
    await expect(group({ groupby: ['partner_id.name'] }, shop.user({}, ['t.partner']))).rejects.toMatchObject(denied);
    const partnerGroups = await user.model('t.partner').readGroup({ domain: [], groupby: ['country_id'], fields: [] });
    expect(partnerGroups.map((row) => row.__count)).toEqual([1, 1, 1]);
  });
});
