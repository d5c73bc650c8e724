import { didYouMean, text } from '@kontor/protocol';
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
      const near = didYouMean(value, options.keys());
      const hint = near || text(' Choose one of: {choices}.', { choices: [...options.keys()].join(', ') });
      throw new BadValue(text('"{given}" is not one of the choices.{hint}', { given: value.slice(0, 80), hint }));
    }
    return value;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  wire: 'text',
  isEmpty: (value) => isAbsent(value) || value === '',
};
