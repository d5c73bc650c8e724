import { type AwaitingColumn, requireColumns, type Transaction } from '@kontor/database';
import { type Env, type Field, fillDefaults, type Model } from '@kontor/orm';
import { AddonError } from './addon-error.ts';

/**
 * New required fields of existing records: those with a default get it. A field without a value stops the upgrade, since the
 * meaning of an empty one is unknown.
 */
export async function requireValues(env: Env, tx: Transaction, awaiting: readonly AwaitingColumn[]): Promise<void> {
  for (const { model, field } of fieldsOf(env, awaiting)) {
    if (field.spec.default !== undefined) await fillDefaults(env, model, field);
  }
  const [first, ...others] = fieldsOf(env, await requireColumns(tx, awaiting)).map(({ model, field }) =>
    refusal(model, field),
  );
  if (!first) return;
  first.also = others;
  throw first;
}

function fieldsOf(
  { registry }: Env,
  columns: readonly AwaitingColumn[],
): { readonly model: Model; readonly field: Field }[] {
  const models = new Map([...registry.models.values()].map((model) => [model.table, model]));
  return columns.flatMap(({ table, column }) => {
    const model = models.get(table);
    const field = model && [...model.fields.values()].find((each) => each.column === column);
    return model && field ? [{ model, field }] : [];
  });
}

function refusal(model: Model, field: Field): AddonError {
  return new AddonError(
    { addon: field.module },
    `${model.name}.${field.name} is required, and records that are there have no value for it.`,
    'Give it a default or a compute, or fill it in a migration.',
  );
}
