import { didYouMean } from '@kontor/protocol';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** One of the declared values. */
export const selectionKind: FieldKind = {
  column: () => 'text',
  cast(value, field) {
    if (isAbsent(value)) return null;
    if (typeof value !== 'string') throw new BadValue('Give one of the declared values as text.');
    const options = field.selection as ReadonlyMap<string, string>;
    if (!options.has(value)) {
      const hint = didYouMean(value, options.keys()) || ` Choose one of: ${[...options.keys()].join(', ')}.`;
      throw new BadValue(`"${value.slice(0, 80)}" is not one of the choices.${hint}`);
    }
    return value;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  wire: 'text',
  isEmpty: (value) => isAbsent(value) || value === '',
};
