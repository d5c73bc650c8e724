import type { Field, Model } from '@kontor/orm';
import type { FuzzWorld } from './judge.ts';

type Ids = ReadonlyMap<string, readonly number[]>;
type Values = Readonly<Record<string, unknown>>;

/** What a caller who knows the documentation knows of a model. */
export interface KnownModel {
  readonly name: string;
  readonly fields: readonly KnownField[];
  /** Some records that there are. */
  readonly ids: readonly number[];
  /** Names of what each action asks. */
  readonly actions: ReadonlyMap<string, readonly string[]>;
  /** Values with which a new record can be made, as far as one can say. */
  readonly seed: Values;
}

export interface KnownField {
  readonly name: string;
  readonly type: string;
  readonly relation: string | null;
  readonly choices: readonly string[];
  readonly isSettable: boolean;
}

const known = 12;
/** An action of the shop that shows what a failure of the server looks like. */
const meantToFail = 'action_fail';

/** Every model of the server with its fields, some of its records and values for a new one. */
export async function knownModels(world: FuzzWorld): Promise<ReadonlyMap<string, KnownModel>> {
  const models = [...world.kernel.registry.models.values()];
  const ids = new Map<string, readonly number[]>();
  for (const { name } of models) {
    ids.set(name, await world.work((env) => env.sudo().model(name).search([], { limit: known })));
  }
  const found = new Map<string, KnownModel>();
  for (const model of models) {
    found.set(model.name, {
      name: model.name,
      fields: [...model.fields.values()].map(toKnown),
      ids: ids.get(model.name) ?? [],
      actions: new Map(
        [...model.actions.values()]
          .filter(({ name }) => name !== meantToFail)
          .map(({ name, asks }) => [name, [...asks.keys()]]),
      ),
      seed: await seedOf(world, model, ids),
    });
  }
  return found;
}

function toKnown(field: Field): KnownField {
  return {
    name: field.name,
    type: field.spec.type,
    relation: field.spec.relation ?? null,
    choices: [...(field.selection?.keys() ?? [])],
    isSettable: !field.isReadonly,
  };
}

/** The values of the first record that could be made again, where there is one; else something for each required field. */
async function seedOf(world: FuzzWorld, model: Model, ids: Ids): Promise<Values> {
  const settable = [...model.fields.values()].filter(
    (field) => !field.isReadonly && field.column !== null && field.spec.secret !== true,
  );
  const names = settable.map(({ name }) => name);
  const records = await world.work((env) =>
    env
      .sudo()
      .model(model.name)
      .read(ids.get(model.name) ?? [], names),
  );
  const seeds = [...records, {}].map((like) => seedLike(like, model, ids));
  for (const seed of seeds) {
    const call = { model: model.name, method: 'create', args: [seed], kwargs: { dry_run: true } };
    const { status } = await world.post(JSON.stringify(call));
    if (status === 200) return seed;
    if (status === 403) break;
  }
  return seeds[0] as Values;
}

function seedLike(like: Values, model: Model, ids: Ids): Values {
  const unique = new Set(model.uniques.flatMap(({ fields }) => fields));
  const seed: Record<string, unknown> = {};
  for (const field of model.fields.values()) {
    if (field.isReadonly || field.spec.secret === true) continue;
    if (field.name === model.states?.field) seed[field.name] = [...model.states.initial][0];
    else if (field.through !== null && field.required) seed[field.name] = [['set', ids.get(field.spec.relation ?? '')]];
    else if (field.column !== null) {
      const value = like[field.name] ?? (field.required ? somethingFor(field, ids) : null);
      const isTaken = field.spec.type === 'char' && (unique.has(field.name) || field.spec.unique === true);
      if (value !== null) seed[field.name] = isTaken ? `${value}x` : value;
    }
  }
  return JSON.parse(JSON.stringify(seed)) as Values;
}

function somethingFor(field: Field, ids: Ids): unknown {
  switch (field.spec.type) {
    case 'many2one':
      return ids.get(field.spec.relation ?? '')?.[0] ?? null;
    case 'selection':
      return [...(field.selection?.keys() ?? [])][0] ?? null;
    case 'date':
      return '2026-11-14';
    case 'datetime':
      return '2026-11-14T09:30:00Z';
    case 'boolean':
      return true;
    case 'integer':
    case 'float':
    case 'decimal':
    case 'monetary':
      return 1;
    case 'json':
      return [];
    default:
      return field.name === 'model' ? 'core.partner' : 'Something';
  }
}
