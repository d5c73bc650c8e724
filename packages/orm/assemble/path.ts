import { didYouMean } from '@kontor/protocol';
import type { Field } from '../model/model.ts';

export type FieldTable = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** The fields along a dotted path, or a message why the path is wrong. */
export function walkPath(table: FieldTable, model: string, path: readonly string[]): readonly Field[] | string {
  const walked: Field[] = [];
  let current: string | undefined = model;
  for (const name of path) {
    if (current === undefined) {
      return `"${path.join('.')}": "${walked.at(-1)?.name}" is not a relation, so nothing can follow it.`;
    }
    const fields = table.get(current);
    if (fields === undefined) return `"${path.join('.')}": there is no model ${current}.`;
    const field = fields.get(name);
    if (field === undefined) {
      return `"${path.join('.')}": ${current} has no field "${name}".${didYouMean(name, fields.keys())}`;
    }
    walked.push(field);
    current = field.spec.relation;
  }
  return walked;
}
