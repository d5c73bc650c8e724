import '@addons/mail';
import {
  type ActionCall,
  type CallsOf,
  companyValue,
  currentCompany,
  currentUser,
  defineModel,
  type FieldsOf,
  fields,
  open,
  type WriteValues,
} from '@kontor/addon';
import { checkMailings, refuseLocked } from '../sending/check-mailing.ts';
import { cancel, openAudience, pause, proposeSchedule, resume, schedule, scheduleAsks } from '../sending/schedule.ts';
import { sendTest } from '../sending/send-test.ts';

const own = { readonly: true, copy: false } as const;
const count = (label: string) => fields.integer({ label, computed: true });

const mailingFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ label: 'Sent to', names: 'model', required: true, size: 128, default: 'core.partner' }),
  domain: fields.json({
    names: 'domain',
    label: 'Audience',
    help: 'Who gets it. If empty, everybody that its sender may read.',
  }),
  address_path: fields.char({
    ...{ label: 'Field with the address', required: true, size: 200, default: 'email' },
    help: 'Such as email, or partner_id.email for records with a contact.',
  }),
  lang: fields.char({ label: 'Language', required: true, size: 16, default: companyValue('lang') }),
  subject: fields.char({ required: true, size: 500, help: 'Fields of the record in braces, such as {name}.' }),
  body: fields.text({
    ...{ label: 'Message', required: true },
    help: 'Fields of the record in braces, such as {name}. A line with an empty field is left out. The way to opt out is added.',
  }),
  rate: fields.integer({
    label: 'Mails per hour',
    required: true,
    default: 200,
    min: 1,
    max: 50_000,
    aggregate: 'none',
  }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  user_id: fields.many2one('core.user', { label: 'Author', default: currentUser, ondelete: 'set null', ...own }),
  sender_id: fields.many2one('core.user', {
    ...{ label: 'Sender', ondelete: 'set null', ...own },
    help: 'Who scheduled it: it contains what this person may read.',
  }),
  state: fields.selection(
    {
      draft: 'Draft',
      waiting: 'Scheduled',
      sending: 'Being sent',
      paused: 'Paused',
      done: 'Sent',
      cancelled: 'Cancelled',
    },
    { required: true, default: 'draft', ...own, tracking: true },
  ),
  send_at: fields.datetime({ label: 'Begins', ...own }),
  problem: fields.selection(
    {
      sender: 'Its sender can no longer sign in, or not in this company.',
      rights: 'Its sender may no longer read its audience.',
    },
    { label: 'Paused because', ...own },
  ),
  audience: fields.integer({ label: 'People in the audience', ...own, aggregate: 'none' }),
  sample: fields.char({ label: 'Such as', personal: true, size: 500, ...own }),
  position: fields.integer({ required: true, default: 0, ...own, aggregate: 'none' }),
  is_listed: fields.boolean({ label: 'All recipients are listed', ...own }),
  recipient_ids: fields.one2many('mailing.recipient', 'mailing_id', { label: 'Recipients', copy: false }),
  recipient_count: count('Recipients'),
  sent_count: count('Sent'),
  failed_count: count('Given up'),
  bounced_count: count('Not delivered'),
  answered_count: count('Answered'),
  opted_out_count: count('Opted out'),
  left_out_count: count('Left out'),
};
export interface MailingMailing extends FieldsOf<typeof mailingFields> {}
export interface MailingMailingCalls extends CallsOf<typeof mailingMailing> {}
declare module '@kontor/addon' {
  interface Models {
    'mailing.mailing': MailingMailing;
  }
  interface Calls {
    'mailing.mailing': MailingMailingCalls;
  }
}

const one = 'Choose one mailing.';

/** A message to many people. */
export const mailingMailing = defineModel('mailing.mailing', {
  label: 'Mailing',
  order: '-id',
  chatter: true,
  closedToAgents: true,
  fields: mailingFields,
  computes: {
    recipient_count: { count: 'recipient_ids' },
    sent_count: { sum: 'recipient_ids.sent' },
    failed_count: { sum: 'recipient_ids.failed' },
    bounced_count: { sum: 'recipient_ids.bounced' },
    answered_count: { sum: 'recipient_ids.answered' },
    opted_out_count: { sum: 'recipient_ids.opted_out' },
    left_out_count: { sum: 'recipient_ids.left_out' },
  },
  constraints: {
    fitting_body: {
      on: ['body'],
      holds: ({ body }) => body.length <= 10_000,
      message: 'A message has at most 10,000 characters.',
    },
  },
  hooks: {
    on: ['model', 'domain', 'address_path', 'subject', 'body', 'lang', 'rate', 'company_id'],
    afterCreate: ({ env, ids }) => checkMailings(env, ids),
    beforeWrite: async ({ env, ids, values }) => {
      await refuseLocked(env, ids, values as WriteValues<'mailing.mailing'>);
      return values;
    },
    afterWrite: ({ env, ids }) => checkMailings(env, ids),
  },
  actions: {
    test: { label: 'Send me a test', icon: 'send', single: one, mails: 'only', run: sendTest },
    schedule: {
      ...{ label: 'Send', icon: 'send', single: one, asks: scheduleAsks },
      mails: 'only',
      proposes: proposeSchedule,
      run: schedule,
    },
    pause: { label: 'Pause', icon: 'pause', single: one, run: pause },
    resume: { label: 'Go on', icon: 'play', single: one, run: resume },
    cancel: {
      ...{ label: 'Cancel mailing', icon: 'x', single: one, run: cancel },
      warns: 'Cancel this mailing? What was sent stays sent.',
    },
    open_audience: { label: 'Audience', icon: 'users', needs: 'read', single: one, run: openAudience },
    open_sent: listOf('sent'),
    open_failed: listOf('failed'),
    open_bounced: listOf('bounced'),
    open_answered: listOf('answered'),
    open_opted_out: listOf('opted_out'),
    open_left_out: listOf('left_out'),
  },
});

/** The list behind a number of the report. */
function listOf(flag: 'sent' | 'failed' | 'bounced' | 'answered' | 'opted_out' | 'left_out') {
  return {
    needs: 'read',
    single: one,
    run: async ({ records }: ActionCall<'mailing.mailing'>) => {
      const { id } = await records.only();
      return open('mailing.recipient', {
        view: 'list',
        domain: [
          ['mailing_id', '=', id],
          [flag, '=', 1],
        ],
      });
    },
  } as const;
}
