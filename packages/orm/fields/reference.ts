import { didYouMean } from '@kontor/protocol';
import { BadValue, type FieldKind } from './kind.ts';
import { isRecordId } from './record-id.ts';
import { isAbsent } from './text-check.ts';

/** A record of one of several models, `model,id`. */
export const referenceKind: FieldKind = {
  column: () => 'text',
  cast(value, field) {
    if (isAbsent(value)) return null;
    const { model, id } = parse(value);
    const models = field.spec.models;
    if (models !== undefined && !models.includes(model)) {
      throw new BadValue(`A record of ${model} cannot stand here.${didYouMean(model, models)}`);
    }
    return `${model},${id}`;
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell,
  cellToJson: (cell) => JSON.stringify(cell),
  wire: 'text',
  isEmpty: isAbsent,
};

function parse(value: unknown): { model: string; id: number } {
  if (typeof value === 'string') {
    const match = /^([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+),([1-9]\d{0,9})$/.exec(value);
    if (match !== null && isRecordId(Number(match[2]))) return { model: match[1] as string, id: Number(match[2]) };
  } else if (typeof value === 'object' && value !== null && 'model' in value && 'id' in value) {
    if (typeof value.model === 'string') return parse(`${value.model},${String(value.id)}`);
  }
  throw new BadValue('Give a record as "model,id", such as "sale.order,7".');
}
