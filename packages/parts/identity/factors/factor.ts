import { type Queryable, type Sql, sql } from '@kontor/database';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { endSteps } from './sign-in-step.ts';

const factorFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', readonly: true, label: 'Person' }),
  kind: fields.selection({ totp: 'Authenticator app', passkey: 'Passkey' }, { required: true, readonly: true }),
  name: fields.char({ required: true, size: 100 }),
  last_used_at: fields.datetime({ label: 'Last used', readonly: true, copy: false }),
  material: fields.text({
    secret: true,
    required: true,
    copy: false,
    help: 'Used to verify a code or a signature.',
  }),
  last_step: fields.integer({ secret: true, copy: false, help: 'The last time step whose code was used.' }),
  credential_id: fields.char({ secret: true, unique: true, size: 1400, copy: false }),
};
export interface CoreUserFactor extends FieldsOf<typeof factorFields> {}

declare module '@kontor/orm' {
  interface Models {
    'core.user.factor': CoreUserFactor;
  }
}

/** A second factor of a user, or a passkey. Created and removed by routes that ask for the password, never by RPC. */
export const coreUserFactor = defineModel('core.user.factor', {
  label: 'Second factor',
  noCompany: 'A factor belongs to one person.',
  closedToAgents: true,
  ownRules: 'People see their own, though they may not change users.',
  order: 'kind, id',
  displayName: '{name}',
  fields: factorFields,
});

/** The other factors required at sign-in. */
export interface Factors {
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
  /** One of the user's groups requires two factors. */
  readonly isRequired: boolean;
}

export const noFactors: Factors = { hasTotp: false, hasPasskey: false, isRequired: false };

/** Columns of a query over `core_user u`, so that the sign-in needs no further statement. */
export const factorColumns: Sql = sql`
  exists (select 1 from core_user_factor f where f.user_id = u.id and f.kind = 'totp') as has_totp,
  exists (select 1 from core_user_factor f where f.user_id = u.id and f.kind = 'passkey') as has_passkey,
  exists (
    with recursive mine as (
      select group_id as id from core_group_user_rel where user_id = u.id
      union select rel.implied_id from core_group_implied_rel rel join mine on mine.id = rel.group_id
    )
    select 1 from mine join core_group g on g.id = mine.id where g.requires_factor
  ) as is_required`;

export interface FactorRow extends Record<string, unknown> {
  readonly has_totp: boolean;
  readonly has_passkey: boolean;
  readonly is_required: boolean;
}

export function toFactors(row: FactorRow): Factors {
  return { hasTotp: row.has_totp, hasPasskey: row.has_passkey, isRequired: row.is_required };
}

export interface NewFactor {
  readonly uid: number;
  readonly kind: 'totp' | 'passkey';
  readonly name: string;
  readonly material: string;
  readonly lastStep?: number;
  readonly credentialId?: string;
}

/** The caller has verified the user. */
export async function addFactor(env: Env, factor: NewFactor): Promise<number> {
  // Undoing it would remove the factor without asking for the password.
  env.work.keepFromUndo();
  await endSteps(env.db, [factor.uid]);
  // As the server: factors cannot be created as records.
  return env
    .sudo()
    .model('core.user.factor')
    .create({
      user_id: factor.uid,
      kind: factor.kind,
      name: factor.name.trim().slice(0, 100) || 'Kontor',
      material: factor.material,
      last_step: factor.lastStep ?? null,
      credential_id: factor.credentialId ?? null,
    });
}

/** Deletes some or all factors of a user; if none is left, their recovery codes too. Returns whether there were any. */
export async function removeFactors(env: Env, uid: number, ids?: readonly number[]): Promise<boolean> {
  env.work.keepFromUndo();
  await endSteps(env.db, [uid]);
  // As the server, for the same reason.
  const factors = env.sudo().model('core.user.factor');
  const own = await factors.search([['user_id', '=', uid]]);
  const gone = ids ? own.filter((id) => ids.includes(id)) : own;
  if (gone.length > 0) await factors.unlink(gone);
  if (gone.length === own.length) await dropRecoveryCodes(env.db, uid);
  return gone.length > 0;
}

async function dropRecoveryCodes(db: Queryable, uid: number): Promise<void> {
  await db.execute(sql`delete from core_user_recovery where user_id = ${uid}`);
}
