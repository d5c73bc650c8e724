import { type Queryable, sql } from '@kontor/database';

/**
 * What processes tell each other: that rights, modules, what people see (views, actions, menus, automations) or what they set
 * for themselves changed. The bell only says "look"; the number says what.
 */
export const signalNames = ['rights', 'modules', 'views', 'settings'] as const;
export type SignalName = (typeof signalNames)[number];
export type Signals = Readonly<Record<SignalName, number>>;

export const noSignals: Signals = { rights: 0, modules: 0, views: 0, settings: 0 };

export async function readSignals(db: Queryable): Promise<Signals> {
  const rows = await db.query<{ name: string; generation: number }>(sql`select name, generation from sys_signal`);
  const found = new Map(rows.map((row) => [row.name, row.generation]));
  const generations = signalNames.map((name) => [name, found.get(name) ?? 0]);
  return Object.fromEntries(generations) as Record<SignalName, number>;
}

/** In the transaction of the change, so that whoever sees the number sees the change. */
export async function raiseSignals(db: Queryable, names: Iterable<SignalName>): Promise<void> {
  // Sorted: two transactions that raise several must not wait for each other.
  const sorted = [...names].sort();
  if (sorted.length === 0) return;
  await db.execute(sql`
    insert into sys_signal (name, generation) select name, 1 from unnest(${sorted}::text[]) as name
    on conflict (name) do update set generation = sys_signal.generation + 1`);
}
