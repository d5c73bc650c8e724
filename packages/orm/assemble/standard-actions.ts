import { didYouMean, invalidArgs, UserError } from '@kontor/protocol';
import type { ActionAnswer } from '../model/behaviour.ts';
import { frozenMap } from '../model/frozen-map.ts';
import type { ActionCall, Field, ObjectAction } from '../model/model.ts';
import { wireName } from '../model/names.ts';
import { open } from '../model/open.ts';
import { askedField } from './asked-fields.ts';

const plainAction = Object.freeze({
  kind: 'action',
  label: null,
  icon: null,
  warns: null,
  mails: null,
  single: null,
  groups: null,
  asks: frozenMap<string, Field>([]),
  proposes: null,
} as const);

/** Actions that every model has. An extension gets the original as `base`. */
export function standardActions(model: string, hasActive: boolean): ReadonlyMap<string, ObjectAction> {
  const actions = [
    action('copy', 'read', (call) => copyOne(model, call)),
    { ...action('reorder', 'write', (call) => reorderRecords(model, call)), asks: reorderAsks(model) },
  ];
  if (hasActive) {
    actions.push(action('archive', 'write', (call) => setActive(model, call, false)));
    actions.push(action('unarchive', 'write', (call) => setActive(model, call, true)));
  }
  return new Map(actions.map((each) => [each.name, each]));
}

function reorderAsks(model: string): ReadonlyMap<string, Field> {
  const asked = (name: string) => [name, askedField({ model, module: 'base' }, name, { type: 'text' })] as const;
  return frozenMap([asked('field'), asked('values')]);
}

function action(name: string, needs: ObjectAction['needs'], run: ObjectAction['run']): ObjectAction {
  return Object.freeze({ ...plainAction, name: wireName(name), module: 'base', needs, run });
}

async function copyOne(model: string, { env, records }: ActionCall): Promise<ActionAnswer> {
  const [id, ...others] = records.ids;
  if (id === undefined || others.length > 0) throw new UserError('Choose one record to copy.');
  const copied = await env.model(model).copy(id);
  return open(model, { id: copied });
}

async function setActive(model: string, { env, records }: ActionCall, active: boolean): Promise<void> {
  await env.model(model).write(records.ids, { active });
}

const wholeNumber = /^-?\d{1,9}$/;

/** Writes a number into one field of each record, after rows were dragged into another order. */
async function reorderRecords(model: string, { env, records, answers }: ActionCall): Promise<void> {
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
