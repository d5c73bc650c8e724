import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const signalFields = {
  name: fields.char({ required: true, unique: true, size: 64 }),
  generation: fields.integer({ required: true, default: 0 }),
};
export interface SysSignal extends FieldsOf<typeof signalFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.signal': SysSignal;
  }
}

export const sysSignal = defineModel('sys.signal', {
  label: 'Signal',
  order: 'name',
  quiet: true,
  fields: signalFields,
});

/** Modules were installed, upgraded or uninstalled; every other signal belongs to a part. */
export const modulesSignal = 'modules';

/** How often each signal was raised. The bell only wakes processes; these numbers say what is new. */
export type Signals = ReadonlyMap<string, number>;

export async function readSignals(db: Queryable): Promise<Signals> {
  const rows = await db.query<{ name: string; generation: number }>(sql`select name, generation from sys_signal`);
  return new Map(rows.map((row) => [row.name, row.generation]));
}

/** Wakes every process. */
export const bellChannel = 'kontor';

/**
 * In the transaction of the change, so that a process that sees the number also sees the change. The database rings with the commit: a
 * process that dies right after it could not. Signals are rare, so that commits waiting for each other do not matter.
 */
export async function raiseSignals(db: Queryable, names: Iterable<string>): Promise<void> {
  // Sorted: two transactions that raise several signals must not deadlock.
  const sorted = [...names].sort();
  if (sorted.length === 0) return;
  await db.query(sql`
    with raised as (
      insert into sys_signal (name, generation) select name, 1 from unnest(${sorted}::text[]) as name
      on conflict (name) do update set generation = sys_signal.generation + 1
      returning name
    )
    select pg_notify(${bellChannel}, '')::text as rung from raised limit 1`);
}
