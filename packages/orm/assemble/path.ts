import { chooseOne } from '@kontor/protocol';
import type { Field } from '../model/model.ts';
import { consequence } from './problems.ts';

export type FieldTable = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** Whether a wrong relation or `related` leaves the type of a field unknown. That is reported; checks of its uses are skipped. */
export function isUnresolved({ spec, related }: Field, models: Pick<FieldTable, 'has'>): boolean {
  return related?.length === 0 || (spec.relation !== undefined && !models.has(spec.relation));
}

/** The fields along a dotted path, or a message why the path is wrong. */
export function walkPath(table: FieldTable, model: string, path: readonly string[]): readonly Field[] | string {
  const walked: Field[] = [];
  let current: string | undefined = model;
  for (const name of path) {
    if (current === undefined) {
      return `"${path.join('.')}": "${walked.at(-1)?.name}" is not a relation, so nothing can follow it.`;
    }
    const fields = table.get(current);
    if (fields === undefined) return consequence;
    const field = fields.get(name);
    if (field === undefined) {
      return `"${path.join('.')}": ${current} has no field "${name}".${chooseOne(name, fields.keys())}`;
    }
    if (isUnresolved(field, table)) return consequence;
    walked.push(field);
    current = field.spec.relation;
  }
  return walked;
}
