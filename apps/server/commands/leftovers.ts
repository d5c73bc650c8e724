import { dropLeft, type LeftData, leftData } from '@kontor/database';
import { tableSpecs } from '@kontor/orm';
import { didYouMean } from '@kontor/protocol';
import { type Command, UsageError } from './command.ts';
import { withKernel } from './open-source.ts';

/** `sale_order.old_note (12 values)`. */
export function describeLeft({ table, column, rows }: LeftData): string {
  return column === null ? `${table} (${rows} rows)` : `${table}.${column} (${rows} values)`;
}

export const leftovers: Command = {
  name: 'leftovers',
  takes: '',
  help: 'Lists tables and columns with data that no model declares any more.',
  details: `Earlier versions of modules leave them, and modules that were uninstalled: these find their data again when they are
installed again. Nothing is dropped until --drop names it. Make a backup first.`,
  words: [0, 0],
  options: [{ name: 'drop', value: 'A,B', help: 'Drop these, such as sale_order.old_note or an_old_table.' }],
  async run({ config, option }) {
    await withKernel(config, async ({ database, registry }) => {
      const left = await leftData(database, tableSpecs(registry));
      const names = (option('drop') ?? '').split(',').filter(Boolean);
      if (names.length === 0) {
        if (left.length === 0) console.log('Nothing is left over.');
        for (const each of left) console.log(describeLeft(each));
        return;
      }
      const known = new Map(left.map((each) => [[each.table, each.column].filter(Boolean).join('.'), each]));
      const unknown = names.find((name) => !known.has(name));
      if (unknown !== undefined)
        throw new UsageError(`${unknown} is not left over.${didYouMean(unknown, known.keys())}`);
      await database.transaction(async (tx) => {
        for (const name of names) await dropLeft(tx, known.get(name) as LeftData);
      });
      for (const name of names) console.log(`Dropped: ${describeLeft(known.get(name) as LeftData)}`);
    });
  },
};
