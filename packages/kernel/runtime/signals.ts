import { type Queryable, sql } from '@kontor/database';

/** What processes tell each other: that rights or modules changed. The bell only says "look"; the number says what. */
export type SignalName = 'rights' | 'modules';
export type Signals = Readonly<Record<SignalName, number>>;

export async function readSignals(db: Queryable): Promise<Signals> {
  const rows = await db.query<{ name: string; generation: number }>(sql`select name, generation from sys_signal`);
  const found = new Map(rows.map((row) => [row.name, row.generation]));
  return { rights: found.get('rights') ?? 0, modules: found.get('modules') ?? 0 };
}

/** In the transaction of the change, so that whoever sees the number sees the change. */
export async function raiseSignal(db: Queryable, name: SignalName): Promise<void> {
  await db.execute(sql`
    insert into sys_signal (name, generation) values (${name}, 1)
    on conflict (name) do update set generation = sys_signal.generation + 1`);
}
