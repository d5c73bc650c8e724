import { sql } from '@kontor/database';
import type { KeyScope } from '@kontor/kernel';
import { type Env, typedEnv } from '@kontor/orm';
import { accessDenied, UserError, ValidationError } from '@kontor/protocol';
import type { KeyAgent } from './api-keys.ts';
import { digest, newSecret } from './secrets.ts';

export interface NewApiKey {
  readonly userId: number;
  readonly name: string;
  readonly expiresAt: string | null;
  readonly scope: KeyScope | null;
  readonly agent?: KeyAgent | null;
  /** Calls per minute; absent or null: the user's limit. */
  readonly rate?: number | null;
}

/** Returns the secret, which exists only in this answer. The caller has checked the right to do this. */
export async function createApiKey(env: Env, key: NewApiKey): Promise<{ id: number; secret: string }> {
  await checkOfUse(env, key);
  const { secret, prefix, hash } = makeSecret();
  // As the server: hashes cannot be written. Callers who may not create keys were rejected before; only the caller gets the secret.
  const id = await env
    .sudo()
    .model('core.user.apikey')
    .create({
      user_id: key.userId,
      name: key.name,
      prefix,
      key_hash: hash,
      expires_at: key.expiresAt,
      scope: key.scope,
      agent: key.agent?.name ?? null,
      held: key.agent?.held ?? null,
      approver_id: key.agent?.approverId ?? null,
      rate: key.rate ?? null,
    });
  return { id, secret };
}

/** A key that could never be used is a mistake of its creator. */
async function checkOfUse(env: Env, { userId, name, expiresAt, agent }: NewApiKey): Promise<void> {
  if (name.trim() === '') throw new ValidationError({ name: ['Name the integration that will use this key.'] });
  const [owner] = await env.model('core.user').read([userId], ['active']);
  if (owner?.active !== true) {
    throw new ValidationError({ user_id: ['This person is archived, so the key would give no access.'] });
  }
  const approver = agent?.approverId ?? null;
  if (approver !== null && (await env.model('core.user').read([approver], ['active']))[0]?.active !== true) {
    throw new ValidationError({ approver_id: ['This person is archived and cannot approve changes.'] });
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= env.now.getTime()) {
    throw new ValidationError({ expires_at: ['This date is in the past, so the key would give no access.'] });
  }
}

function makeSecret(): { readonly secret: string; readonly prefix: string; readonly hash: string } {
  const secret = `sk_${newSecret(24)}`;
  return { secret, prefix: secret.slice(0, 11), hash: digest(secret) };
}

/** How long the old secret stays valid by default, and at most. */
export const overlapHours = { usual: 24, most: 720 } as const;

interface Rotated {
  readonly name: string;
  readonly secret: string;
  /** Until when the old secret works; null: it ended now. */
  readonly oldEnds: string | null;
}

/**
 * A new secret for one's own key, or for any key as an administrator. The key keeps its id, scope, rate and expiry. The previous
 * secret stays valid for some hours; one that was still in its own overlap ends.
 */
export async function rotateApiKey(untyped: Env, id: number, hours: number): Promise<Rotated> {
  const env = typedEnv(untyped);
  const fields = ['name', 'user_id', 'user_id.active', 'active', 'expires_at'] as const;
  const [key] = await env.model('core.user.apikey').read([id], fields);
  if (!env.isSudo && key?.user_id !== env.uid && !env.actor.groups.has('base.group_system')) {
    throw accessDenied('core.user.apikey', 'write', 'rule');
  }
  const end = key?.expires_at ?? null;
  const isOver = end !== null && Date.parse(end) <= env.now.getTime();
  if (!key?.active || key['user_id.active'] !== true || isOver) {
    throw new UserError('This key has expired. Create a new one.');
  }
  if (!Number.isFinite(hours) || hours < 0 || hours > overlapHours.most) {
    throw new ValidationError({ overlap_hours: ['The old secret can stay valid for 0 to 720 hours.'] });
  }
  const oldEnds = hours === 0 ? null : earlier(new Date(env.now.getTime() + hours * 3_600_000).toISOString(), end);
  // Locked, so that two concurrent rotations each see which secret becomes the old one.
  await env.db.execute(sql`select from core_user_apikey where id = ${id} for update`);
  // Only the server handles hashes; the owner of the key was checked above.
  const keys = env.sudo().model('core.user.apikey');
  const [before] = await keys.read([id], ['prefix', 'key_hash', 'last_used_at']);
  const { secret, prefix, hash } = makeSecret();
  await keys.write([id], {
    ...{ prefix, key_hash: hash, last_used_at: null, rotated_at: env.now.toISOString() },
    old_prefix: before?.prefix ?? null,
    old_key_hash: oldEnds === null ? null : (before?.key_hash ?? null),
    old_last_used_at: before?.last_used_at ?? null,
    old_expires_at: oldEnds ?? env.now.toISOString(),
  });
  env.work.keepFromUndo();
  return { name: key.name, secret, oldEnds };
}

function earlier(one: string, other: string | null): string {
  return other !== null && Date.parse(other) < Date.parse(one) ? other : one;
}
