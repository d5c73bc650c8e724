import { type ActionCall, type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';
import { keepOptOut } from '../optout/keep-opt-out.ts';

const own = { readonly: true, copy: false } as const;

const addressFields = {
  email: fields.char({ personal: true, label: 'E-mail', required: true, unique: true, size: 320, ...own }),
  opted_out_at: fields.datetime({ label: 'Opted out', ...own, tracking: true, index: true }),
  reason: fields.char({ personal: true, size: 300, ...own, tracking: true, help: 'How this came about.' }),
  bounced_at: fields.datetime({ label: 'Not delivered', ...own, tracking: true }),
  secret: fields.char({ secret: true, required: true, size: 64, copy: false }),
  recipient_ids: fields.one2many('mailing.recipient', 'address_id', { label: 'Recipients', copy: false }),
};
export interface MailingAddress extends FieldsOf<typeof addressFields> {}
export interface MailingAddressCalls extends CallsOf<typeof mailingAddress> {}
declare module '@kontor/addon' {
  interface Models {
    'mailing.address': MailingAddress;
  }
  interface Calls {
    'mailing.address': MailingAddressCalls;
  }
}

const asks = { reason: fields.char({ label: 'Reason', required: true, size: 200 }) };
type Call = ActionCall<'mailing.address', typeof asks>;

/**
 * An address that a mailing went to, with what its owner wants. It is never deleted by itself: the links in old mails work, and whoever
 * opted out stays so.
 */
export const mailingAddress = defineModel('mailing.address', {
  label: 'Address',
  noCompany: 'Whoever opted out gets no mailing, whichever company sends it; companies that wrote to it see it.',
  closedToAgents: true,
  order: 'email',
  displayName: '{email}',
  chatter: true,
  fields: addressFields,
  actions: {
    opt_out: {
      label: 'Opt out',
      icon: 'x',
      needs: 'read',
      groups: ['mailing.group_user'],
      asks,
      run: (call) => change(call, true),
    },
    /** Only for somebody who asked for it: the reason stays with the address. */
    subscribe_again: {
      label: 'Subscribe again',
      icon: 'rotate-ccw',
      needs: 'read',
      groups: ['mailing.group_user'],
      asks,
      run: (call) => change(call, false),
    },
    /** The address works again. */
    try_again: {
      label: 'Send to it again',
      icon: 'check',
      needs: 'read',
      groups: ['mailing.group_user'],
      run: async ({ env, records }) => {
        // As the server: addresses are written by what happened to them.
        await env.sudo().model('mailing.address').write(records.ids, { bounced_at: null });
      },
    },
  },
});

async function change({ env, records, answers }: Call, isOut: boolean): Promise<void> {
  const [me] = await env.sudo().model('core.user').read([env.uid], ['name']);
  const reason = [me?.name, answers.reason].filter(Boolean).join(': ');
  for (const { email } of await records.load('email')) await keepOptOut(env, email, isOut, reason);
}
