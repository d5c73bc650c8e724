import { leftData } from '@kontor/database';
import {
  customisationBreaks,
  type Kernel,
  outdatedModules,
  presentModules,
  readModuleStates,
  unsafeMigrations,
  unsafeRecords,
  upgradeModules,
} from '@kontor/kernel';
import { tableSpecs } from '@kontor/orm';
import { inEnglish } from '@kontor/protocol';
import type { Command } from './command.ts';
import { describeLeft } from './leftovers.ts';
import { withKernel } from './open-source.ts';

export const upgrade: Command = {
  name: 'upgrade',
  takes: '[a,b]',
  help: 'Upgrades the database to the current code of the modules.',
  details: `Without names it upgrades every installed module. Other processes may keep running the previous version; restart them
one by one afterwards. Migrations that break the previous version (they drop, rename or require something), and rules,
actions and views that its code cannot read, are listed first: stop the other processes in that case, or split the change into two versions.

Models, fields and changes of screens that were added in the browser and would not fit the new version are listed, and
nothing is upgraded. With --anyway they are left out; they stay in the customisation and come back when they fit again.`,
  words: [0, 1],
  options: [
    { name: 'outdated', help: 'Only modules that must be upgraded before the server can start.' },
    { name: 'anyway', help: 'Upgrade although parts of the customisation would be left out.' },
    { name: 'safe', help: 'Upgrade nothing if the previous version could not run on the result.' },
  ],
  async run({ config, words: [names = ''], has }) {
    await withKernel(config, async (kernel) => {
      const wanted = names.split(',').filter(Boolean);
      const modules = wanted.length > 0 ? wanted : await (has('outdated') ? outdated(kernel) : present(kernel));
      if (modules.length === 0) return console.log('Nothing to upgrade.');
      const migrations = await unsafeMigrations(kernel, modules);
      const records = await kernel.inspectModules((context) => unsafeRecords(context, kernel.registry, modules));
      const unsafe = [...migrations, ...records];
      for (const each of unsafe) console.error(`Not safe with the previous version: ${each}`);
      if (unsafe.length > 0 && has('safe')) throw new Error('Nothing was upgraded. Stop the other processes first.');
      const breaks = await kernel.inspectModules((context) => customisationBreaks(context, modules));
      for (const { at, message } of breaks)
        console.error(`Customisation: ${at} would be left out: ${inEnglish(message)}`);
      if (breaks.length > 0 && !has('anyway'))
        throw new Error(
          'Nothing was upgraded. Change the customisation first, or leave these parts out with --anyway.',
        );
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
