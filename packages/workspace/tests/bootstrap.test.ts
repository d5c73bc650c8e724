import { activateModule, deactivateModule } from '@kontor/kernel';
import type { Bootstrap } from '@kontor/protocol';
import { countStatements } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBootstrap } from '../bootstrap/build-bootstrap.ts';
import { initialsOf } from '../bootstrap/own-profile.ts';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const boot = (actor = desk.agent, page: Partial<Parameters<typeof buildBootstrap>[2]> = {}): Promise<Bootstrap> =>
  buildBootstrap(desk.kernel, { actor, csrf: 'token', lastWrite: null }, { toasts: [], ...page });
const topNames = ({ topMenus }: Bootstrap) => topMenus.map(({ name }) => name);

it('BOO-2 has every field that the specification names, in its shape', async () => {
  const workspace = await desk.open('action=desk.tickets');
  const toast = { kind: 'secret', title: 'API key', body: 'sk_1' } as const;
  const bootstrap = await boot(desk.agent, { workspace, toasts: [toast] });
  expect(bootstrap).toMatchObject({
    rpcUrl: '/api/rpc',
    wcApiBase: '/web/wc',
    csrfToken: 'token',
    user: { id: desk.agent.uid, name: 'Agent Smith', login: 'agent.smith@example.com', initials: 'AS', isAdmin: false },
    company: { id: desk.agent.companyId, name: 'Nordlicht Trading' },
    companies: [{ id: desk.agent.companyId, name: 'Nordlicht Trading' }],
    activeCompanyId: desk.agent.companyId,
    pinnedApps: [],
    workspace: {
      actionId: workspace.actionId,
      menuId: workspace.menuId,
      viewType: 'list',
      recordId: 0,
      formEdit: false,
      listSearch: '',
    },
    busEnabled: true,
    toasts: [toast],
    lang: 'en_US',
    theme: 'system',
    features: expect.any(Object),
    messages: expect.any(Object),
  });
  expect(bootstrap.firstWorkspace).toBe(workspace);
  expect(bootstrap.apps).toMatchObject([
    {
      module: 'desk',
      name: 'Help desk',
      icon: 'life-buoy',
      description: 'Tickets and who works on them.',
      pinned: false,
      href: `/web?action=${workspace.actionId}&menu_id=${workspace.menuId}`,
    },
    { module: 'mail', name: 'Mail', pinned: false },
  ]);
  expect(bootstrap.sidebarMenus).toMatchObject([{ name: 'Help desk', items: [{ name: 'Tickets' }] }]);
});

it('BOO-3 people see only menus that lead somewhere they may go; empty branches vanish', async () => {
  expect(topNames(await boot())).toEqual(['Mail', 'Activities', 'Help desk']);
  const admins = await boot(desk.admin, { workspace: await desk.open('action=desk.tickets', desk.admin) });
  expect(topNames(admins)).toEqual(['Mail', 'Activities', 'Help desk', 'Settings']);
  expect(admins.sidebarMenus.map(({ name, items }) => [name, items.map((item) => item.name)])).toEqual([
    ['Help desk', ['Tickets']],
    ['Configuration', ['Stages']],
  ]);
  const nobody = await desk.person('Nora Nobody');
  expect(topNames(await boot(nobody))).toEqual(['Mail', 'Activities']);
  expect((await boot(nobody)).apps).toMatchObject([{ module: 'mail' }]);
});

it('BOO-3 menus of an inactive module are hidden, its models are still served', async () => {
  await desk.kernel.changeModules((context) => deactivateModule(context, 'desk'));
  expect(topNames(await boot())).toEqual(['Mail', 'Activities']);
  expect((await boot()).apps).toMatchObject([{ module: 'mail' }]);
  expect((await desk.open('model=desk.ticket')).listTotal).toBe(0);
  await desk.kernel.changeModules((context) => activateModule(context, 'desk'));
  expect(topNames(await boot())).toEqual(['Mail', 'Activities', 'Help desk']);
});

long('BOO-3 a module that comes back at once is not hidden again by what was read before', async () => {
  const seen: unknown[] = [];
  const stop = desk.kernel.on('modules', () => seen.push(desk.kernel.loaded.states.get('desk')));
  for (let round = 0; round < 5; round++) {
    await desk.kernel.changeModules((context) => deactivateModule(context, 'desk'));
    await desk.kernel.changeModules((context) => activateModule(context, 'desk'));
    const before = seen.length;
    // The bell rings for the last change too: whatever was under way has been read by then.
    await expect.poll(() => seen.length).toBeGreaterThan(before);
    expect(seen.slice(before)).not.toContain('inactive');
  }
  stop();
});

it('BOO-13 counted menus tell how many records the person may find there, archived ones left out, in one statement', async () => {
  const ids = await desk.create([{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'Hidden', is_private: true }]);
  await desk.work((env) => env.model('desk.ticket').write(ids.slice(0, 1), { active: false }));
  const counts = async (actor = desk.admin) => {
    const workspace = await desk.open('action=desk.tickets', actor);
    const { sidebarMenus } = await boot(actor, { workspace });
    return sidebarMenus.flatMap(({ items }) => items.map(({ name, count }) => [name, count]));
  };
  expect(await counts()).toEqual([
    ['Tickets', 3],
    ['Stages', 3],
  ]);
  expect(await counts(desk.reader)).toEqual([['Tickets', 2]]);
  const workspace = await desk.open('action=desk.tickets', desk.admin);
  // The bell of an earlier test may still ring, and what it calls old is read again by whoever comes next.
  const costs: number[] = [];
  while (costs.length < 3) costs.push(await countStatements(() => boot(desk.admin, { workspace })));
  expect(Math.min(...costs)).toBeLessThanOrEqual(3);
  expect(Math.min(...costs)).toBeGreaterThan(0);
  await desk.work((env) => env.model('desk.ticket').unlink(ids));
});

it('BOO-4 pinned apps come first and in the person’s order; theme and picture are theirs', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
  await desk.work(async (env) => {
    const server = env.sudo();
    await server.model('core.user').write([desk.agent.uid], { pinned_apps: ['desk', 'gone'], image: png });
    await env.model('sys.user.setting').create({ key: 'theme', value: 'dark' });
  }, desk.agent);
  const bootstrap = await boot();
  expect(bootstrap.pinnedApps).toEqual(['desk']);
  expect(bootstrap.apps).toMatchObject([
    { module: 'desk', pinned: true },
    { module: 'mail', pinned: false },
  ]);
  expect(bootstrap.theme).toBe('dark');
  expect(bootstrap.user.image).toBe(`data:image/png;base64,${png}`);
});

it('BOO-5 a screen that is no workspace carries its data and the menus it belongs to', async () => {
  const screen = { name: 'settings', data: { sections: [] } };
  const bootstrap = await boot(desk.admin, { screen, menuKey: 'base.menu_settings' });
  expect(bootstrap.screen).toBe(screen);
  expect(bootstrap.firstWorkspace).toBeUndefined();
  expect(bootstrap.workspace).toMatchObject({ actionId: 0, viewType: '' });
  const items = bootstrap.sidebarMenus.flatMap((section) => section.items.map(({ name }) => name));
  for (const name of ['Users', 'Record rules', 'Automations', 'Modules', 'Views', 'Logs', 'Change sets', 'Countries']) {
    expect(items).toContain(name);
  }
});

it('OPS-6 tells of a mail server that was set up on its screen, at no cost to the pages after', async () => {
  const asked = async () => (await boot(desk.admin)).features.mail;
  expect(await asked()).toBe(false);
  const server = { host: 'smtp.example.com', sender: 'Kontor <kontor@example.com>' };
  const id = await desk.work((env) => env.model('sys.mail.server').create(server));
  await expect.poll(asked).toBe(true);
  // Once the bell has told of the change as well, nothing is read again.
  await expect.poll(() => countStatements(() => boot(desk.admin))).toBe(2);
  await desk.work((env) => env.model('sys.mail.server').write([id], { active: false }));
  await expect.poll(asked).toBe(false);
});

it('BOO-2 initials are those of the first and the last name', () => {
  expect(initialsOf('Ada Maria Lindqvist')).toBe('AL');
  expect(initialsOf('  élodie ')).toBe('É');
  expect(initialsOf('(none)')).toBe('');
});
