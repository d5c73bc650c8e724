import { randomBytes } from 'node:crypto';
import { type Database, sql, type Transaction } from '@kontor/database';
import { createThrottle, definePart, innerChannels, type KernelLog } from '@kontor/kernel';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import type { RecordRef } from '@kontor/protocol';
import { publishEvents } from '../events/outbox.ts';
import { isUser } from '../identity/rights.ts';
import { rememberOpened, sysRecent } from './recent.ts';

const presenceFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  process: fields.char({ required: true, size: 64, index: true }),
  socket: fields.integer({ required: true, help: 'One connection of the process.' }),
  seen_at: fields.datetime({ required: true, index: true }),
};
export interface SysPresence extends FieldsOf<typeof presenceFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.presence': SysPresence;
  }
}

/** Who has which record open, in all processes. Rows that their process no longer refreshes are ignored. */
export const sysPresence = defineModel('sys.presence', {
  label: 'Presence',
  noCompany: 'It has the rules of the record that is looked at.',
  order: 'id',
  displayName: '{user_id.name}, {model} {res_id}',
  quiet: true,
  fields: presenceFields,
  indexes: ['model, res_id'],
});

/** Who has which record open. Every process stores what its own sockets show, and all are notified of changes. */
export interface Presence {
  /** What a socket shows from now on; nothing if it is closed. */
  show(socket: number, uid: number, records: readonly RecordRef[]): void;
  /** Users who have the record open, in any process. */
  peopleAt(record: RecordRef): Promise<readonly number[]>;
  /** Refreshes its rows, and deletes those of processes that died. */
  refresh(): void;
  close(): Promise<void>;
}

export interface PresenceOptions {
  readonly database: Database;
  readonly log: KernelLog;
  /** Notifies the other processes. */
  readonly ring: () => void;
}

const gatherMs = 50;
/** Rows that were not refreshed for this long belong to a dead process. */
const lifeSeconds = 90;

interface Shown {
  readonly uid: number;
  readonly records: readonly RecordRef[];
}

export function createPresence({ database, log, ring }: PresenceOptions): Presence {
  const process = randomBytes(12).toString('hex');
  let changes = new Map<number, Shown>();
  const onError = (error: unknown) => log.warn({ err: error }, 'presence could not be written');
  const writing = createThrottle(write, { spacingMs: gatherMs, onError });
  const refreshing = createThrottle(refresh, { spacingMs: gatherMs, onError });

  async function write(): Promise<void> {
    if (changes.size === 0) return;
    const mine = changes;
    changes = new Map();
    await database.transaction(async (tx) => {
      const left = await forget(tx, process, [...mine.keys()]);
      const entered = await enter(tx, process, mine);
      await rememberOpened(tx, entered);
      await tell(tx, [...left, ...entered]);
    });
    ring();
  }

  async function refresh(): Promise<void> {
    const count = await database.transaction(async (tx) => {
      await tx.execute(sql`update sys_presence set seen_at = now() where process = ${process}`);
      const gone = await tx.query<PresenceRow>(sql`
        delete from sys_presence where seen_at < now() - make_interval(secs => ${lifeSeconds}::int4) returning model, res_id`);
      return tell(tx, gone);
    });
    if (count > 0) ring();
  }

  return {
    show(socket, uid, records) {
      changes.set(socket, { uid, records });
      writing.ask();
    },
    async peopleAt({ model, id }) {
      const rows = await database.query<{ user_id: number }>(sql`
        select distinct user_id from sys_presence where model = ${model} and res_id = ${id}
          and seen_at > now() - make_interval(secs => ${lifeSeconds}::int4) order by user_id`);
      return rows.map((row) => row.user_id);
    },
    refresh: refreshing.ask,
    async close() {
      await Promise.all([writing.stop(), refreshing.stop()]);
      await database
        .transaction(async (tx) => {
          const left = await tx.query<PresenceRow>(
            sql`delete from sys_presence where process = ${process} returning model, res_id`,
          );
          if ((await tell(tx, left)) > 0) tx.afterCommit(ring);
        })
        .catch(onError);
    },
  };
}

interface PresenceRow {
  readonly model: string;
  readonly res_id: number;
}
interface EnteredRow extends PresenceRow {
  readonly user_id: number;
}

function forget(tx: Transaction, process: string, sockets: readonly number[]): Promise<PresenceRow[]> {
  return tx.query<PresenceRow>(sql`
    delete from sys_presence where process = ${process} and socket = any(${[...sockets]}::int4[]) returning model, res_id`);
}

async function enter(tx: Transaction, process: string, shown: ReadonlyMap<number, Shown>): Promise<EnteredRow[]> {
  const rows = [...shown].flatMap(([socket, { uid, records }]) =>
    records.map((record) => ({ socket, uid, ...record })),
  );
  if (rows.length === 0) return [];
  return tx.query<EnteredRow>(sql`
    insert into sys_presence (process, socket, user_id, model, res_id, seen_at, create_date, write_date)
    select ${process}, row.socket, row.uid, row.model, row.id, now(), now(), now()
    from unnest(${rows.map((row) => row.socket)}::int4[], ${rows.map((row) => row.uid)}::int4[],
      ${rows.map((row) => row.model)}::text[], ${rows.map((row) => row.id)}::int4[]) as row(socket, uid, model, id)
    where ${isUser(sql`row.uid`)}
    returning user_id, model, res_id`);
}

async function tell(tx: Transaction, rows: readonly PresenceRow[]): Promise<number> {
  const records = new Map(rows.map((row) => [`${row.model},${row.res_id}`, { model: row.model, id: row.res_id }]));
  await publishEvents(
    tx,
    [...records.values()].map((payload) => ({ channel: innerChannels.presence, payload })),
  );
  return records.size;
}

/** Who has which record open. */
export const presencePart = definePart({
  name: 'presence',
  models: [sysPresence, sysRecent],
  expires: {
    clean_events: [
      { model: 'sys.presence', column: 'seen_at', age: '1 hour' },
      { model: 'sys.recent', column: 'seen_at', age: '60 days' },
    ],
  },
});
