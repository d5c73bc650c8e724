import { didYouMean, invalidArgs } from '@kontor/protocol';
import type { ActionCall } from './definition.ts';

const wholeNumber = /^-?\d{1,9}$/;

/** Gives each record its own number in one field: what dragging rows into another order comes to, in one transaction. */
export async function reorderRecords(model: string, { env, records, params }: ActionCall): Promise<void> {
  const name = params.field ?? '';
  const { fields } = env.registry.model(model);
  const field = fields.get(name);
  if (field?.spec.type !== 'integer' || field.isReadonly) {
    const numbers = [...fields.values()].filter((one) => one.spec.type === 'integer' && !one.isReadonly);
    const hint = didYouMean(
      name,
      numbers.map((one) => one.name),
    );
    throw invalidArgs(`vals.field names an integer field that can be written.${hint}`, { field: 'field' });
  }
  const numbers = listOf(params.values);
  // The records of a call come in the order of their ids; who is to have which number only the list as it was sent tells.
  const order = params.active_ids === undefined ? [...records.ids] : listOf(params.active_ids).map(Number);
  if (numbers.length !== order.length || !numbers.every((text) => wholeNumber.test(text))) {
    throw invalidArgs('vals.values holds one whole number for each of active_ids.', { field: 'values' });
  }
  const byValue = new Map<number, number[]>();
  for (const [at, id] of order.entries()) {
    if (!records.ids.includes(id)) continue;
    const value = Number(numbers[at]);
    byValue.set(value, [...(byValue.get(value) ?? []), id]);
  }
  for (const [value, ids] of byValue) await env.model(model).write(ids, { [name]: value });
}

function listOf(text = ''): readonly string[] {
  return text.split(',').map((part) => part.trim());
}
