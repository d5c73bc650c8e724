import { stateFields } from '../graph/state-fields.ts';
import type { Field, States } from '../model/model.ts';
import { pathTree } from '../reading/guard-record.ts';
import { firstStage, fits, stageList } from '../states/stage-list.ts';
import { type Draft, type DraftNode, valueAt, wireValue } from './draft.ts';
import { isChanged } from './editables.ts';
import { asNodes, fill } from './fill.ts';

/**
 * Puts the record of a form into the stage that saving would choose: a new one into the first stage for it, again when what decides
 * about that changes; an existing one only out of a stage that is no longer for it. Returns the fields that it set.
 */
export async function placeDraft(draft: Draft, root: DraftNode): Promise<readonly string[]> {
  const fields = stateFields(root.model);
  const { stages, initial } = (root.model.states ?? {}) as Partial<States>;
  if (!fields?.stage || !stages || root.changed?.has(fields.stage.name)) return [];
  const { stage, state, own } = fields;
  const known = [stage, state, ...(own ? [own] : [])];
  await fill(draft, [root], pathTree(known.map(({ name }) => name)));
  const [at, inState, owner] = [stage, state, own].map((field) =>
    field ? wireValue(valueAt(draft, root, field)) : null,
  );
  const isNew = root.id === 0;
  const isOther = [state, own].some((field) => field && root.changed !== null && isChanged(root, field.name));
  if (isNew ? at !== null && !isOther : !isOther || at === null) return [];
  const list = await stageList(draft.env, root.model);
  const now = list.get(at as number);
  if (!isNew && (!now || fits(now, owner as number | null))) return [];
  const wanted = (isNew ? inState : now?.state) as string | null;
  const first =
    firstStage(list, stages, wanted, owner as number | null) ??
    (isNew ? firstStage(list, stages, [...(initial ?? [])][0] ?? null, owner as number | null) : undefined);
  if (!first || first.id === at) return [];
  setStage(draft, root, stage, first.id);
  return [stage.name];
}

function setStage(draft: Draft, root: DraftNode, stage: Field, id: number): void {
  root.given.set(stage.name, asNodes(draft, root, stage, id));
  root.changed?.add(stage.name);
}
