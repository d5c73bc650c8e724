import type { Field } from '../model/model.ts';
import { pathTree } from '../reading/guard-record.ts';
import { overlapMessages, overlapWith } from '../reading/overlapping.ts';
import { type Draft, type DraftNode, valueAt, wireValue } from './draft.ts';
import { fill } from './fill.ts';
import type { HandlerResults } from './run-handlers.ts';

/** Warns in the form that its range overlaps with that of another record; saving would be rejected. */
export async function overlapWarnings(
  draft: Draft,
  root: DraftNode,
  changes: ReadonlySet<string>,
): Promise<HandlerResults['warnings']> {
  const { model } = root;
  const warnings: HandlerResults['warnings'] = [];
  for (const exclude of model.excludes.filter(({ on }) => on.some((name) => changes.has(name)))) {
    await fill(draft, [root], pathTree(exclude.on));
    const values = new Map(
      exclude.on.map((name) => {
        const field = model.fields.get(name) as Field;
        return [field, wireValue(valueAt(draft, root, field))] as const;
      }),
    );
    const other = await overlapWith(draft.env, model, exclude, { id: root.id, values });
    if (other === null) continue;
    const messageOf = await overlapMessages(draft.caller, model, exclude, [other]);
    warnings.push({ title: model.label, message: messageOf(other) });
  }
  return warnings;
}
