import { installModules, uninstallModule } from '@kontor/kernel';
import { createTestKernel, isLong, openScreens } from '@kontor/testing';
import { expect, it } from 'vitest';

const apps = ['contacts', 'product', 'crm', 'sale', 'project'] as const;
/** Those that others need go after them. */
const leaving = ['sale_project', 'sale_crm', 'project', 'crm', 'sale', 'product', 'contacts'] as const;

it('MOD-2 all apps come together on an empty database, with the glue between them', async () => {
  const world = await createTestKernel();
  try {
    const loaded = await world.kernel.changeModules((context) => installModules(context, apps));
    for (const name of leaving) expect(loaded.states.get(name)).toBe('installed');
  } finally {
    await world.close();
  }
}, 300_000);

it('MOD-4 each app leaves without taking the others or the contacts along', async () => {
  const world = await createTestKernel({ modules: apps, demo: true });
  try {
    const customers = () => world.work((env) => env.model('core.partner').count([['is_company', '=', true]]));
    const before = await customers();
    for (const [index, name] of leaving.entries()) {
      // Its demonstration goes with it; until then nobody else took any of it away.
      if (name === 'contacts') expect(await customers()).toBe(before);
      await world.kernel.changeModules((context) => uninstallModule(context, name));
      const left = ['base', 'mail', ...leaving.slice(index + 1)];
      // The short run looks after the first, the one that most others use, and the last.
      if (!isLong && !['sale_project', 'crm', 'contacts'].includes(name)) continue;
      expect(await openScreens(world, left, world.admin), `what is left without ${name}`).toEqual([]);
    }
  } finally {
    await world.close();
  }
}, 600_000);
