import { type Config, type OpenAddons, printView } from '@kontor/kernel';
import { authorAddons } from './author-addons.ts';
import type { Command, CommandOption } from './command.ts';

/** The option of commands that read all addons, unless it names some. */
export const modulesOption: CommandOption = {
  name: 'modules',
  value: 'A,B',
  help: 'Only these addons and what they install; default: all that are here.',
};

/** The addons that commands about views and models read. */
export function readAddonsHere(config: Config, modules: string | undefined): Promise<OpenAddons> {
  return authorAddons(
    config,
    process.cwd(),
    modules?.split(',').map((name) => name.trim()),
  );
}

export const view: Command = {
  name: 'view',
  takes: 'ID',
  help: 'Prints a view with all its extensions applied, and the addon, file and line that each element comes from.',
  details: `ID is the external id of a view or of an extension, such as sale.order_form. All addons that are here are applied: those of
Kontor, added ones, those of addons_path, and the addon in the current folder. No database is needed; views that users
changed are not included.`,
  words: [1, 1],
  options: [modulesOption],
  async run({ config, words: [id = ''], option }) {
    console.log(printView(await readAddonsHere(config, option('modules')), id));
  },
};
