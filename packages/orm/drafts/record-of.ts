import type { LoadedRecord } from '../model/behaviour.ts';
import { markLoaded, type pathTree } from '../reading/guard-record.ts';
import { type Draft, type DraftNode, emptyValue, nodesIn, valueAt } from './draft.ts';
import { isSeen, mayRead } from './sight.ts';

/** Whose rights limit what a compute sees: nobody's, or those of who fills in. */
export type Eyes = 'server' | 'caller';

/** A filled node as the record that computes and handlers read. What the caller may not read is empty to their eyes. */
export function recordOf(
  draft: Draft,
  node: DraftNode,
  tree: ReturnType<typeof pathTree>,
  eyes: Eyes = 'server',
): LoadedRecord {
  const record: { id: number } & Record<string, unknown> = { id: node.id };
  for (const [name, below] of tree) {
    const field = node.model.fields.get(name);
    if (!field || name === 'id') continue;
    const value = eyes === 'caller' && !mayRead(draft, field) ? emptyValue(field) : valueAt(draft, node, field);
    if (!field.spec.relation) {
      record[name] = value;
      continue;
    }
    const seen = nodesIn(value).filter((each) => !each.isMissing && (eyes === 'server' || isSeen(draft, each)));
    const records = seen.map((each) => recordOf(draft, each, below, eyes));
    record[name] = Array.isArray(value) ? records : (records[0] ?? null);
  }
  markLoaded(record);
  return record;
}
