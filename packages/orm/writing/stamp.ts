import type { Env, Field, Model } from '../model/model.ts';

type StampName = 'create_date' | 'create_uid' | 'write_date' | 'write_uid';

/** Who and when, for the system columns. Nobody in particular (uid 0) is kept as empty. */
export function stamp(env: Env, model: Model, names: readonly StampName[]): Map<Field, unknown> {
  const stamps = new Map<Field, unknown>();
  for (const name of names) {
    const field = model.fields.get(name);
    if (field) stamps.set(field, name.endsWith('_date') ? env.now.toISOString() : env.uid || null);
  }
  return stamps;
}
