import { type Queryable, type Sql, sql } from '@kontor/database';
import type { CacheSpec, Kernel, KeyScope } from '@kontor/kernel';
import { type CallsOf, currentUser, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { accessDenied, text, UserError } from '@kontor/protocol';
import { changeHolding } from './key-holding.ts';
import { type HeldChanges, toHeld, toScope } from './key-scope.ts';
import { digest } from './secrets.ts';

const apikeyFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', default: currentUser, readonly: true }),
  name: fields.char({ required: true, size: 200 }),
  prefix: fields.char({ readonly: true, size: 11, copy: false }),
  key_hash: fields.char({ secret: true, readonly: true, unique: true, size: 64, copy: false }),
  expires_at: fields.datetime({ label: 'Expires', ends: true }),
  scope: fields.json({
    readonly: true,
    help: 'Methods by model, such as {"sale.order": ["read"]}, with the domain and the fields that they are for. Empty: all.',
  }),
  agent: fields.char({
    size: 40,
    readonly: true,
    help: 'The name of the agent that uses this key; its changes are marked with it. Empty for other programs.',
  }),
  held: fields.json({
    readonly: true,
    help: 'Operations that an agent may only propose, by model, such as {"*": ["unlink"]}. Empty for none.',
  }),
  approver_id: fields.many2one('core.user', {
    label: 'Who approves',
    readonly: true,
    ondelete: 'restrict',
    help: "Who decides on the agent's proposals. If empty, the person it acts on behalf of.",
  }),
  rate: fields.integer({
    label: 'Calls per minute',
    min: 1,
    max: 1_000_000,
    help: 'Calls also count towards the limit of the person. If empty, only that limit applies.',
  }),
  last_used_at: fields.datetime({ label: 'Last used', readonly: true, copy: false }),
  rotated_at: fields.datetime({ label: 'Rotated', readonly: true, copy: false }),
  old_prefix: fields.char({ label: 'Old secret', readonly: true, size: 11, copy: false }),
  old_key_hash: fields.char({ secret: true, readonly: true, unique: true, size: 64, copy: false }),
  old_expires_at: fields.datetime({ label: 'Old secret expires', readonly: true, copy: false }),
  old_last_used_at: fields.datetime({ label: 'Old secret last used', readonly: true, copy: false }),
  last_write_lsn: fields.char({ size: 32, secret: true, readonly: true, copy: false }),
  active: fields.boolean({ default: true }),
};

export interface CoreUserApikey extends FieldsOf<typeof apikeyFields> {}
export interface CoreUserApikeyCalls extends CallsOf<typeof coreUserApikey> {}
declare module '@kontor/orm' {
  interface Models {
    'core.user.apikey': CoreUserApikey;
  }
  interface Calls {
    'core.user.apikey': CoreUserApikeyCalls;
  }
}

export const coreUserApikey = defineModel('core.user.apikey', {
  label: 'API key',
  noCompany: 'A key belongs to one person.',
  closedToAgents: true,
  ownRules: 'People manage their own keys, though they may not change users.',
  order: '-id',
  displayName: '{name} ({prefix}…)',
  fields: apikeyFields,
  hooks: {
    async beforeWrite({ env, values }) {
      refuseMore(env, values);
      return values;
    },
  },
  actions: {
    /** For users who see that it is no longer used. */
    end_old_secret: {
      run: async ({ env, records }) => {
        // Hashes are only for the server; the caller's rights on these keys were checked before.
        const keys = env.sudo().model('core.user.apikey');
        const living = await keys.search([
          ['id', 'in', [...records.ids]],
          ['old_expires_at', '>', env.now.toISOString()],
        ]);
        if (living.length === 0) throw new UserError('The old secret no longer works.');
        await keys.write(living, { old_key_hash: null, old_expires_at: env.now.toISOString() });
        env.work.keepFromUndo();
      },
    },
    change_holding: changeHolding,
  },
});

/** Administrators create keys: their owner may revoke one, but not extend it or raise its limit. */
function refuseMore(env: Env, values: Readonly<Record<string, unknown>>): void {
  if (env.isSudo || env.actor.groups.has('base.group_system')) return;
  for (const field of ['expires_at', 'active', 'rate']) {
    if (!(field in values) || (field === 'active' && values.active === false)) continue;
    const message =
      field === 'rate'
        ? text('Only an administrator can change the call limit of an API key.')
        : text('Only an administrator can extend an API key.');
    throw accessDenied('core.user.apikey', 'write', 'field', { field, message });
  }
}

export interface ApiKey {
  readonly id: number;
  readonly uid: number;
  readonly scope: KeyScope | null;
  readonly agent: KeyAgent | null;
  /** Calls per minute; null: the user's limit. */
  readonly rate: number | null;
  /** The WAL position after the last change by this key. */
  readonly lastWriteLsn: string | null;
}

/** The agent that uses a key. */
export interface KeyAgent {
  readonly name: string;
  /** The changes it may only propose; null: it makes all changes directly. */
  readonly held: HeldChanges | null;
  /** Who decides on them; absent or null: the user of the key. */
  readonly approverId?: number | null;
}

interface KeyRow {
  readonly id: number;
  readonly user_id: number;
  readonly scope: string | null;
  readonly agent: string | null;
  readonly held: string | null;
  readonly approver_id: number | null;
  readonly rate: number | null;
  readonly last_write_lsn: string | null;
  readonly is_old: boolean;
  readonly is_due: boolean;
}

const keyPattern = /^sk_[0-9a-f]{48}$/;

/** The active, unexpired key of an active user; null if the secret is invalid. */
export async function findApiKey(kernel: Kernel, secret: string): Promise<ApiKey | null> {
  if (!keyPattern.test(secret)) return null;
  const hash = digest(secret);
  // With a replica every call needs the key's last write position, which only the database knows.
  return kernel.hasReplica ? findByHash(kernel.database, hash) : kernel.cached(keyCache, hash);
}

/**
 * Recently verified keys, by their hash, so that a busy client does not cost an extra statement per call. A key that is
 * revoked here is dropped with everyone's rights, and other processes are notified. The age limit covers the rest: a
 * process that receives no events, a key that expires, a manual change in the database.
 */
export const keyCache: CacheSpec<string, ApiKey | null> = {
  droppedBy: ['rights'],
  maxKeys: 1_000,
  maxAgeMs: 500,
  // Invalid guesses must not evict valid keys.
  isKept: (key) => key !== null,
  load: ({ db }, hash) => findByHash(db, hash),
};

/** The last use of each secret is recorded at most once a minute. */
async function findByHash(db: Queryable, hash: string): Promise<ApiKey | null> {
  const [row] = await db.query<KeyRow>(sql`
    select k.id, k.user_id, k.scope, k.agent, k.held, k.approver_id, k.rate, k.last_write_lsn, k.key_hash <> ${hash} as is_old,
      coalesce(case when k.key_hash = ${hash} then k.last_used_at else k.old_last_used_at end, '-infinity')
        < now() - interval '1 minute' as is_due
    from core_user_apikey k join core_user u on u.id = k.user_id
    where (k.key_hash = ${hash} or (k.old_key_hash = ${hash} and k.old_expires_at > now()))
      and k.active and u.active and (k.expires_at is null or k.expires_at > now())`);
  if (!row) return null;
  const { id, user_id: uid, rate, is_old: isOld } = row;
  if (row.is_due) await noteUse(db, id, isOld ? sql`old_last_used_at` : sql`last_used_at`);
  const scope = row.scope === null ? null : toScope(JSON.parse(row.scope));
  const held = row.held === null ? null : toHeld(JSON.parse(row.held));
  const agent = row.agent === null ? null : { name: row.agent, held, approverId: row.approver_id };
  return { id, uid, scope, agent, rate, lastWriteLsn: row.last_write_lsn };
}

/** Of many concurrent requests that find the record outdated, one updates it. */
async function noteUse(db: Queryable, id: number, column: Sql): Promise<void> {
  await db.execute(sql`
    update core_user_apikey set ${column} = now()
    where id = ${id} and (${column} is null or ${column} < now() - interval '1 minute')`);
}

export async function rememberKeyWrite(db: Queryable, keyId: number, lsn: string): Promise<void> {
  await db.execute(sql`
    update core_user_apikey set last_write_lsn = greatest(last_write_lsn::pg_lsn, ${lsn}::pg_lsn)::text where id = ${keyId}`);
}
