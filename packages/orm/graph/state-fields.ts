import { isSequence, sequenceFields } from '../fields/default-sources.ts';
import { firstSteps } from '../model/depends.ts';
import type { Field, Model, Registry, States } from '../model/model.ts';

/** The fields for state and stage of a model's records. */
export interface StateFields {
  readonly state: Field;
  readonly stage: Field | null;
  readonly before: Field | null;
  /** The many2one that determines which stages a record may be in. */
  readonly own: Field | null;
  /** Fields that moves set. */
  readonly set: readonly Field[];
  /** What the sequences of moves count by: the company and dates. */
  readonly counted: readonly Field[];
}

const known = new WeakMap<States, StateFields>();

export function stateFields(model: Model): StateFields | null {
  const { states } = model;
  if (states === null) return null;
  let found = known.get(states);
  if (!found) {
    const field = (name: string | null | undefined) => (name ? (model.fields.get(name) as Field) : null);
    const { stages } = states;
    const sets = [...states.moves.values()].flat().flatMap((move) => [...move.sets]);
    const set = new Set(sets.map(([name]) => name));
    const counting = sets.flatMap(([, value]) => (isSequence(value) ? ['company_id', ...sequenceFields(value)] : []));
    found = {
      state: field(states.field) as Field,
      stage: field(stages?.field),
      before: field(stages?.before),
      own: field(stages?.within?.own),
      set: [...set].flatMap((name) => field(name) ?? []),
      counted: [...new Set(counting)].flatMap((name) => field(name) ?? []),
    };
    known.set(states, found);
  }
  return found;
}

/** Editable computes that determine which stages a record may be in, in the order in which they run. */
export function placeSources(registry: Registry, model: Model): readonly Field[] {
  const own = stateFields(model)?.own;
  if (!own?.isEditable) return [];
  const needed = new Set([own.name]);
  const editables = registry.editableComputes(model.name);
  for (const { name, editableCompute } of editables.toReversed()) {
    if (needed.has(name) && editableCompute) for (const step of firstSteps(editableCompute)) needed.add(step);
  }
  return editables.filter((field) => needed.has(field.name));
}

/** Whether writing these fields may change the state or stage of a record, beyond the fields themselves. */
export function movesAlong(model: Model, written: ReadonlySet<Field>): boolean {
  const fields = stateFields(model);
  if (fields === null) return false;
  if ([fields.stage, fields.own].some((field) => field && written.has(field))) return true;
  return written.has(fields.state) && (fields.stage !== null || fields.set.length > 0);
}

/** Columns that are read with the lock of a row: its state, and what determines its stage. */
export function placeColumns(model: Model, written: ReadonlySet<Field>): readonly Field[] {
  const fields = stateFields(model);
  if (fields === null) return [];
  if (!movesAlong(model, written)) return [fields.state];
  const { state, stage, before, own, set, counted } = fields;
  return [...new Set([state, stage, before, own, ...set, ...counted])].filter((field) => field !== null);
}
