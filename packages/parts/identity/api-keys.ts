import { type Queryable, sql } from '@kontor/database';
import type { CacheSpec, Kernel, KeyScope } from '@kontor/kernel';
import type { Env as UntypedEnv } from '@kontor/orm';
import { currentUser, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { accessDenied, parseDomain, ValidationError } from '@kontor/protocol';
import { digest, newSecret } from './secrets.ts';

const apikeyFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', default: currentUser, readonly: true }),
  name: fields.char({ required: true, size: 200 }),
  prefix: fields.char({ readonly: true, size: 11, copy: false }),
  key_hash: fields.char({ secret: true, readonly: true, unique: true, size: 64, copy: false }),
  expires_at: fields.datetime({ label: 'Expires' }),
  scope: fields.json({
    readonly: true,
    help: 'Methods by model, such as {"sale.order": ["read"]}, with the domain and the fields that they are for. Empty: all.',
  }),
  agent: fields.char({
    size: 40,
    readonly: true,
    help: 'The name of the agent that works with it: its changes are marked. Empty: a plain program.',
  }),
  held: fields.json({
    readonly: true,
    help: 'What an agent only proposes: operations by model, such as {"*": ["unlink"]}. Empty: nothing.',
  }),
  last_used_at: fields.datetime({ label: 'Last used', readonly: true, copy: false }),
  last_write_lsn: fields.char({ size: 32, secret: true, readonly: true, copy: false }),
  active: fields.boolean({ default: true }),
};

export interface CoreUserApikey extends FieldsOf<typeof apikeyFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.user.apikey': CoreUserApikey;
  }
}

export const coreUserApikey = defineModel('core.user.apikey', {
  label: 'API key',
  closedToAgents: true,
  ownRules: 'People manage their own keys, though they may not change users.',
  order: '-id',
  displayName: '{name} ({prefix}…)',
  fields: apikeyFields,
  hooks: {
    async beforeWrite({ env, values }) {
      refuseLongerLife(env, values);
      return values;
    },
  },
});

/** Keys are given by administrators: their owner may end one, but not make it last. */
function refuseLongerLife(env: Env, values: Readonly<Record<string, unknown>>): void {
  if (env.isSudo || env.actor.groups.has('base.group_system')) return;
  for (const field of ['expires_at', 'active']) {
    if (!(field in values) || (field === 'active' && values.active === false)) continue;
    throw accessDenied('core.user.apikey', 'write', 'field', {
      field,
      message: 'Only an administrator can make an API key last longer.',
    });
  }
}

export interface ApiKey {
  readonly id: number;
  readonly uid: number;
  readonly scope: KeyScope | null;
  readonly agent: KeyAgent | null;
  /** Where the WAL stood after the last change by this key. */
  readonly lastWriteLsn: string | null;
}

/** What works with a key, where that is an agent. */
export interface KeyAgent {
  readonly name: string;
  /** What it only proposes; null: it does everything at once. */
  readonly held: HeldChanges | null;
}

/** Operations by model, `*` for every model: what a person approves before it happens. */
export type HeldChanges = Readonly<Record<string, readonly HeldOperation[]>>;
export type HeldOperation = (typeof heldOperations)[number];
/** `call`: an action of the model, whatever it does. */
export const heldOperations = ['create', 'write', 'unlink', 'call'] as const;

export interface NewApiKey {
  readonly userId: number;
  readonly name: string;
  readonly expiresAt: string | null;
  readonly scope: KeyScope | null;
  readonly agent?: KeyAgent | null;
}

interface KeyRow {
  readonly id: number;
  readonly user_id: number;
  readonly scope: string | null;
  readonly agent: string | null;
  readonly held: string | null;
  readonly last_write_lsn: string | null;
  readonly is_due: boolean;
}

const keyPattern = /^sk_[0-9a-f]{48}$/;

/** Returns the secret, which exists only in this answer. The caller has checked who may do this. */
export async function createApiKey(env: UntypedEnv, key: NewApiKey): Promise<{ id: number; secret: string }> {
  const secret = `sk_${newSecret(24)}`;
  const id = await env
    .sudo()
    .model('core.user.apikey')
    .create({
      user_id: key.userId,
      name: key.name,
      prefix: secret.slice(0, 11),
      key_hash: digest(secret),
      expires_at: key.expiresAt,
      scope: key.scope,
      agent: key.agent?.name ?? null,
      held: key.agent?.held ?? null,
    });
  return { id, secret };
}

/** The active, unexpired key of an active user; null when the secret is none. */
export async function findApiKey(kernel: Kernel, secret: string): Promise<ApiKey | null> {
  if (!keyPattern.test(secret)) return null;
  const hash = digest(secret);
  // With a replica every call must know the key's last write, which only the database does.
  return kernel.hasReplica ? findByHash(kernel.database, hash) : kernel.cached(keyCache, hash);
}

/**
 * Keys that were just found good, by their hash, so that a busy client does not cost a statement more with every call. A key
 * that is ended here is dropped with everyone's rights, and other processes hear of that. The age bounds what neither tells of:
 * a process that cannot hear, a key that expires, a hand in the database.
 */
export const keyCache: CacheSpec<string, ApiKey | null> = {
  droppedBy: ['rights'],
  maxKeys: 1_000,
  maxAgeMs: 500,
  // Guesses must not push out keys.
  isKept: (key) => key !== null,
  load: ({ db }, hash) => findByHash(db, hash),
};

/** Its last use is noted at most once a minute. */
async function findByHash(db: Queryable, hash: string): Promise<ApiKey | null> {
  const [row] = await db.query<KeyRow>(sql`
    select k.id, k.user_id, k.scope, k.agent, k.held, k.last_write_lsn,
      k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_due
    from core_user_apikey k join core_user u on u.id = k.user_id
    where k.key_hash = ${hash} and k.active and u.active and (k.expires_at is null or k.expires_at > now())`);
  if (!row) return null;
  if (row.is_due) await noteUse(db, row.id);
  const scope = row.scope === null ? null : toScope(JSON.parse(row.scope));
  const held = row.held === null ? null : toHeld(JSON.parse(row.held));
  const agent = row.agent === null ? null : { name: row.agent, held };
  return { id: row.id, uid: row.user_id, scope, agent, lastWriteLsn: row.last_write_lsn };
}

/** Of many requests at once that find the note old, one writes it. */
async function noteUse(db: Queryable, id: number): Promise<void> {
  await db.execute(sql`
    update core_user_apikey set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}

export async function rememberKeyWrite(db: Queryable, keyId: number, lsn: string): Promise<void> {
  await db.execute(sql`
    update core_user_apikey set last_write_lsn = greatest(last_write_lsn::pg_lsn, ${lsn}::pg_lsn)::text where id = ${keyId}`);
}

/** Reads a scope from outside or from the database; an empty one is none. */
export function toScope(value: unknown): KeyScope | null {
  if (value === null || value === undefined) return null;
  const entries = isPlain(value) ? Object.entries(value) : null;
  if (!entries?.every(([model, entry]) => isNames(entry) || (model !== '*' && isEntry(entry)))) {
    throw new ValidationError({
      scope: [
        'A scope maps model names to lists of methods, such as {"sale.order": ["read"]}, or to {"methods": […], "domain": […], "fields": […]}; "*" takes methods alone.',
      ],
    });
  }
  return entries.length === 0 ? null : (Object.fromEntries(entries) as KeyScope);
}

/** Reads what is held from outside or from the database; an empty one is none. */
export function toHeld(value: unknown): HeldChanges | null {
  if (value === null || value === undefined) return null;
  const entries = isPlain(value) ? Object.entries(value) : null;
  const isKnown = (operation: unknown) => heldOperations.includes(operation as HeldOperation);
  if (!entries?.every(([, operations]) => Array.isArray(operations) && operations.every(isKnown))) {
    throw new ValidationError({
      held: ['What is held maps model names to create, write, unlink and call, such as {"*": ["unlink"]}.'],
    });
  }
  return entries.length === 0 ? null : (Object.fromEntries(entries) as HeldChanges);
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isEntry(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const { methods, domain, fields, ...others } = value as Readonly<Record<string, unknown>>;
  const hasDomain = domain === undefined || isDomain(domain);
  return isNames(methods) && hasDomain && (fields === undefined || isNames(fields)) && Object.keys(others).length === 0;
}

function isDomain(value: unknown): boolean {
  try {
    return Array.isArray(value) && parseDomain(value) !== null;
  } catch {
    return false;
  }
}
