import type { LoadedRecord } from '../../../model/definition.ts';
import { markLoaded, type pathTree } from '../../guard-record.ts';
import { type Draft, type DraftNode, valueAt } from './draft.ts';

/** A filled node as the record that computes and handlers read. */
export function recordOf(draft: Draft, node: DraftNode, tree: ReturnType<typeof pathTree>): LoadedRecord {
  const record: { id: number } & Record<string, unknown> = { id: node.id };
  for (const [name, below] of tree) {
    const field = node.model.fields.get(name);
    if (!field || name === 'id') continue;
    const value = valueAt(draft, node, field);
    if (!field.spec.relation) record[name] = value;
    else if (Array.isArray(value)) record[name] = value.map((line) => recordOf(draft, line as DraftNode, below));
    else record[name] = value ? recordOf(draft, value as DraftNode, below) : null;
  }
  markLoaded(record);
  return record;
}
