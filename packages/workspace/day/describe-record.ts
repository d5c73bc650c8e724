import { type Env, type Field, type Model, mayReadField } from '@kontor/orm';
import type { WireRecord } from '@kontor/protocol';

/** A line about a record: relations, texts and choices as words, and an amount. */
interface Description {
  readonly about: readonly string[];
  readonly amount?: { readonly value: number | string; readonly currency: string | null };
}

/** The paths that `describe` needs, as far as the user may read them. */
export function describedPaths(env: Env, model: Model, names: readonly string[] = []): string[] {
  const fields = readable(env, model, names);
  const money = fields.filter(({ kind }) => kind.isMoney);
  return [...fields.map(pathOf), ...money.map((field) => `${currencyOf(field)}.display_name`)];
}

export function describe(env: Env, model: Model, names: readonly string[] = [], row: WireRecord): Description {
  const about: string[] = [];
  let amount: Description['amount'];
  for (const field of readable(env, model, names)) {
    const value = row[pathOf(field)] ?? null;
    if (value === null || value === '') continue;
    if (field.kind.isMoney) {
      const currency = row[`${currencyOf(field)}.display_name`];
      amount = { value: value as number, currency: typeof currency === 'string' ? currency : null };
    } else {
      about.push(field.selection?.get(String(value)) ?? String(value));
    }
  }
  return { about, ...(amount ? { amount } : {}) };
}

function readable(env: Env, { fields }: Model, names: readonly string[]): readonly Field[] {
  return names.flatMap((name) => {
    const field = fields.get(name);
    return field && mayReadField(env, field) ? [field] : [];
  });
}

function pathOf({ name, kind }: Field): string {
  return kind.isToOne ? `${name}.display_name` : name;
}

function currencyOf(field: Field): string {
  return field.spec.currency ?? 'currency_id';
}
