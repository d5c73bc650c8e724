import { text, UserError } from '@kontor/protocol';
import type { Env, Field, Model, States } from '../model/model.ts';
import type { LockedRow } from '../writing/lock-rows.ts';
import { targetsFrom } from './follow-moves.ts';
import { nameOf, oneOf, valueLabel } from './move-words.ts';

/** Records are unlinked only in the states that let them go. */
export async function checkRemovable(env: Env, model: Model, rows: ReadonlyMap<number, LockedRow>): Promise<void> {
  const removable = model.states?.removable;
  if (!removable) return;
  const states = model.states as States;
  const field = model.fields.get(states.field) as Field;
  for (const { id, values } of rows.values()) {
    const value = values.get(field) as string | null;
    if (value === null || removable.has(value)) continue;
    const next = targetsFrom(states, value).filter((to) => removable.has(to));
    const hint =
      next.length > 0
        ? text('Make it {possible} first.', { possible: oneOf(model, next) })
        : text('Only what is {possible} can be deleted.', { possible: oneOf(model, [...removable]) });
    throw new UserError(
      text('{name} is {value} and cannot be deleted. {hint}', {
        name: await nameOf(env, model, id),
        value: valueLabel(model, value),
        hint,
      }),
      {
        model: model.name,
        id,
        field: field.name,
        from: value,
      },
    );
  }
}
