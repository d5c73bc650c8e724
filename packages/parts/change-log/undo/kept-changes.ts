import { type Queryable, sql } from '@kontor/database';
import type { Field, Model, Registry } from '@kontor/orm';

/** One record in a set, from before the set to after it. */
export interface NetChange {
  readonly model: Model;
  readonly id: number;
  /** Whether it existed before the set, and whether it exists after it. */
  readonly wasThere: boolean;
  isThere: boolean;
  /** Values that people or code wrote, by field: as they were before the set and as it left them. */
  readonly old: Map<Field, unknown>;
  readonly new: Map<Field, unknown>;
  /** Its position among the created records of the set, and among the removed ones. */
  readonly made: number;
  removed: number;
}

interface KeptRow {
  readonly model: string;
  readonly res_id: number;
  readonly operation: 'create' | 'write' | 'unlink';
  readonly values: string;
}

export type Values = Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;

/** The combined changes of a set to each record; records of models that no longer exist are left out. */
export async function netChanges(db: Queryable, registry: Registry, setId: number): Promise<readonly NetChange[]> {
  const rows = await db.query<KeptRow & Record<string, unknown>>(sql`
    select model, res_id, operation, values::text as values from sys_change where set_id = ${setId}::int4 order by id`);
  const records = new Map<string, NetChange>();
  for (const [at, { model: name, res_id: id, operation, values }] of rows.entries()) {
    const model = registry.models.get(name);
    if (!model) continue;
    const key = `${name},${id}`;
    const wasThere = operation !== 'create';
    const known = records.get(key) ?? {
      model,
      id,
      wasThere,
      ...{ isThere: true, made: at, removed: at },
      ...nothing(),
    };
    records.set(key, known);
    known.isThere = operation !== 'unlink';
    known.removed = at;
    for (const [field, value] of ownValues(model, JSON.parse(values) as Values)) {
      if (!known.old.has(field)) known.old.set(field, value.old);
      known.new.set(field, value.new);
    }
  }
  return [...records.values()].filter((record) => record.wasThere || record.isThere);
}

function nothing() {
  return { old: new Map<Field, unknown>(), new: new Map<Field, unknown>() };
}

/** Values that users or code wrote; the kernel computes or stamps the others. */
export function ownValues(model: Model, values: Values): [Field, Values[string]][] {
  return Object.entries(values).flatMap(([name, value]): [Field, Values[string]][] => {
    const field = model.fields.get(name);
    return field && isOwn(field) ? [[field, value]] : [];
  });
}

const stamps: ReadonlySet<string> = new Set(['id', 'create_date', 'create_uid', 'write_date', 'write_uid']);

function isOwn(field: Field): boolean {
  return field.compute === null && field.related === null && !field.spec.secret && !stamps.has(field.name);
}

/** The ids of some changes by model. */
export function idsByModel(changes: readonly NetChange[]): ReadonlyMap<Model, readonly number[]> {
  const ids = new Map<Model, number[]>();
  for (const { model, id } of changes) {
    const own = ids.get(model);
    if (own) own.push(id);
    else ids.set(model, [id]);
  }
  return ids;
}

/** The maximum of one call. */
export function parts<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const size = 5_000;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
}
