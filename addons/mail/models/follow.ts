import { currentUser, defineModel, type Env, type FieldsOf, fields, ValidationError } from '@kontor/addon';
import { checkThread } from '../chatter/thread.ts';

/** What a follower hears. Mentions are also heard with `states`, and nothing at all with `none`. */
export const hearsChoices = {
  all: 'Everything',
  states: 'Changes of state',
  mentions: 'Mentions',
  none: 'Nothing',
} as const;

const hears = () =>
  fields.selection(hearsChoices, { label: 'Hears of', help: 'Empty: as for all records of its kind.' });

const followFields = {
  user_id: fields.many2one('core.user', {
    label: 'Person',
    default: currentUser,
    readonly: true,
    ondelete: 'cascade',
  }),
  partner_id: fields.many2one('core.partner', {
    label: 'Contact',
    readonly: true,
    ondelete: 'cascade',
    index: true,
    help: 'Somebody outside: gets messages to people outside, never notes.',
  }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  is_on: fields.boolean({ label: 'Follows', default: true, help: 'If no, they are only notified of mentions.' }),
  hears: hears(),
  why: fields.selection(
    { chose: 'Chose to', added: 'Added', mentioned: 'Mentioned' },
    { label: 'Why', required: true, default: 'chose', readonly: true },
  ),
};
export interface MailFollow extends FieldsOf<typeof followFields> {}

const kindFields = {
  user_id: fields.many2one('core.user', {
    label: 'Person',
    required: true,
    default: currentUser,
    readonly: true,
    ondelete: 'cascade',
  }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  hears: hears(),
  every: fields.boolean({
    label: 'Every record',
    help: 'Follows every record of the kind that they may read, not only those they take part in.',
    index: true,
  }),
};
interface MailFollowKind extends FieldsOf<typeof kindFields> {}

const digestFields = {
  user_id: fields.many2one('core.user', { label: 'Person', required: true, ondelete: 'cascade', index: true }),
  message_id: fields.many2one('mail.message', {
    label: 'Message',
    required: true,
    ondelete: 'cascade',
    index: true,
  }),
};
interface MailDigestItem extends FieldsOf<typeof digestFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.follow': MailFollow;
    'mail.follow.kind': MailFollowKind;
    'mail.digest.item': MailDigestItem;
  }
}

/** A user's choice to follow a record or not, or a contact who follows it. Without one, users follow records that they take part in. */
export const mailFollow = defineModel('mail.follow', {
  label: 'Followed record',
  noCompany: 'Following has the rules of the record that is followed.',
  order: 'model, res_id, id',
  displayName: '{model} {res_id}',
  ownRules: 'People choose for themselves what they follow; nobody reads it of others.',
  quiet: true,
  fields: followFields,
  uniques: {
    once: { fields: ['user_id', 'model', 'res_id'], message: 'You have already chosen this.' },
    contact_once: { fields: ['partner_id', 'model', 'res_id'], message: 'This contact follows the record already.' },
  },
  constraints: {
    one_follower: {
      on: ['user_id', 'partner_id'],
      holds: ({ user_id: user, partner_id: contact }) => (user === null) !== (contact === null),
      message: 'A follower is a user or a contact.',
    },
  },
  indexes: ['model, res_id'],
  hooks: {
    /** A repeated choice need not check for the first one. */
    async beforeCreate({ env, values }) {
      if (env.isSudo) return values;
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

/** What a user hears of all records of a kind, unless they chose otherwise at the record. */
export const mailFollowKind = defineModel('mail.follow.kind', {
  label: 'Followed kind of record',
  noCompany: 'A choice belongs to one person.',
  order: 'model, id',
  displayName: '{model}',
  ownRules: 'People choose for themselves what they follow; nobody reads it of others.',
  quiet: true,
  fields: kindFields,
  uniques: { once: { fields: ['user_id', 'model'], message: 'You have already chosen this.' } },
  hooks: {
    async beforeCreate({ env, values }) {
      const kinds = env.model('mail.follow.kind');
      for (const { model } of values) {
        if (!env.registry.models.get(model ?? '')?.chatter)
          throw new ValidationError({ model: ['Choose a kind of record with a discussion.'] });
        const old = await kinds.search([
          ['user_id', '=', env.uid],
          ['model', '=', model ?? null],
        ]);
        if (old.length > 0) await kinds.unlink(old);
      }
      return values;
    },
  },
});

/** A message that waits for the next digest of a user. It has no access rows: only the job reads it. */
export const mailDigestItem = defineModel('mail.digest.item', {
  label: 'Digest entry',
  noCompany: 'A digest belongs to one person.',
  order: 'id',
  displayName: '{user_id.name} {message_id}',
  quiet: true,
  fields: digestFields,
});

/** Only readable records can be followed, so that following reveals nothing. */
async function checkRecords(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  for (const { model, res_id: id } of await env.model('mail.follow').read(ids, ['model', 'res_id'])) {
    await checkThread(env, { model, id });
  }
}
