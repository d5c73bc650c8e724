import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { long } from '@kontor/testing/long';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createServer } from '../create-server.ts';
import { createLog } from '../logging/create-log.ts';
import { Browser, type Envelope } from './browser.ts';
import { databaseSnapshot } from './database-snapshot.ts';
import { deskAddons } from './desk-addons.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const extra = mkdtempSync(join(tmpdir(), 'kontor-addons-'));
let server: TestServer;
let second: FastifyInstance;
let admin: Browser;
/** The same session, at the other process. */
let elsewhere: Browser;

beforeAll(async () => {
  server = await startTestServer({ modules: ['desk'], addonsPath: [deskAddons, extra] });
  const logger = createLog({ logLevel: 'silent', logFile: '' }, { lines: { write: () => {} } });
  second = await createServer(await server.another(), logger);
  await second.listen({ host: '127.0.0.1', port: 0 });
  admin = await server.signedIn();
  elsewhere = new Browser(`http://127.0.0.1:${(second.server.address() as AddressInfo).port}`);
  for (const [name, value] of admin.cookies) elsewhere.cookies.set(name, value);
  elsewhere.csrf = admin.csrf;
});
afterAll(async () => {
  second.server.closeAllConnections();
  await second.close();
  await server.close();
  rmSync(extra, { recursive: true, force: true });
});

const act = async (values: Record<string, unknown>, browser = admin) => {
  const response = await browser.json('/web/module/action', values);
  const { ok, result, error } = (await response.json()) as Envelope;
  return { status: response.status, ok, result, code: error?.code, message: error?.message };
};
const columnsAt = async (browser: Browser) => {
  const response = await browser.get('/web/wc/workspace?action=desk.tickets');
  const { arch } = (await response.json()) as { arch: { list: { columns: { name: string }[] } } };
  return arch.list.columns.map(({ name }) => name);
};
const menusAt = async (browser: Browser) => {
  const response = await browser.get('/web?action=desk.tickets', { accept: 'application/json' });
  const { result } = (await response.json()) as { result: { sidebarMenus: { items: { name: string }[] }[] } };
  return result.sidebarMenus.flatMap(({ items }) => items.map(({ name }) => name));
};
/** A second on a machine of its own; one that is busy with other tests gets what it needs. */
const within = { timeout: 120_000, interval: 20 };

describe('changes of modules', () => {
  it('MOD-10 an install and an uninstall are served by this and the other process within a second', async () => {
    expect(await columnsAt(admin)).not.toContain('severity');
    expect(await columnsAt(elsewhere)).not.toContain('severity');
    expect(await act({ do: 'install', module: 'desk_extra' })).toMatchObject({
      status: 200,
      result: { module: 'desk_extra', state: 'installed' },
    });
    expect(await columnsAt(admin)).toContain('severity');
    expect(await menusAt(admin)).toContain('Severe');
    await vi.waitFor(async () => expect(await columnsAt(elsewhere)).toContain('severity'), within);
    expect(await menusAt(elsewhere)).toContain('Severe');
    const id = await elsewhere.rpc<number>('desk.ticket', 'create', [{ name: 'Bad', severity: 'high' }]);
    expect((await elsewhere.get('/web/wc/workspace?action=desk_extra.severe')).status).toBe(200);

    expect(await act({ do: 'uninstall', module: 'desk_extra' }, elsewhere)).toMatchObject({
      result: { module: 'desk_extra', state: 'uninstalled' },
    });
    expect(await columnsAt(elsewhere)).not.toContain('severity');
    const read = () => admin.outcome('desk.ticket', 'read', [[id], ['severity']]);
    await vi.waitFor(async () => expect(await read()).toBe('400 INVALID_ARGS'), within);
    expect(await columnsAt(admin)).not.toContain('severity');
    expect(await menusAt(admin)).not.toContain('Severe');
    expect((await admin.get('/web/wc/workspace?action=desk_extra.severe')).status).toBe(404);
    await act({ do: 'install', module: 'desk_extra' });
    expect(await admin.rpc('desk.ticket', 'read', [[id], ['severity']])).toEqual([{ id, severity: 'high' }]);
    await act({ do: 'uninstall', module: 'desk_extra' });
  });

  it('MOD-11 installing and uninstalling a module that extends another’s views ends where it began, twice', async () => {
    const { database } = server.kernel;
    await act({ do: 'install', module: 'desk_extra' });
    const installed = await databaseSnapshot(database);
    await act({ do: 'uninstall', module: 'desk_extra' });
    const without = await databaseSnapshot(database);
    expect(without).not.toEqual(installed);
    await act({ do: 'install', module: 'desk_extra' });
    expect(await databaseSnapshot(database)).toEqual(installed);
    await act({ do: 'uninstall', module: 'desk_extra' });
    expect(await databaseSnapshot(database)).toEqual(without);
  });

  it('ADM-8 what depends on a module is named and leaves with it, or nothing does', async () => {
    await act({ do: 'install', module: 'desk_extra' });
    const whole = { do: 'uninstall', module: 'desk', with_dependents: '1' };
    expect(await act({ ...whole, dry_run: '1' })).toMatchObject({
      result: {
        dependents: ['desk_extra'],
        things: expect.arrayContaining([expect.objectContaining({ model: 'desk.ticket', label: 'Ticket' })]),
      },
    });
    expect(await columnsAt(admin)).toContain('severity');
    expect(await act({ ...whole, module: 'base' })).toMatchObject({ status: 422, code: 'USER_ERROR' });
    expect(await act(whole)).toMatchObject({ result: { module: 'desk', state: 'uninstalled' } });
    await act({ do: 'install', module: 'desk' });
    expect(await columnsAt(admin)).not.toContain('severity');
  });

  it('MOD-12 RTE-12 an uninstall tells first what would go, and is refused while others depend on the module', async () => {
    await act({ do: 'install', module: 'desk_extra' });
    expect(await act({ do: 'uninstall', module: 'desk_extra', dry_run: '1' })).toMatchObject({
      result: {
        dry_run: true,
        module: 'desk_extra',
        columns: [{ table: 'desk_ticket', column: 'severity' }],
        records: expect.arrayContaining([{ model: 'sys.view', count: 2 }]),
      },
    });
    expect(await act({ do: 'uninstall', module: 'desk_extra', dry_run: 'yes' })).toMatchObject({
      ...{ status: 400, code: 'INVALID_ARGS', message: 'dry_run must be 1 or 0.' },
    });
    expect(await columnsAt(admin)).toContain('severity');
    const refused = await act({ do: 'uninstall', module: 'desk' });
    expect(refused).toMatchObject({ status: 422, code: 'USER_ERROR' });
    expect(refused.message).toContain('desk_extra');
    expect(await act({ do: 'uninstall', module: 'base' })).toMatchObject({ status: 422, code: 'USER_ERROR' });
    await act({ do: 'uninstall', module: 'desk_extra' });
    expect(await act({ do: 'install', module: 'desk_extra', dry_run: true })).toMatchObject({
      result: { dry_run: true, module: 'desk_extra', state: 'installed' },
    });
    expect(await columnsAt(admin)).not.toContain('severity');
  });

  it('MOD-13 activate, deactivate and upgrade answer with the state', async () => {
    expect(await act({ do: 'deactivate', module: 'desk' })).toMatchObject({
      result: { module: 'desk', state: 'inactive' },
    });
    expect((await admin.get('/web/wc/workspace?model=desk.ticket')).status).toBe(200);
    expect(await act({ do: 'activate', module: 'desk' })).toMatchObject({ result: { state: 'installed' } });
    expect(await act({ do: 'upgrade', module: 'desk' })).toMatchObject({ result: { state: 'installed' } });
    expect(await act({ do: 'upgrade', module: 'desk_extra' })).toMatchObject({ status: 422, code: 'USER_ERROR' });
    expect(await act({ do: 'deactivate', module: 'base' })).toMatchObject({ status: 422, code: 'USER_ERROR' });
  });

  it('MOD-14 an install that fails leaves the database as it was, and says where the mistake is', async () => {
    const put = (name: string, content: string) => {
      mkdirSync(dirname(join(extra, 'broken', name)), { recursive: true });
      writeFileSync(join(extra, 'broken', name), content);
    };
    put('manifest.json', JSON.stringify({ name: 'broken', label: 'Broken', version: '1.0', depends: ['desk'] }));
    put(
      'views/ticket.xml',
      `<views>
        <inherit view="desk.ticket_list">
          <xpath expr="//field[@name='hour']" position="after"><field name="cost"/></xpath>
        </inherit>
      </views>`,
    );
    // The list of what could be installed is read again, so that an addon put there later is found.
    const before = await databaseSnapshot(server.kernel.database);
    const failed = await act({ do: 'install', module: 'broken' });
    expect(failed).toMatchObject({ status: 422, code: 'USER_ERROR' });
    expect(failed.message).toMatch(/broken: views\/ticket\.xml:\d+: /);
    expect(await databaseSnapshot(server.kernel.database)).toEqual(before);
    expect(await columnsAt(admin)).not.toContain('severity');
  });

  it('MOD-15 of two changes at once one waits; nothing is half done', async () => {
    const both = await Promise.all([
      act({ do: 'install', module: 'desk_extra' }),
      act({ do: 'install', module: 'desk_extra' }, elsewhere),
    ]);
    expect(both.map(({ result }) => result)).toEqual([
      { module: 'desk_extra', state: 'installed' },
      { module: 'desk_extra', state: 'installed' },
    ]);
    await vi.waitFor(async () => expect(await columnsAt(elsewhere)).toContain('severity'), within);
    await act({ do: 'uninstall', module: 'desk_extra' });
  });
});

describe('the route', () => {
  it('MOD-16 is for administrators with a token', async () => {
    const { browser } = await server.user('Agent Smith', ['desk.group_agent']);
    const change = { do: 'install', module: 'desk_extra' };
    expect(await act(change, browser)).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    expect(await act(change, server.browser())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    const stranger = new Browser(admin.url);
    for (const [name, value] of admin.cookies) stranger.cookies.set(name, value);
    expect(await act(change, stranger)).toMatchObject({ status: 403, code: 'CSRF_INVALID' });
  });

  it('MOD-16 refuses what it does not know', async () => {
    expect(await act({ do: 'explode', module: 'desk' })).toMatchObject({ status: 400, code: 'INVALID_ARGS' });
    expect(await act({ module: 'desk' })).toMatchObject({ status: 400, code: 'INVALID_ARGS' });
    expect(await act({ do: 'install' })).toMatchObject({ status: 400, code: 'INVALID_ARGS' });
    expect(await act({ do: 'install', module: 'dessk' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await act({ do: 'constructor', module: 'desk' })).toMatchObject({ status: 400, code: 'INVALID_ARGS' });
  });

  long('MOD-16 a form goes on to the next page, which tells what was done', async () => {
    const response = await admin.form('/web/module/action', {
      do: 'deactivate',
      module: 'desk',
      next: '/web/settings',
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/web/settings']);
    const page = await (await admin.get('/web/settings')).text();
    expect(page).toContain('The module was deactivated.');
    const back = await admin.form('/web/module/action', {
      do: 'activate',
      module: 'desk',
      next: 'https://example.com',
    });
    expect([back.status, back.headers.get('location')]).toEqual([303, '/web/apps']);
    const refused = await admin.form('/web/module/action', { do: 'deactivate', module: 'base' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('is required and stays active');
  });
});
