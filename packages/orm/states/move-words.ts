import { type Text, text } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import { load } from '../reading/load.ts';

/** The name of a record for a message. Callers that may not read it were rejected before. */
export async function nameOf(env: Env, model: Model, id: number): Promise<string> {
  const [record] = await load(env.sudo(), model, [id], ['display_name']);
  return String(record?.display_name ?? `${model.label} #${id}`);
}

export function valueLabel(model: Model, value: string | null): string {
  const field = model.fields.get(model.states?.field ?? '');
  return `"${field?.selection?.get(value ?? '') ?? value ?? ''}"`;
}

export function oneOf(model: Model, values: readonly string[]): Text {
  return listOf(values.map((value) => valueLabel(model, value)));
}

/** One of several: `A, B or C`. */
export function listOf(names: readonly string[]): Text {
  const last = names.at(-1) ?? '';
  const others = names.slice(0, -1).join(', ');
  return others === '' ? text('{last}', { last }) : text('{others} or {last}', { others, last });
}
