import type { ActionAnswer } from '../model/behaviour.ts';
import type { ActionSpec } from '../model/definition.ts';
import { frozenMap } from '../model/frozen-map.ts';
import type { ActionCall, Field, ObjectAction } from '../model/model.ts';
import { wireName } from '../model/names.ts';
import { askedFields } from './asked-fields.ts';
import type { Declared, Draft } from './draft.ts';
import type { FieldTable } from './path.ts';
import type { Problems } from './problems.ts';
import { standardActions } from './standard-actions.ts';

/** The actions of a model by their external name: those of every model, and those that modules declare. */
export function buildActions(
  draft: Draft,
  hasActive: boolean,
  table: FieldTable,
  problems: Problems,
): Map<string, ObjectAction> {
  const actions = new Map(standardActions(draft.name, hasActive));
  const standard = standardActions(draft.name, true);
  for (const [name, declared] of draft.actions) {
    const wire = wireName(name);
    let action = standard.get(wire);
    for (const one of declared) {
      const addProblem = (message: string) =>
        problems.add({ module: one.module, model: draft.name }, `action "${name}" ${message}`);
      const asks = askedFields({ model: draft.name, module: one.module }, one.value.asks ?? {}, table, addProblem);
      action = extend(action, wire, one, asks);
    }
    if (action) actions.set(wire, action);
  }
  return actions;
}

/** Each handler gets the one before it as `base`; the first gets one that does nothing. */
function extend(
  previous: ObjectAction | undefined,
  name: string,
  { module, value: spec }: Declared<ActionSpec>,
  asks: ReadonlyMap<string, Field>,
): ObjectAction {
  const base = previous?.run ?? doNothing;
  return Object.freeze({
    kind: 'action',
    name,
    module,
    label: spec.label ?? previous?.label ?? null,
    icon: spec.icon ?? previous?.icon ?? null,
    warns: spec.warns ?? previous?.warns ?? null,
    mails: spec.mails ?? previous?.mails ?? null,
    single: spec.single ?? previous?.single ?? null,
    groups: spec.groups ?? previous?.groups ?? null,
    needs: spec.needs ?? previous?.needs ?? 'write',
    asks: frozenMap([...(previous?.asks ?? []), ...asks]),
    proposes: spec.proposes ?? previous?.proposes ?? null,
    run: async (call: ActionCall): Promise<ActionAnswer> => spec.run(call, base),
  });
}

export async function doNothing(): Promise<void> {}
