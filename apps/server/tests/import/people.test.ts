import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, RpcReply } from '../browser.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { batchOf, confirm, counts, postCsv, stage } from './upload-csv.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['contacts'] });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const partner = 'core.partner';
const people = { model: partner };
const partners = (domain: unknown[], fields: unknown[]) =>
  admin.rpc<Record<string, unknown>[]>(partner, 'search_read', [domain, fields], { order: 'id' });
const problemsOf = ({ error }: RpcReply) => error?.details.problems as readonly Record<string, unknown>[];
const fixes = (given: object, more: object = {}) => ({ fixes: JSON.stringify(given), ...more });
const changeSetOf = ({ headers }: RpcReply) => Number(headers.get('x-change-set'));
const check = (id: number, params: Record<string, string> = {}) => confirm(admin, id, params, { dry_run: true });

describe('people with their company in one file', () => {
  const csv =
    'Name,Company,E-mail\nAnn,Acme Ltd,ann@acme.test\nBob,Acme Ltd,bob@acme.test\nCid,Zett SA,cid@zett.test\n';

  it('IMP-27 a missing company is created as a company, the check knows it, and undo of the import removes it', async () => {
    const id = await stage(admin, csv, people);
    expect(problemsOf(await check(id))).toMatchObject([
      { column: 'Company', value: 'Acme Ltd', count: 2, kind: 'missing' },
      { column: 'Company', value: 'Zett SA', count: 1, kind: 'missing' },
    ]);
    const one = fixes({ Company: { 'Acme Ltd': { create: true } } });
    expect(problemsOf(await check(id, one))).toMatchObject([{ value: 'Zett SA' }]);
    const all = fixes({ Company: { '*': { create: true } } });
    expect((await check(id, all)).error).toBe(null);
    expect(await partners([['name', 'in', ['Acme Ltd', 'Zett SA', 'Ann']]], [])).toEqual([]);

    const done = await confirm(admin, id, all);
    expect(counts(done)).toBe('imported_3_updated_0_skipped_0');
    expect(
      await partners([['email', 'ilike', '.test']], ['name', 'parent_id.name', 'parent_id.is_company']),
    ).toMatchObject([
      { name: 'Ann', 'parent_id.name': 'Acme Ltd', 'parent_id.is_company': true },
      { name: 'Bob', 'parent_id.name': 'Acme Ltd' },
      { name: 'Cid', 'parent_id.name': 'Zett SA', 'parent_id.is_company': true },
    ]);
    await admin.rpc('sys.change.set', 'call', [changeSetOf(done), 'action_revert']);
    expect(await partners([['name', 'in', ['Acme Ltd', 'Zett SA', 'Ann', 'Bob', 'Cid']]], [])).toEqual([]);
  });

  it('IMP-27 of a person and a company with one name, the company is meant', async () => {
    const [company] = await admin.rpc<number[]>(partner, 'create_many', [
      [{ name: 'Winter', is_company: true }, { name: 'Winter' }],
    ]);
    const id = await stage(admin, 'Name,Company\nEve,Winter\n', people);
    expect(counts(await confirm(admin, id))).toBe('imported_1_updated_0_skipped_0');
    expect(await partners([['name', '=', 'Eve']], ['parent_id'])).toMatchObject([{ parent_id: company }]);
  });
});

describe('the letters of a file', () => {
  const bytes = (content: string, encoding: 'latin1' | 'utf16le') => Uint8Array.from(Buffer.from(content, encoding));

  it('IMP-28 Windows-1252 and UTF-16 are recognised, and the batch says which', async () => {
    const western = await stage(admin, bytes('Name;City\nJörg Müller;Köln\nZoë \x80;Nîmes\n', 'latin1'), people);
    const batch = await batchOf(admin, western);
    expect(batch).toMatchObject({
      encoding: 'Windows-1252',
      preview: [
        ['Jörg Müller', 'Köln'],
        ['Zoë €', 'Nîmes'],
      ],
    });
    const wide = await stage(admin, bytes('\ufeffName\tCity\nJörg\tKöln\n', 'utf16le'), people);
    expect(await batchOf(admin, wide)).toMatchObject({ encoding: 'UTF-16', preview: [['Jörg', 'Köln']] });
    const usual = await stage(admin, 'Name,City\nJörg,Köln\n', people);
    expect(await batchOf(admin, usual)).toMatchObject({ encoding: 'UTF-8', preview: [['Jörg', 'Köln']] });
  });

  it('IMP-28 what is neither is refused: a damaged UTF-8 file would be spoilt, and a program is no text', async () => {
    const refusal = async (content: Uint8Array<ArrayBuffer>) =>
      (await postCsv(admin, content, people, { headers: { accept: 'application/json' } })).text();
    const damaged = Buffer.concat([Buffer.from('Name\nZoë Ünal Çelik\n'), Buffer.from([0xff])]);
    expect(await refusal(Uint8Array.from(damaged))).toContain('not in UTF-8 (line 3)');
    expect(await refusal(Uint8Array.from([0x4e, 0x0a, 0xe4, 0x01, 0x02, 0x0a]))).toContain('not a text file');
  });
});

describe('countries', () => {
  it('IMP-29 are found by their name in any language, their codes, and not by what is no country', async () => {
    const names = ['Deutschland', 'ALLEMAGNE', 'ألمانيا', 'Saksa', 'Německo', 'DE', 'de', 'germany'];
    const rows = names.map((name, n) => `Land ${n},${name}`).join('\n');
    const id = await stage(admin, `Name,Country\n${rows}\nLast,Wakanda\n`, people);
    const answer = await check(id);
    expect(problemsOf(answer).map(({ value }) => value)).toEqual(['Wakanda']);
    const done = await confirm(admin, id, { skip_invalid: '1' });
    expect(counts(done)).toBe('imported_8_updated_0_skipped_1');
    const codes = await partners([['name', '=like', 'Land %']], ['country_id.code']);
    expect(new Set(codes.map((record) => record['country_id.code']))).toEqual(new Set(['DE']));
  });
});

describe('duplicates', () => {
  const ask = { duplicates: 'ask' };
  const csv = [
    'Name,E-mail,City',
    'Dora New,Dora@same.test,',
    'Emil,emil@same.test,Oslo',
    'Emil Again,emil@same.test,Bergen',
    'Fay,fay@same.test,Narvik',
  ].join('\n');
  beforeAll(async () => {
    await admin.rpc(partner, 'create', [{ name: 'Dora', email: 'dora@same.test', city: 'Tromsø' }]);
  });
  const same = () => partners([['email', 'ilike', '@same.test']], ['name', 'city']);

  it('IMP-31 are pointed out before the import, in the database and in the file, to those who ask', async () => {
    const id = await stage(admin, csv, people);
    expect(problemsOf(await check(id, ask))).toMatchObject([
      { column: 'E-mail', value: 'Dora@same.test', rows: [2], kind: 'duplicate', record: 'Dora' },
      { column: 'E-mail', value: 'emil@same.test', rows: [4], kind: 'duplicate', record: null },
    ]);
    expect((await confirm(admin, id, ask)).status).toBe(422);
    expect((await check(id)).error).toBe(null);
    expect((await confirm(admin, id, { duplicates: 'maybe' })).error?.code).toBe('VALIDATION_ERROR');
  });

  it.each([
    [
      'updated',
      { update: true },
      { first: true },
      'imported_2_updated_1_skipped_1',
      ['Dora New/Tromsø', 'Emil/Oslo', 'Fay/Narvik'],
    ],
    [
      'skipped',
      { skip: true },
      { first: true },
      'imported_2_updated_0_skipped_2',
      ['Dora/Tromsø', 'Emil/Oslo', 'Fay/Narvik'],
    ],
    [
      'imported anyway',
      { keep: true },
      { keep: true },
      'imported_4_updated_0_skipped_0',
      ['Dora/Tromsø', 'Dora New/', 'Emil/Oslo', 'Emil Again/Bergen', 'Fay/Narvik'],
    ],
  ])('IMP-31 are %s by choice, and undo brings back what was there', async (_, known, repeated, told, after) => {
    const before = await same();
    for (const choice of [{ 'Dora@same.test': known, 'emil@same.test': repeated }, { '*': known }]) {
      const id = await stage(admin, csv, people);
      const done = await confirm(admin, id, fixes({ 'E-mail': choice }, ask));
      expect(counts(done)).toBe(told);
      expect((await same()).map(({ name, city }) => `${name}/${city ?? ''}`)).toEqual(after);
      await admin.rpc('sys.change.set', 'call', [changeSetOf(done), 'action_revert']);
      expect(await same()).toEqual(before);
    }
  });
});

describe('addresses that are none', () => {
  const csv = 'Name,E-mail,City\nGus,gus(at)wrong.test,Oslo\nHal,hal@right.test,Bergen\nIda,ida wrong.test,Narvik\n';
  const wrong = () => partners([['name', 'in', ['Gus', 'Hal', 'Ida']]], ['name', 'email']);

  it('IMP-32 are pointed out before the import, each with its rows', async () => {
    const id = await stage(admin, csv, people);
    expect(problemsOf(await check(id))).toMatchObject([
      { column: 'E-mail', value: 'gus(at)wrong.test', rows: [2], kind: 'invalid' },
      { column: 'E-mail', value: 'ida wrong.test', rows: [4], kind: 'invalid' },
    ]);
  });

  it.each([
    ['skipped', { skip: true }, 'imported_1_updated_0_skipped_2', ['Hal hal@right.test']],
    ['imported without them', { keep: true }, 'imported_3_updated_0_skipped_0', ['Gus ', 'Hal hal@right.test', 'Ida ']],
  ])('IMP-32 the rows are %s by choice, one by one or all, and undo removes them', async (_, way, told, after) => {
    for (const choice of [{ 'gus(at)wrong.test': way, 'ida wrong.test': way }, { '!': way }]) {
      const id = await stage(admin, csv, people);
      const done = await confirm(admin, id, fixes({ 'E-mail': choice }));
      expect(counts(done)).toBe(told);
      expect((await wrong()).map(({ name, email }) => `${name} ${email ?? ''}`)).toEqual(after);
      await admin.rpc('sys.change.set', 'call', [changeSetOf(done), 'action_revert']);
      expect(await wrong()).toEqual([]);
    }
  });

  it('IMP-32 an update without it keeps the address that is there', async () => {
    await admin.rpc(partner, 'create', [{ name: 'Jo', email: 'jo@right.test', city: 'Oslo' }]);
    const [record] = await partners([['name', '=', 'Jo']], []);
    const id = await stage(admin, `id,E-mail,City\n${record?.id},jo at right,Bodø\n`, {
      ...people,
      import_mode: 'upsert',
    });
    await confirm(admin, id, fixes({ 'E-mail': { '!': { keep: true } } }));
    expect(await partners([['name', '=', 'Jo']], ['email', 'city'])).toMatchObject([
      { email: 'jo@right.test', city: 'Bodø' },
    ]);
  });
});
