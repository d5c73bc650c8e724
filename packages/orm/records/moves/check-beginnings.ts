import { text, UserError } from '@kontor/protocol';
import type { Env } from '../../env.ts';
import type { Field, Model } from '../../model/model.ts';
import type { CastRow } from '../cast-values.ts';
import { oneOf, valueLabel } from './move-words.ts';

/** New records begin where the machine says. Data that the server itself brings, or restores, may begin anywhere. */
export function checkBeginnings(
  env: Env,
  model: Model,
  rows: readonly { readonly cast: CastRow }[],
  granted: ReadonlySet<string>,
): void {
  const machine = model.stateMachine;
  if (machine === null || env.isSudo || granted.has(machine.field)) return;
  const field = model.fields.get(machine.field) as Field;
  for (const { cast } of rows) {
    const value = cast.columns.get(field) as string | null | undefined;
    if (typeof value !== 'string' || machine.initial.has(value)) continue;
    const possible = [...machine.initial];
    throw new UserError(
      text('A new {model} cannot begin as {value}. Create it as {possible} first.', {
        model: model.label,
        value: valueLabel(model, value),
        possible: oneOf(model, possible),
      }),
      { model: model.name, field: machine.field, to: value, possible },
    );
  }
}
