import { sql } from '@kontor/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['contacts'] });
  admin = await world.signedIn();
});
afterAll(() => world.close());

describe('CST-7 what a caller can send is bounded before the work', () => {
  it('a text to look for', async () => {
    const ask = (length: number) => admin.outcome('core.partner', 'search', [[['name', 'ilike', 'x'.repeat(length)]]]);
    expect(await ask(2_000)).toBe('OK');
    expect(await ask(3_000_000)).toBe('400 INVALID_ARGS');
  });

  it('depth of a body', async () => {
    const ask = (depth: number) =>
      admin.fetch('/api/rpc', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': admin.csrf },
        body: `{"model":"core.partner","method":"search","args":[${'['.repeat(depth)}"[\\"[["${']'.repeat(depth)}]}`,
      });
    expect((await ask(1_900_000)).status).toBe(400);
    expect((await Browser.errorOf(await ask(20_000))).message).toBe('The body is nested more than 100 deep.');
    expect((await Browser.errorOf(await ask(3))).code).toBe('INVALID_ARGS');
  });

  it('length and depth of rich text', async () => {
    const write = (comment: string) => admin.outcome('core.partner', 'create', [{ name: 'Rich', comment }]);
    expect(await write(`${'<b>'.repeat(150)}x${'</b>'.repeat(150)}`)).toBe('OK');
    expect(await write('<p>a'.repeat(5_000))).toBe('OK');
    expect(await write('<b>'.repeat(100_000))).toBe('422 VALIDATION_ERROR');
    expect(await write(`<p>${'x'.repeat(260_000)}</p>`)).toBe('422 VALIDATION_ERROR');
  });

  it('tiles of a board, made and asked for', async () => {
    const board = await admin.rpc<number>('sys.board', 'create', [{ name: 'Many' }]);
    const tiles = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ board_id: board, name: `T${at}`, model: 'core.partner' }));
    expect(await admin.outcome('sys.board.tile', 'create_many', [tiles(60)])).toBe('OK');
    expect(await admin.outcome('sys.board.tile', 'create_many', [tiles(1)])).toBe('422 VALIDATION_ERROR');
    const asked = Array.from({ length: 1_500 }, (_, at) => at + 1).join();
    const path = `/web/wc/workspace?model=sys.board&view_type=form&id=${board}&tiles=${asked}`;
    expect((await admin.get(path)).status).toBe(400);
  });

  it('steps that are kept for strangers', async () => {
    const stranger = world.browser();
    stranger.headers = { 'x-forwarded-for': '198.51.100.7' };
    const statuses: number[] = [];
    for (let at = 0; at < 62; at++) statuses.push((await stranger.json('/web/login/passkey/options', {})).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
    const [kept] = await world.kernel.database.query<{ count: number }>(sql`
      select count(*)::int4 as count from sys_sign_in_step where kind = 'passkey'`);
    expect(kept?.count).toBe(60);
  });
});
