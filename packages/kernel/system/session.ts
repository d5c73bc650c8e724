import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';
import { tellSessions } from '../events/publish.ts';
import { deviceName } from '../identity/device-name.ts';

const sessionFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  token_hash: fields.char({ secret: true, required: true, unique: true, size: 64 }),
  company_id: fields.many2one('core.company', { label: 'Active company', ondelete: 'cascade' }),
  started_at: fields.datetime({ required: true, default: now }),
  last_seen_at: fields.datetime({ required: true, default: now }),
  address: fields.char({ size: 64 }),
  user_agent: fields.char({ label: 'Browser', size: 400 }),
  device: fields.char({ computed: true }),
  last_write_lsn: fields.char({ size: 32, secret: true }),
};
export interface SysSession extends FieldsOf<typeof sessionFields> {}

const attemptFields = {
  login: fields.char({ required: true, size: 200 }),
  address: fields.char({ required: true, size: 64 }),
  at: fields.datetime({ required: true, default: now }),
};
export interface SysLoginAttempt extends FieldsOf<typeof attemptFields> {}

const tokenFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade' }),
  token_hash: fields.char({ secret: true, required: true, unique: true, size: 64 }),
  expires_at: fields.datetime({ required: true }),
};
export interface SysPasswordToken extends FieldsOf<typeof tokenFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.session': SysSession;
    'sys.login.attempt': SysLoginAttempt;
    'sys.password.token': SysPasswordToken;
  }
}

export const sysSession = defineModel('sys.session', {
  label: 'Session',
  order: '-last_seen_at',
  displayName: '{user_id.name}, {address}',
  quiet: true,
  companyRule: false,
  fields: sessionFields,
  computes: {
    device: { depends: ['user_agent'], value: (session) => deviceName(session.user_agent) },
  },
  hooks: {
    async beforeUnlink({ env, ids }) {
      await tellSessions(env, ids);
    },
  },
});

export const sysLoginAttempt = defineModel('sys.login.attempt', {
  label: 'Failed sign-in',
  order: '-at',
  displayName: '{login}, {address}',
  quiet: true,
  fields: attemptFields,
  indexes: ['login, at'],
});

export const sysPasswordToken = defineModel('sys.password.token', {
  label: 'Password reset',
  order: '-id',
  displayName: '{user_id.name}',
  quiet: true,
  fields: tokenFields,
});
