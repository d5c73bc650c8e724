import { didYouMean, invalidArgs } from '@kontor/protocol';
import type { ActionCall } from './model.ts';

const wholeNumber = /^-?\d{1,9}$/;

/** Gives each record its own number in one field: what dragging rows into another order comes to, in one transaction. */
export async function reorderRecords(model: string, { env, records, answers }: ActionCall): Promise<void> {
  const name = String(answers.field ?? '');
  const { fields } = env.registry.model(model);
  const field = fields.get(name);
  if (!field?.kind.isWhole || field.isReadonly) {
    const numbers = [...fields.values()].filter((one) => one.kind.isWhole && !one.isReadonly);
    const hint = didYouMean(
      name,
      numbers.map((one) => one.name),
    );
    throw invalidArgs(`vals.field names an integer field that can be written.${hint}`, { field: 'field' });
  }
  const numbers = String(answers.values ?? '')
    .split(',')
    .map((part) => part.trim());
  if (numbers.length !== records.ids.length || !numbers.every((text) => wholeNumber.test(text))) {
    throw invalidArgs('vals.values holds one whole number for each of active_ids.', { field: 'values' });
  }
  const byValue = new Map<number, number[]>();
  for (const [at, id] of records.ids.entries()) {
    const value = Number(numbers[at]);
    byValue.set(value, [...(byValue.get(value) ?? []), id]);
  }
  for (const [value, ids] of byValue) await env.model(model).write(ids, { [name]: value });
}
