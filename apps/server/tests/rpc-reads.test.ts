import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startShop } from './shop.ts';
import type { TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
let ids: number[];
let partner: number;
const order = 'shop.order';

beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
  partner = await admin.rpc('core.partner', 'create', [{ name: 'Berg & Co', email: 'info@berg.example' }]);
  ids = await admin.rpc(order, 'create_many', [
    [
      {
        name: 'A',
        partner_id: partner,
        date_order: '2026-01-15',
        line_ids: [['create', { name: 'x', qty: 2, price: '1.10' }]],
      },
      { name: 'B', state: 'sold', partner_id: partner, date_order: '2026-02-01', is_urgent: true },
      { name: 'C', active: false, rate: 0.5, margin: '12.30', note: 'archived' },
    ],
  ]);
});
afterAll(() => world.close());

describe('search', () => {
  it('RPC-5 gives every record by default, archived ones too, with their default fields', async () => {
    const rows = await admin.rpc<Record<string, unknown>[]>(order, 'search', []);
    expect(rows.map((row) => row.name)).toEqual(['A', 'B', 'C']);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(
      'active amount_total company_id count create_date create_uid date_order display_name extra id is_urgent margin name note page partner_id placed_at rate reference state user_id write_date write_uid'.split(
        ' ',
      ),
    );
    expect(rows[0]).toMatchObject({
      amount_total: 2.2,
      partner_id: partner,
      date_order: '2026-01-15',
      is_urgent: false,
    });
  });

  it('RPC-5 takes a domain, order, limit and offset', async () => {
    const names = async (domain: unknown[], kwargs = {}) =>
      (await admin.rpc<{ name: string }[]>(order, 'search', [domain], kwargs)).map(({ name }) => name);
    expect(await names([['state', '=', 'sold']])).toEqual(['B']);
    expect(await names(['|', ['name', '=', 'A'], ['active', '=', false]])).toEqual(['A', 'C']);
    expect(await names([['partner_id.email', 'ilike', 'berg']], { order: '-name' })).toEqual(['B', 'A']);
    expect(await names([['line_ids.qty', '>', 1]])).toEqual(['A']);
    expect(await names([], { limit: 1, offset: 1 })).toEqual(['B']);
    expect(await names([], { offset: 99 })).toEqual([]);
    expect(await names([['id', '=', 1e300]])).toEqual([]);
  });

  it.each([
    ['a domain that is no list', { name: 'A' }],
    ['a tree that nobody parsed', { kind: 'condition', path: ['name'], operator: '=', value: 'A' }],
    ['a condition of two', [['name', '=']]],
    ['an unknown operator', [['name', '~', 'A']]],
    ['an unknown field', [['nome', '=', 'A']]],
    ['an operator without operands', ['|', ['name', '=', 'A']]],
    ['a value of the wrong type', [['count', '>', 'many']]],
    ['a null byte', [['name', '=', 'a\0b']]],
    ['half a character', [['name', '=', 'a\ud800']]],
    ['a path through a field that is none', [['name.email', '=', 'x']]],
    ['depth past 64', [...Array<string>(80).fill('!'), ['name', '=', 'A']]],
  ])('RPC-5 refuses %s', async (_, domain) => {
    expect(await admin.outcome(order, 'search', [domain])).toBe('400 INVALID_ARGS');
  });
});

describe('search_read and read', () => {
  it('RPC-6 gives exactly the paths asked for', async () => {
    const fields = ['name', 'partner_id.display_name', { line_ids: ['name', 'subtotal'] }];
    expect(await admin.rpc(order, 'search_read', [[['name', 'in', ['A', 'C']]], fields])).toEqual([
      {
        id: ids[0],
        name: 'A',
        'partner_id.display_name': 'Berg & Co',
        line_ids: [{ id: expect.any(Number), name: 'x', subtotal: 2.2 }],
      },
      { id: ids[2], name: 'C', 'partner_id.display_name': null, line_ids: [] },
    ]);
    expect(await admin.rpc(order, 'search_read', [[], []], { limit: 1 })).toEqual([{ id: ids[0] }]);
  });

  it('RPC-6 REC-9 names an unknown field in a projection, an order or a domain', async () => {
    for (const [args, kwargs] of [
      [[[], ['nome']], {}],
      [[[], ['name']], { order: 'nome' }],
      [[[['nome', '=', 1]], ['name']], {}],
      [[[], ['partner_id.nome']], {}],
      [[[], [{ line_ids: ['nome'] }]], {}],
    ] as const) {
      const { status, error } = await admin.call({ model: order, method: 'search_read', args, kwargs });
      expect([status, error?.code, error?.message]).toEqual([400, 'INVALID_ARGS', expect.stringContaining('nome')]);
      expect(error?.details.method).toBe('search_read');
    }
  });

  it('RPC-7 gives records in the order of the ids, and names those that are missing', async () => {
    const reversed = [...ids].reverse();
    const rows = await admin.rpc<{ id: number }[]>(order, 'read', [reversed, ['name']]);
    expect(rows.map(({ id }) => id)).toEqual(reversed);
    expect(await admin.rpc(order, 'read', [[]])).toEqual([]);
    const { status, error } = await admin.call({ model: order, method: 'read', args: [[ids[0], 999_999]] });
    expect([status, error?.code, error?.details.missing_ids]).toEqual([404, 'NOT_FOUND', [999_999]]);
  });

  it.each([['a word'], [['1']], [[0]], [[-1]], [[1.5]], [[2 ** 53]], [[null]], [[[1]]], [7], [null]])(
    'RPC-7 refuses %j as ids',
    async (given) => {
      expect(await admin.outcome(order, 'read', [given])).toBe('400 INVALID_ARGS');
    },
  );

  it('RPC-7 a number that is greater than the id of any record is not found, by every way', async () => {
    const far = 9_999_999_999;
    for (const [method, args, kwargs] of [
      ...[['read', [[far]], {}] as const, ['read', [[ids[0], far], ['name']], {}] as const],
      ...[['write', [[far], { note: 'x' }], {}] as const, ['write_many', [[ids[0], far], { note: 'x' }], {}] as const],
      ...[['unlink', [[far]], {}] as const, ['call', [far, 'action_copy'], {}] as const],
      ...[['call', [0, 'action_archive', { active_ids: `${ids[0]},${far}` }], {}] as const],
      ...[
        ['write', [[far], { note: 'x' }], { base: { note: null } }] as const,
        ['onchange', [{}, []], { id: far }] as const,
      ],
    ]) {
      const { status, error } = await admin.call({ model: order, method, args, kwargs });
      expect([method, status, error?.code, error?.details.missing_ids]).toEqual([method, 404, 'NOT_FOUND', [far]]);
    }
    for (const path of ['wc/workspace?view_type=form&', 'export/csv?fields=name&', 'export/pdf?fields=name&']) {
      const response = await admin.get(`/web/${path}model=${order}&id=${far}`, { accept: 'application/json' });
      expect([path, response.status]).toEqual([path, 404]);
    }
    expect((await admin.get(`/web/export/csv?model=${order}&fields=name&ids=${ids[0]},${far}`)).status).toBe(404);
    expect((await admin.get(`/web/wc/workspace?model=${order}&offset=${far}`)).status).toBe(200);
  });

  it('RPC-7 takes 10,000 ids and no more', async () => {
    expect(await admin.outcome(order, 'read', [Array.from({ length: 10_001 }, (_, at) => at + 1)])).toBe(
      '400 INVALID_ARGS',
    );
    expect(await admin.outcome(order, 'read', [Array.from({ length: 10_000 }, (_, at) => at + 1)])).toBe(
      '404 NOT_FOUND',
    );
  });
});

describe('limits', () => {
  beforeAll(async () => {
    const rows = Array.from({ length: 510 }, (_, at) => ({ name: `tag ${String(at).padStart(4, '0')}` }));
    await admin.rpc('shop.tag', 'create_many', [rows]);
  });

  it('RPC-15 default and cap are 500, 0 gives nothing, offset skips', async () => {
    const count = async (kwargs: object) => (await admin.rpc<unknown[]>('shop.tag', 'search', [[]], kwargs)).length;
    expect(await count({})).toBe(500);
    expect(await count({ limit: 501 })).toBe(500);
    expect(await count({ limit: 9e15 })).toBe(500);
    expect(await count({ limit: 3 })).toBe(3);
    expect(await count({ limit: 0 })).toBe(0);
    expect(await count({ offset: 500 })).toBe(10);
    expect(await count({ offset: 2 ** 53 - 1 })).toBe(0);
    const [first] = await admin.rpc<{ name: string }[]>('shop.tag', 'search_read', [[], ['name']], {
      offset: 5,
      limit: 1,
      order: 'name',
    });
    expect(first?.name).toBe('tag 0005');
  });

  it.each([-1, 1.5, '5', true, [], {}, 1e300])('RPC-15 a limit or an offset of %j is INVALID_ARGS', async (given) => {
    for (const method of ['search', 'search_read']) {
      expect(await admin.outcome('shop.tag', method, [[]], { limit: given })).toBe('400 INVALID_ARGS');
      expect(await admin.outcome('shop.tag', method, [[]], { offset: given })).toBe('400 INVALID_ARGS');
    }
  });
});

describe('read_group', () => {
  it('RPC-8 gives keys, measures, counts and the domain of each group', async () => {
    const spec = {
      domain: [['active', 'in', [true, false]]],
      groupby: ['state'],
      fields: [{ name: 'total', field: 'amount_total', measure: 'sum' }],
      order: 'state',
    };
    const rows = await admin.rpc<{ __domain: unknown[]; __count: number }[]>(order, 'read_group', [spec]);
    expect(rows).toEqual([
      { state: 'draft', total: 2.2, __count: 2, __domain: expect.any(Array) },
      { state: 'sold', total: 0, __count: 1, __domain: expect.any(Array) },
    ]);
    for (const row of rows)
      expect(await admin.rpc<unknown[]>(order, 'search', [row.__domain])).toHaveLength(row.__count);
  });

  it('RPC-8 groups by dates, by relations with their name, and without keys', async () => {
    const byMonth = await admin.rpc(order, 'read_group', [
      { domain: [['date_order', '!=', null]], groupby: ['date_order:month'], fields: [] },
    ]);
    expect(byMonth).toMatchObject([{ 'date_order:month': '2026-01' }, { 'date_order:month': '2026-02' }]);
    const byPartner = await admin.rpc(order, 'read_group', [{ domain: [], groupby: ['partner_id'], fields: [] }]);
    expect(byPartner).toContainEqual(
      expect.objectContaining({ partner_id: partner, 'partner_id.display_name': 'Berg & Co', __count: 2 }),
    );
    const totals = await admin.rpc(order, 'read_group', [
      { domain: [], groupby: [], fields: [{ name: 'n', field: 'id', measure: 'count' }] },
    ]);
    expect(totals).toMatchObject([{ n: 3, __count: 3 }]);
  });

  it.each([
    [undefined],
    [[]],
    [{ groupby: 'state', extra: 1 }],
    [{ groupby: ['nome'] }],
    [{ groupby: ['state:month'] }],
    [{ groupby: ['date_order:minute'] }],
    [{ groupby: [7] }],
    [{ fields: [{ name: 'x', field: 'amount_total', measure: 'median' }] }],
    [{ fields: [{ name: 'x', field: 'nome', measure: 'sum' }] }],
    [{ fields: [{ name: 'x', field: 'name', measure: 'sum' }] }],
    [{ fields: ['amount_total'] }],
    [{ domain: { kind: 'all' }, groupby: ['state'] }],
    [{ groupby: ['state'], limit: -1 }],
    [{ groupby: ['state'], order: 'nome' }],
  ])('RPC-8 refuses the spec %j', async (spec) => {
    expect(await admin.outcome(order, 'read_group', [spec])).toBe('400 INVALID_ARGS');
  });

  it('RPC-16 counts only what the caller may see, and closes what they may not', async () => {
    const seller = await world.user('Restricted Rita', ['shop.group_restricted']);
    await admin.rpc(order, 'create', [{ name: 'R', user_id: seller.id }]);
    const count = async (browser: Browser) =>
      (await browser.rpc<{ __count: number }[]>(order, 'read_group', [{ domain: [], groupby: [], fields: [] }]))[0]
        ?.__count;
    expect(await count(seller.browser)).toBe(1);
    expect(await count(admin)).toBe(4);
    const portal = await world.user('Portal Pia', ['base.group_portal']);
    expect(await portal.browser.outcome(order, 'read_group', [{ domain: [], groupby: [], fields: [] }])).toBe(
      '403 ACCESS_DENIED',
    );
    const measure = { name: 'm', field: 'margin', measure: 'sum' };
    for (const spec of [{ fields: [measure] }, { groupby: ['margin'] }, { domain: [['margin', '>', 0]] }]) {
      expect(
        await seller.browser.outcome(order, 'read_group', [{ domain: [], groupby: [], fields: [], ...spec }]),
      ).toBe('403 ACCESS_DENIED');
    }
  });
});

describe('what a call may cost', () => {
  it('CST-1 CST-3 a refusal names the budget and its limit', async () => {
    const path = 'user_id.partner_id.parent_id.parent_id.parent_id.parent_id.name';
    const domain = Array.from({ length: 120 }, (_, n) => [path, '!=', `x${n}`]);
    const { status, error } = await admin.call({ model: order, method: 'search', args: [domain] });
    expect([status, error?.code, error?.details]).toEqual([
      400,
      'INVALID_ARGS',
      expect.objectContaining({ method: 'search', budget: 'relations', limit: 120, hint: expect.any(String) }),
    ]);
    const spec = { domain: [], groupby: ['name'], fields: [], limit: 10_001 };
    const groups = await admin.call({ model: order, method: 'read_group', args: [spec] });
    expect([groups.status, groups.error?.details]).toEqual([
      400,
      expect.objectContaining({ budget: 'groups', limit: 10_000 }),
    ]);
  });

  it('CST-6 a large answer comes in pieces, whole and with every character in one', async () => {
    const note = 'é😀x'.repeat(200_000);
    const id = await admin.rpc<number>(order, 'create', [{ name: 'long', note }]);
    const response = await admin.json('/api/rpc', { model: order, method: 'read', args: [[id], ['note']] });
    expect([response.headers.get('transfer-encoding'), response.headers.get('content-length')]).toEqual([
      'chunked',
      null,
    ]);
    expect(await response.json()).toEqual({ ok: true, result: [{ id, note }], error: null });
  });

  it('RPC-28 is compressed when asked, from a packet on, small and large, and the same once unpacked', async () => {
    const large = await admin.rpc<number>(order, 'create', [{ name: 'packed', note: 'é😀x'.repeat(100_000) }]);
    const small = await admin.rpc<number>(order, 'create', [{ name: 'packed small', note: 'ä'.repeat(2_000) }]);
    const read = (id: number) => JSON.stringify({ model: order, method: 'read', args: [[id], ['note']] });
    for (const id of [small, large]) {
      const plain = await raw('/api/rpc', undefined, read(id));
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
      const packings = [
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0.5, gzip;q=0.4, zstd', 'br', brotliDecompressSync],
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
      ] as const;
      for (const [asked, expected, unpack] of packings) {
        const { headers, body } = await raw('/api/rpc', asked, read(id));
        expect([asked, headers['content-encoding'], headers.vary]).toEqual([asked, expected, 'accept-encoding']);
        expect(body.length).toBeLessThan(plain.body.length / 10);
        expect(unpack(body).equals(plain.body)).toBe(true);
      }
      for (const asked of ['identity', 'br;q=0, gzip;q=0', 'zstd', '']) {
        const { headers, body } = await raw('/api/rpc', asked, read(id));
        expect([asked, headers['content-encoding'], body.equals(plain.body)]).toEqual([asked, undefined, true]);
      }
    }
    const tiny = await raw(
      '/api/rpc',
      'gzip',
      JSON.stringify({ model: order, method: 'read', args: [[small], ['name']] }),
    );
    expect(tiny.headers['content-encoding']).toBeUndefined();
  });

  it('RPC-28 so are exports and metrics, and never what carries a token', async () => {
    const csv = `/web/export/csv?model=${order}&fields=name,note`;
    const [plain, packed] = [await raw(csv), await raw(csv, 'gzip')];
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual(['gzip', 'accept-encoding']);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect((await raw('/metrics', 'br')).headers['content-encoding']).toBe('br');
    const workspace = `/web/wc/workspace?model=${order}&view_type=list`;
    for (const path of ['/web/home', workspace, `/web?model=${order}&view_type=list`]) {
      const { headers, body } = await raw(path, 'gzip, br');
      expect([path, headers['content-encoding'], body.length > 1_400]).toEqual([path, undefined, true]);
    }
  });
});

interface RawAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** As it comes over the wire; `fetch` would unpack it and not tell. */
function raw(path: string, encoding?: string, body?: string): Promise<RawAnswer> {
  const headers = {
    cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-csrf-token': admin.csrf,
    ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(`${world.url}${path}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
