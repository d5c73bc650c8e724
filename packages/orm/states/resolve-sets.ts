import { sourceValue } from '../defaults/constant-default.ts';
import { isDefaultSource } from '../fields/default-sources.ts';
import { answer } from '../model/answer.ts';
import type { Answers } from '../model/behaviour.ts';
import type { Env, Field, Model, Move } from '../model/model.ts';

/** The values that come with a move. A plain write answered nothing, so what is asked for stays as it is. */
export function resolveSets(env: Env, model: Model, move: Move, answers: Answers = {}): Map<Field, unknown> {
  const values = new Map<Field, unknown>();
  for (const [name, said] of move.sets) {
    const field = model.fields.get(name) as Field;
    if (said === answer) {
      if (answers[name] !== undefined) values.set(field, field.kind.cast(answers[name], field) ?? null);
    } else {
      const value = isDefaultSource(said) ? sourceValue(env, field, said) : said;
      values.set(field, field.kind.cast(value ?? null, field) ?? null);
    }
  }
  return values;
}
