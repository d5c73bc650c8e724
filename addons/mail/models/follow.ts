import { currentUser, defineModel, type Env, type FieldsOf, fields } from '@kontor/addon';
import { checkThread } from '../chatter/thread.ts';

const followFields = {
  user_id: fields.many2one('core.user', {
    label: 'Person',
    required: true,
    default: currentUser,
    readonly: true,
    ondelete: 'cascade',
  }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  is_on: fields.boolean({ label: 'Follows', default: true, help: 'If no, they are only notified of mentions.' }),
};
export interface MailFollow extends FieldsOf<typeof followFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.follow': MailFollow;
  }
}

/** A user's choice to follow a record or not. Without one, users follow records that they own or took part in. */
export const mailFollow = defineModel('mail.follow', {
  label: 'Followed record',
  noCompany: 'Following has the rules of the record that is followed.',
  order: 'model, res_id, id',
  displayName: '{model} {res_id}',
  ownRules: 'People choose for themselves what they follow; nobody reads it of others.',
  quiet: true,
  fields: followFields,
  uniques: { once: { fields: ['user_id', 'model', 'res_id'], message: 'You have already chosen this.' } },
  indexes: ['model, res_id'],
  hooks: {
    /** A repeated choice need not check for the first one. */
    async beforeCreate({ env, values }) {
      const follows = env.model('mail.follow');
      for (const { model, res_id: id } of values) {
        const old = await follows.search([
          ['user_id', '=', env.uid],
          ['model', '=', model ?? null],
          ['res_id', '=', id ?? null],
        ]);
        if (old.length > 0) await follows.unlink(old);
      }
      return values;
    },
    async afterCreate({ env, ids }) {
      await checkRecords(env, ids);
    },
    on: ['model', 'res_id'],
    afterWrite: ({ env, ids }) => checkRecords(env, ids),
  },
});

/** Only readable records can be followed, so that following reveals nothing. */
async function checkRecords(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  for (const { model, res_id: id } of await env.model('mail.follow').read(ids, ['model', 'res_id'])) {
    await checkThread(env, { model, id });
  }
}
