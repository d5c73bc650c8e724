import { discoverAddons, uninstallModule } from '@kontor/kernel';
import { addedOf, removeAdded } from '../added/added-addons.ts';
import { addonRoots } from '../addon-code.ts';
import type { Command } from './command.ts';
import { installedModules, withKernel } from './open-source.ts';

export const remove: Command = {
  name: 'remove',
  takes: 'NAME',
  help: 'Removes an added addon.',
  details: `It must be uninstalled in the database of this configuration; other databases that use the same addons_dir are not
checked. --uninstall uninstalls it first: its data are kept and come back with it.`,
  words: [1, 1],
  options: [{ name: 'uninstall', help: 'Uninstall it first.' }],
  async run({ config, words: [name = ''], has }) {
    addedOf(await discoverAddons(addonRoots(config)), name);
    const isInstalled = (await installedModules(config)).has(name);
    if (isInstalled && !has('uninstall')) {
      throw new Error(
        `"${name}" is installed in this database. Uninstall it under Apps, or run: kontor remove ${name} --uninstall`,
      );
    }
    if (isInstalled) {
      await withKernel(config, (kernel) => kernel.changeModules((context) => uninstallModule(context, name)));
      console.log(`${name}: uninstalled; its records are put aside`);
    }
    await removeAdded(config, name);
    console.log(`${name}: removed`);
  },
};
