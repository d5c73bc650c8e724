import { installModules, uninstallModule } from '@kontor/kernel';
import { createTestKernel, isLong, openScreens } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { expect, it } from 'vitest';

const apps = ['contacts', 'product', 'crm', 'sale', 'project', 'invoice'] as const;
/** Those that others need go after them. */
const leaving = [
  ...[
    'recurring',
    'bank',
    'accounting',
    'project_invoice',
    'invoice',
    'sale_project',
    'sale_crm',
    'project',
    'crm',
    'sale',
  ],
  ...['portal', 'product', 'contacts'],
] as const;

long(
  'MOD-2 all apps come together on an empty database, with the glue between them',
  async () => {
    const world = await createTestKernel();
    try {
      const loaded = await world.kernel.changeModules((context) => installModules(context, apps));
      for (const name of leaving) expect(loaded.states.get(name)).toBe('installed');
    } finally {
      await world.close();
    }
  },
  300_000,
);

long(
  'MOD-4 each app leaves without taking the others or the contacts along',
  async () => {
    const world = await createTestKernel({ modules: apps, demo: true });
    try {
      const customers = () => world.work((env) => env.model('core.partner').count([['is_company', '=', true]]));
      const before = await customers();
      // The short run ends with the one that most others use.
      const last = isLong ? 'contacts' : 'crm';
      for (const [index, name] of leaving.entries()) {
        if (index > leaving.indexOf(last)) break;
        // Its demonstration goes with it; until then nobody else took any of it away.
        if (name === last) expect(await customers()).toBe(before);
        await world.kernel.changeModules((context) => uninstallModule(context, name));
        const left = ['base', 'mail', ...leaving.slice(index + 1)];
        if (!isLong && name !== 'crm') continue;
        expect(await openScreens(world, left, world.admin), `what is left without ${name}`).toEqual([]);
      }
    } finally {
      await world.close();
    }
  },
  600_000,
);

it('ADM-10 addresses with numbers lead to the same screens and records after a reinstall', async () => {
  const world = await createTestKernel({ modules: ['crm'] });
  try {
    const numbers = () =>
      world.work(async (env) => {
        const found = await env
          .sudo()
          .model('sys.model.data')
          .searchRead([['module', '=', 'crm']], ['name', 'model', 'res_id'], { order: 'model, name' });
        const kept = ['sys.action.window', 'sys.menu', 'sys.board', 'crm.stage'];
        return found.filter(({ model }) => kept.includes(String(model))).map(({ id: _id, ...row }) => row);
      });
    const before = await numbers();
    expect(before.filter(({ model }) => model === 'sys.action.window').length).toBeGreaterThan(2);
    await world.kernel.changeModules((context) => uninstallModule(context, 'crm'));
    // Meanwhile others take the next numbers.
    await world.kernel.changeModules((context) => installModules(context, ['product']));
    await world.kernel.changeModules((context) => installModules(context, ['crm']));
    expect(await numbers()).toEqual(before);
    expect(await openScreens(world, ['crm'], world.admin)).toEqual([]);
  } finally {
    await world.close();
  }
}, 300_000);
