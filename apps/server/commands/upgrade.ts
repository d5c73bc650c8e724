import { leftData } from '@kontor/database';
import {
  type Kernel,
  outdatedModules,
  presentModules,
  readModuleStates,
  unsafeMigrations,
  unsafeRecords,
  upgradeModules,
} from '@kontor/kernel';
import { tableSpecs } from '@kontor/orm';
import type { Command } from './command.ts';
import { describeLeft } from './leftovers.ts';
import { withKernel } from './open-source.ts';

export const upgrade: Command = {
  name: 'upgrade',
  takes: '[a,b]',
  help: 'Brings the database to what the code of the modules is now.',
  details: `Without names it upgrades every installed module. Others may go on working with the version before; restart them
one by one afterwards. Migrations that the version before does not outlive (they drop, rename or require something), and rules,
actions and views that its code cannot read, are told first: stop the other processes then, or spread the change over two versions.`,
  words: [0, 1],
  options: [
    { name: 'outdated', help: 'Only modules that the start would refuse to go on without.' },
    { name: 'safe', help: 'Upgrades nothing when the version before could not go on beside it.' },
  ],
  async run({ config, words: [names = ''], has }) {
    await withKernel(config, async (kernel) => {
      const wanted = names.split(',').filter(Boolean);
      const modules = wanted.length > 0 ? wanted : await (has('outdated') ? outdated(kernel) : present(kernel));
      if (modules.length === 0) return console.log('Nothing to upgrade.');
      const migrations = await unsafeMigrations(kernel, modules);
      const records = await kernel.inspectModules((context) => unsafeRecords(context, kernel.registry, modules));
      const unsafe = [...migrations, ...records];
      for (const each of unsafe) console.error(`Not safe beside the version before: ${each}`);
      if (unsafe.length > 0 && has('safe')) throw new Error('Nothing was upgraded. Stop the other processes first.');
      const { reports, schema, broken, registry } = await kernel.changeModules((context) =>
        upgradeModules(context, modules),
      );
      for (const { module, done, created, updated, removed } of reports) {
        console.log(`${module}: ${done}, ${created} records made, ${updated} changed, ${removed.length} removed`);
      }
      for (const { table, column, reason } of schema.refused) {
        console.error(`Left as it is: ${[table, column].filter(Boolean).join('.')} ${reason}`);
      }
      for (const sentence of broken) console.error(`To be mended: ${sentence}`);
      for (const left of await leftData(kernel.database, tableSpecs(registry))) {
        console.log(`Kept, though no model declares it: ${describeLeft(left)}. To drop it: kontor leftovers --drop`);
      }
    });
  },
};

async function outdated(kernel: Kernel): Promise<readonly string[]> {
  return (await outdatedModules(kernel.database, kernel.registry)).map(({ module }) => module);
}

async function present(kernel: Kernel): Promise<readonly string[]> {
  return [...presentModules(await readModuleStates(kernel.database))].filter((name) => kernel.catalogue.has(name));
}
