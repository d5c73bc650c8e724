import { uninstallModule } from '@kontor/kernel';
import { createTestKernel, openScreens } from '@kontor/testing';
import { expect, it } from 'vitest';

it('MOD-4 CRM and projects leave without taking contacts or each other along', async () => {
  const world = await createTestKernel({ modules: ['crm', 'project'], demo: true });
  try {
    const customers = () => world.work((env) => env.model('core.partner').count([['is_company', '=', true]]));
    const before = await customers();
    await world.kernel.changeModules((context) => uninstallModule(context, 'crm'));
    expect(await openScreens(world, 'project', world.admin)).toEqual([]);
    await world.kernel.changeModules((context) => uninstallModule(context, 'project'));
    expect(await openScreens(world, 'contacts', world.admin)).toEqual([]);
    expect(await customers()).toBe(before);
  } finally {
    await world.close();
  }
}, 180_000);
