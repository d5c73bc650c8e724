import { connect } from 'node:net';
import { sql } from '@kontor/database';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { deskAddons } from './desk-addons.ts';
import { testAddons } from './shop.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let admin: Browser;
let clerk: Browser;
let seller: Browser;
let agent: Browser;
let ids: readonly number[];
let tickets: readonly number[];
let tags: readonly number[];

const nasty = [
  '=1+1',
  '+49 30',
  '-5',
  '@home',
  '\tindented',
  "'=quoted",
  'a,b',
  'say "x"',
  'two\r\nlines',
  'Ωμέγα 文字',
];

beforeAll(async () => {
  server = await startTestServer({ modules: ['shop', 'desk'], addonsPath: [testAddons, deskAddons] });
  admin = await server.signedIn();
  clerk = (await server.user('Clara Clerk', ['shop.group_clerk'])).browser;
  seller = (await server.user('Sam Seller', ['shop.group_restricted'])).browser;
  const smith = await server.user('Agent Smith', ['desk.group_agent']);
  agent = smith.browser;
  await server.work(async (env) => {
    const [partner] = await env.model('core.partner').createMany([{ name: 'Ærø, "Ltd"' }]);
    tags = await env.model('shop.tag').createMany([{ name: 'Red' }, { name: 'Blue, dark' }]);
    ids = await env.model('shop.order').createMany([
      {
        name: 'S1',
        partner_id: partner,
        date_order: '2026-11-14',
        placed_at: '2026-11-14T09:30:00.500Z',
        rate: 0.1,
        count: -7,
        is_urgent: true,
        extra: { a: [1, 'x,y'] },
        margin: '12.50',
        tag_ids: [['set', tags]],
        line_ids: [['create', { name: 'Screw', qty: 3, price: '0.10' }]],
      },
      { name: 'S2', note: 'plain' },
      { name: 'S3', active: false },
    ]);
    await env.model('shop.order').createMany(nasty.map((note, at) => ({ name: `N${at}`, note })));
    tickets = await env.model('desk.ticket').createMany([
      { name: 'One', hours: '0.10', kind: 'bug', user_id: smith.id },
      { name: 'Two', is_private: true },
      { name: 'Three', kind: 'idea' },
      { name: 'Four', active: false },
    ]);
  });
});
afterAll(() => server.close());

const get = (query: string, browser = clerk, headers = {}) => browser.get(`/web/export/csv?${query}`, headers);
const rowsOf = async (query: string, browser = clerk): Promise<string[][]> => {
  const response = await get(query, browser);
  expect(response.status).toBe(200);
  return parse(await response.text(), { bom: true });
};
const outcome = async (query: string, browser = clerk) => {
  const response = await get(query, browser);
  return `${response.status} ${(await Browser.errorOf(response)).code}`;
};

/** An export of which only the beginning was read, and what comes when the rest is. */
async function beginDownload(query: string): Promise<{ rest(): Promise<string> }> {
  const response = await get(query);
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  const first = await reader.read();
  if (first.value) parts.push(first.value);
  return {
    async rest() {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return Buffer.concat(parts).toString();
        parts.push(value);
      }
    },
  };
}

describe('What a CSV export is', () => {
  it('EXP-1 UTF-8 with a byte order mark, lines that end with CR LF, technical names, to be kept as a file', async () => {
    const response = await get('model=shop.order&fields=name,note&sort=name&domain=[["name","=","S2"]]');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Order \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''Order%20\d{4}-\d\d-\d\d\.csv$/,
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.subarray(3).toString()).toBe('name,note\r\nS2,plain\r\n');
  });

  it('EXP-3 values are those of RPC: exact, ISO, ids of relations; what is empty is empty', async () => {
    const fields = 'id,date_order,placed_at,rate,count,is_urgent,extra,amount_total,state,partner_id.display_name,note';
    const [header, row] = await rowsOf(`model=shop.order&id=${ids[0]}&fields=${fields}`);
    expect(header?.join()).toBe(fields);
    expect(row).toEqual([
      String(ids[0]),
      '2026-11-14',
      '2026-11-14T09:30:00.500Z',
      '0.1',
      '-7',
      'true',
      '{"a": [1, "x,y"]}',
      '0.3',
      'draft',
      'Ærø, "Ltd"',
      '',
    ]);
    const [, other] = await rowsOf(`model=shop.order&id=${ids[1]}&fields=is_urgent,partner_id,partner_id.active,rate`);
    expect(other).toEqual(['false', '', '', '']);
  });

  it('EXP-3 lists are ids, or what is asked of them, with commas and in quotes where they hold some', async () => {
    const fields = 'name,tag_ids,tag_ids.display_name,line_ids.qty,rate,amount_total,extra,count';
    const [, row] = await rowsOf(`model=shop.order&id=${ids[0]}&fields=${fields}`);
    expect(row?.[1]).toBe([...tags].sort().join());
    expect(row?.slice(2)).toEqual(['Red,"Blue, dark"', '3', '0.1', '0.3', '{"a":[1,"x,y"]}', '-7']);
    const [, computed] = await rowsOf(`model=desk.ticket&id=${tickets[0]}&fields=double_hours`, agent);
    expect(computed).toEqual(['0.2']);
  });

  it.each(['name,note', 'name,note,tag_ids'])('EXP-4 guards and quotes texts, with the fields %s', async (fields) => {
    const query = `model=shop.order&fields=${fields}&domain=[["name","=like","N%25"]]&sort=name`;
    const text = await (await get(query)).text();
    const rows: string[][] = parse(text, { bom: true, from: 2 });
    expect(rows.map(([, note]) => note)).toEqual(
      nasty.map((note) => (/^'*[=+\-@\t\r]/.test(note) ? `'${note}` : note)),
    );
    expect(text).toContain('"say ""x"""');
    expect(text).not.toMatch(/N1,\+/);
  });

  it('EXP-2 every row, however many, from one picture of the data', async () => {
    await server.kernel.database.execute(sql`insert into shop_order (name, state, user_id, active, is_urgent)
      select 'M' || n, 'draft', 1, true, false from generate_series(1, 6000) n`);
    const query = 'model=shop.order&fields=name,partner_id.display_name&domain=[["name","=like","M%25"]]&sort=-id';
    const rows = await rowsOf(query);
    expect(rows).toHaveLength(6001);
    expect(new Set(rows.map(([name]) => name)).size).toBe(6001);
    expect(rows[1]?.[0]).toBe('M6000');
    expect(await rowsOf(`${query}&limit=80`)).toHaveLength(6001);
  });

  it.each([
    ['straight from the rows', 'name,note'],
    ['with lists', 'name,note,tag_ids'],
  ])('EXP-2 what changes while it is on its way is not in it (%s)', async (_, fields) => {
    const { database } = server.kernel;
    await database.execute(sql`delete from shop_order where name like 'P%'`);
    await database.execute(sql`insert into shop_order (name, state, user_id, active, is_urgent, note)
      select 'P' || n, 'draft', 1, true, false, repeat('was', 20000) from generate_series(1, 500) n`);
    await database.execute(sql`insert into shop_order_tag_ids_rel (shop_order_id, shop_tag_id)
      select id, ${tags[0]} from shop_order where name like 'P%'`);
    const download = await beginDownload(`model=shop.order&fields=${fields}&domain=[["name","=like","P%25"]]&sort=id`);
    // The other side has read no more than the beginning; most of it is not yet fetched.
    await database.execute(sql`update shop_order set note = 'is' where name like 'P%'`);
    await database.execute(sql`delete from shop_order_tag_ids_rel where shop_tag_id = ${tags[0]}`);
    await database.execute(sql`delete from shop_order where name like 'P%' and id % 2 = 0`);
    await database.execute(sql`insert into shop_order (name, state, user_id, active, is_urgent, note)
      select 'P' || n, 'draft', 1, true, false, 'new' from generate_series(501, 600) n`);
    // Nothing in it is in quotes, and reading thirty megabytes a character at a time takes seconds.
    const rows = (await download.rest())
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','));
    expect(rows.map(([name]) => name)).toEqual(Array.from({ length: 500 }, (_, at) => `P${at + 1}`));
    expect(rows.filter(([, note]) => note !== 'was'.repeat(20_000))).toEqual([]);
    if (fields.includes('tag_ids')) expect(new Set(rows.map((row) => row[2]))).toEqual(new Set([String(tags[0])]));
    const now = await database.query(sql`select 1 as found from shop_order where name like 'P%'`);
    expect(now).toHaveLength(350);
  });
});

describe('Which rows an export has', () => {
  const names = async (query: string, browser = agent) =>
    (await rowsOf(`model=desk.ticket&fields=name&${query}`, browser)).slice(1).flat();

  it('EXP-6 those of the action, and of what a list shows', async () => {
    expect(await names('')).toEqual(['One', 'Three']);
    expect(await names('action=desk.my_tickets')).toEqual(['One']);
    expect(await names('action=desk.tickets&sort=-name')).toEqual(['Three', 'One']);
    expect(await names('action=desk.tickets&filter=ideas&group_by=nothing')).toEqual(['Three']);
    expect(await names('action=desk.tickets&filter=closed')).toEqual(['Four']);
    expect(await names('action=desk.tickets&q=defect')).toEqual(['One']);
    expect(await names('action=desk.tickets&domain=[["hours",">",0]]')).toEqual(['One']);
    expect(await names(`ids=${tickets[3]},${tickets[0]}&filter=ideas`)).toEqual(['One', 'Four']);
  });

  it('EXP-5 none that a rule hides', async () => {
    expect(await names('', admin)).toEqual(['One', 'Two', 'Three']);
    expect(await names('')).not.toContain('Two');
    expect(await rowsOf('model=shop.order&fields=name', seller)).toEqual([['name']]);
  });

  it('EXP-7 one record, missing or hidden as everywhere', async () => {
    expect(await names(`id=${tickets[2]}&action=desk.my_tickets`)).toEqual(['Three']);
    expect(await outcome(`model=desk.ticket&fields=name&id=${tickets[1]}`, agent)).toBe('403 ACCESS_DENIED');
    expect(await outcome('model=desk.ticket&fields=name&id=999999', agent)).toBe('404 NOT_FOUND');
    expect(await outcome(`model=desk.ticket&fields=name&ids=${tickets[0]},999999`, agent)).toBe('404 NOT_FOUND');
  });
});

describe('What an export refuses', () => {
  it.each([
    ['fields=name', '400 INVALID_ARGS'],
    ['model=shop.order', '400 INVALID_ARGS'],
    ['model=shop.order&fields=', '400 INVALID_ARGS'],
    ['model=shop.ordr&fields=name', '400 INVALID_ARGS'],
    ['model=shop.order&fields=nothing', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name.x', '400 INVALID_ARGS'],
    ['model=shop.order&fields=partner_id.nothing', '400 INVALID_ARGS'],
    ['model=shop.order&fields=line_ids.order_id.name', '400 INVALID_ARGS'],
    ['model=shop.order&fields=file', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name&id=x', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name&ids=1,x', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name&domain={', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name&sort=nothing', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name&action=desk.tickets', '400 INVALID_ARGS'],
    ['model=shop.order&fields=name&action=desk.nothing', '404 NOT_FOUND'],
    ['model=shop.order&fields=margin', '403 ACCESS_DENIED'],
    ['model=shop.order&fields=name&domain=[["margin",">",0]]', '403 ACCESS_DENIED'],
    ['model=sys.rule&fields=name', '403 ACCESS_DENIED'],
    ['model=core.user&fields=password', '403 ACCESS_DENIED'],
  ])('EXP-8 %s: %s', async (query, expected) => {
    expect(await outcome(query)).toBe(expected);
    expect(await outcome(`${query}&dry_run=1`)).toBe(expected);
  });

  it('EXP-5 what one group may not read, another may', async () => {
    const [, row] = await rowsOf(`model=shop.order&fields=margin&id=${ids[0]}`, admin);
    expect(row).toEqual(['12.5']);
  });

  it('EXP-8 people who are not signed in are sent to sign in, programs are told, a link that fails is a page', async () => {
    const path = '/web/export/csv?model=shop.order&fields=name';
    const away = await server.browser().get(path);
    expect(away.status).toBe(302);
    expect(away.headers.get('location')).toBe(`/web/login?next=${encodeURIComponent(path)}`);
    expect((await server.browser().get(path, { accept: 'application/json' })).status).toBe(401);
    const page = await get('model=shop.order&fields=nothing', clerk, { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });

  it('EXP-8 a paper size, which only PDF has, changes nothing, whatever it says', async () => {
    const query = 'model=shop.order&fields=name';
    const whole = await (await get(query)).text();
    for (const size of ['legal', 'a5', '']) {
      const response = await get(`${query}&page_size=${size}`);
      expect([size, response.status, await response.text()]).toEqual([size, 200, whole]);
    }
  });

  it('EXP-8 a dry run tells the name of the file and reads nothing', async () => {
    const response = await get('model=shop.order&fields=name&dry_run=1');
    expect(await response.json()).toMatchObject({
      ok: true,
      result: { name: expect.stringMatching(/^Order .*\.csv$/) },
    });
  });

  it.each(['dry_run', 'readable', 'edit'])('RTE-12 %s is yes or no, and nothing else', async (flag) => {
    const asked = `model=shop.order&fields=name&id=${ids[0]}&${flag}=`;
    expect(await outcome(`${asked}yes`)).toBe('400 INVALID_ARGS');
    for (const value of ['', '0', 'false', '1', 'true']) expect((await get(asked + value)).status).toBe(200);
  });
});

describe('Exports that do not come to their end', () => {
  const slow = `model=shop.order&fields=note&domain=${encodeURIComponent('[["name","=like","B%"]]')}`;

  beforeAll(() =>
    server.kernel.database.execute(sql`insert into shop_order (name, state, user_id, active, is_urgent, note)
      select 'B' || n, 'draft', 1, true, false, repeat(md5(n::text), 2000) from generate_series(1, 500) n`),
  );

  const open = async (): Promise<ReturnType<typeof connect>> => {
    const socket = connect(server.port, '127.0.0.1');
    const cookie = [...clerk.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    socket.write(`GET /web/export/csv?${slow} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\n\r\n`);
    await new Promise<void>((resolve) => socket.once('readable', () => resolve()));
    socket.pause();
    return socket;
  };
  const reading = async () => {
    const [row] = await server.kernel.database.query<{ count: number }>(sql`select count(*)::int4 as count
      from pg_stat_activity where datname = current_database() and query ilike 'fetch%' and state <> 'idle'`);
    return row?.count;
  };

  it('EXP-9 whoever goes away ends the query, and the connection is free again', async () => {
    const socket = await open();
    await expect.poll(reading).toBe(1);
    socket.destroy();
    await expect.poll(reading, { timeout: 120_000 }).toBe(0);
    await expect.poll(() => server.kernel.database.counts().waiting).toBe(0);
  });

  it('EXP-9 one that breaks in the middle does not look whole', async () => {
    const socket = await open();
    await expect.poll(reading).toBe(1);
    await server.kernel.database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'fetch%' and pid <> pg_backend_pid()`);
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part as Buffer));
    socket.resume();
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const got = Buffer.concat(parts);
    expect(got.length).toBeLessThan(30_000_000);
    // The end of a chunked answer is an empty chunk.
    expect(got.subarray(-5).toString()).not.toBe('0\r\n\r\n');
    expect(server.log.some((line) => line.includes('an export broke off'))).toBe(true);
  });
});

describe('What comes back in', () => {
  it('EXP-3, EXP-4 an import takes an export as it is and changes nothing', async () => {
    const fields = 'id,name,note,partner_id,tag_ids,date_order,placed_at,rate,count,is_urgent,extra,state';
    const query = `model=shop.order&fields=${fields}&ids=${ids[0]},${ids[1]}`;
    const text = await (await get(query)).text();
    const named = await clerk.rpc<{ id: number }[]>('shop.order', 'search_read', [[['name', '=like', 'N%']], ['note']]);
    const notes = await (await get(`model=shop.order&fields=id,note&ids=${named.map(({ id }) => id).join()}`)).text();
    for (const file of [text, notes]) {
      const form = new FormData();
      form.set('csrf_token', clerk.csrf);
      form.set('model', 'shop.order');
      form.set('import_mode', 'upsert');
      form.set('file', new Blob([file], { type: 'text/csv' }), 'orders.csv');
      const headers = { accept: 'application/json' };
      const staged = await clerk.fetch('/web/bulk/upload', { method: 'POST', body: form, headers });
      const { result } = (await staged.json()) as { result: { id: number } };
      await clerk.rpc('sys.bulk.import', 'call', [result.id, 'action_confirm_import', {}]);
      const [batch] = await clerk.rpc<object[]>('sys.bulk.import', 'read', [
        [result.id],
        ['state', 'imported', 'skipped'],
      ]);
      expect(batch).toMatchObject({ state: 'done', imported: 0, skipped: 0 });
    }
    expect(await (await get(query)).text()).toBe(text);
    expect(await clerk.rpc('shop.order', 'search_read', [[['name', '=like', 'N%']], ['note']])).toEqual(named);
  });
});

describe('The template of an import', () => {
  it('EXP-10 is the header row alone', async () => {
    const response = await clerk.get('/web/bulk/template?model=shop.order&fields=name,partner_id,tag_ids');
    expect(response.headers.get('content-disposition')).toContain('attachment; filename="Order.csv"');
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('\ufeffname,partner_id,tag_ids\r\n');
  });

  it.each([
    ['model=shop.order', 400],
    ['fields=name', 400],
    ['model=nothing&fields=name', 400],
    ['model=shop.order&fields=nothing', 400],
    ['model=shop.order&fields=margin', 403],
    ['model=sys.rule&fields=name', 403],
  ])('EXP-10 refuses %s with %d', async (query, status) => {
    const response = await clerk.get(`/web/bulk/template?${query}`);
    expect(response.status).toBe(status);
    expect(await Browser.errorOf(response)).toBeTruthy();
  });
});
