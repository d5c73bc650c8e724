import type { ActionAnswer, ActionCall, ModelDefinition } from '../definition.ts';
import { actionNameFault, wireName } from '../names.ts';
import { standardActions } from '../standard-actions.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './problems.ts';

/** Each handler gets the one before it as `base`; the first gets one that does nothing. */
export function mergeActions(draft: Draft, module: string, definition: ModelDefinition, problems: Problems): void {
  for (const [said, spec] of Object.entries(definition.actions)) {
    const fault = actionNameFault(said);
    if (fault !== null) {
      problems.add({ module, model: draft.name }, `action "${said}": ${fault}.`);
      continue;
    }
    const name = wireName(said);
    const previous = draft.actions.get(name) ?? standardActions(draft.name, true).get(name);
    const base = previous?.run ?? doNothing;
    draft.actions.set(
      name,
      Object.freeze({
        name,
        module,
        groups: spec.groups ?? previous?.groups ?? null,
        needs: spec.needs ?? previous?.needs ?? 'write',
        run: async (call: ActionCall): Promise<ActionAnswer> => spec.run(call, base),
      }),
    );
  }
}

async function doNothing(): Promise<void> {}
