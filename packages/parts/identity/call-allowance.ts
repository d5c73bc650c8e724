import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';

const bucketFields = {
  client: fields.char({ required: true, unique: true, size: 128 }),
  tokens: fields.float({ required: true, help: 'Calls that the client has left.' }),
  counts: fields.json({ help: 'Calls granted by slot of five seconds since 1970.' }),
  at: fields.datetime({ required: true, default: now, index: true }),
};
export interface SysRateBucket extends FieldsOf<typeof bucketFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.rate.bucket': SysRateBucket;
  }
}

/** The calls granted to each client in the last minute, shared by all processes. */
export const sysRateBucket = defineModel('sys.rate.bucket', {
  label: 'Request allowance',
  noCompany: 'Nobody reads it.',
  order: '-id',
  displayName: '{client}',
  quiet: true,
  fields: bucketFields,
});

const slotSeconds = 5;
/** Any 60 seconds touch at most this many slots, so their sum bounds every minute wherever it begins. */
const slotsOfMinute = 60 / slotSeconds + 1;

export interface LeaseRequest {
  readonly client: string;
  readonly perMinute: number;
  readonly wanted: number;
  /** The rest of the previous lease: it is returned to the slot it was granted in. */
  readonly unused: { readonly slot: number; readonly calls: number };
}

export interface CallLease {
  readonly slot: number;
  /** Zero: the client has used up its minute. */
  readonly granted: number;
  /** Calls that are not leased yet. */
  readonly left: number;
  /** How long the lease is valid: until its slot ends. */
  readonly validMs: number;
  /** When calls of the oldest slot become free. */
  readonly waitMs: number;
}

type Counts = Readonly<Record<string, number>>;

/**
 * Grants a process some of a client's calls: at most `perMinute` in any 60 seconds over all processes. A lease ends
 * with its slot, so that every call is made in the slot in which it is counted.
 */
export async function leaseCalls(db: Queryable, request: LeaseRequest): Promise<CallLease> {
  const client = request.client.slice(0, 128);
  for (;;) {
    const [known] = await db.query<{ counts: string | null; seconds: number }>(sql`
      select (select counts::text from sys_rate_bucket where client = ${client}) as counts,
        extract(epoch from clock_timestamp())::float8 as seconds`);
    const before = known?.counts ?? null;
    const { counts, lease } = grantCalls(JSON.parse(before ?? '{}') as Counts, known?.seconds ?? 0, request);
    // Written only if unchanged since it was read: another process may have been granted calls meanwhile.
    const written = await db.query(sql`
      insert into sys_rate_bucket as b (client, tokens, counts, at, create_date, write_date)
      values (${client}, ${lease.left}, ${JSON.stringify(counts)}::jsonb, clock_timestamp(), now(), now())
      on conflict (client) do update set tokens = excluded.tokens, counts = excluded.counts, at = excluded.at
        where b.counts is not distinct from ${before}::jsonb
      returning 1 as written`);
    if (written.length > 0) return lease;
  }
}

/** The counts after a lease at that moment, and the lease. */
export function grantCalls(
  before: Counts,
  seconds: number,
  { perMinute, wanted, unused }: Omit<LeaseRequest, 'client'>,
): { readonly counts: Counts; readonly lease: CallLease } {
  const slot = Math.floor(seconds / slotSeconds);
  const counts: Record<string, number> = {};
  for (const [key, calls] of Object.entries(before)) {
    const open = Number(key) === unused.slot ? calls - unused.calls : calls;
    if (Number(key) > slot - slotsOfMinute && open > 0) counts[key] = open;
  }
  const used = Object.values(counts).reduce((sum, calls) => sum + calls, 0);
  const granted = Math.max(0, Math.min(wanted, perMinute - used));
  const oldest = Math.min(slot, ...Object.keys(counts).map(Number));
  if (granted > 0) counts[slot] = (counts[slot] ?? 0) + granted;
  const until = (end: number) => Math.max(0, (end * slotSeconds - seconds) * 1_000);
  const left = Math.max(0, perMinute - used - granted);
  return {
    counts,
    lease: { slot, granted, left, validMs: until(slot + 1), waitMs: until(oldest + slotsOfMinute) },
  };
}
