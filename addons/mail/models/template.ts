import '@addons/base';
import {
  type CallsOf,
  companyValue,
  currentCompany,
  currentUser,
  defineModel,
  type FieldsOf,
  fields,
} from '@kontor/addon';
import { checkTemplates, checkTranslations } from '../templates/check-template.ts';
import { openPreview, proposeRecord } from '../templates/preview.ts';
import { sendTemplate } from '../templates/send-template.ts';

const help = 'Fields of the record in braces, such as {partner_id.name}. A line with an empty field is left out.';

const templateFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({
    ...{ label: 'For', names: 'model', required: true, size: 128 },
    help: 'The records that it is written about. Its fields can be inserted.',
  }),
  lang: fields.char({ label: 'Language', required: true, size: 16, default: companyValue('lang') }),
  subject: fields.char({ required: true, size: 500, help }),
  body: fields.text({
    label: 'Message',
    required: true,
    help: `${help} **Bold**, *italic*, lists and links as in a message.`,
  }),
  translation_ids: fields.one2many('mail.template.translation', 'template_id', { label: 'Other languages' }),
  user_id: fields.many2one('core.user', {
    ...{ label: 'Owner', default: currentUser, ondelete: 'cascade' },
    help: 'Only this person uses it. If empty, it is shared.',
  }),
  member_ids: fields.many2many('core.user', {
    label: 'Used by',
    help: 'The people who share it. If empty, everybody in the company.',
  }),
  company_id: fields.many2one('core.company', {
    ...{ label: 'Company', default: currentCompany, ondelete: 'cascade' },
    help: 'Empty: for all companies.',
  }),
  active: fields.boolean({ default: true }),
};

const translationFields = {
  template_id: fields.many2one('mail.template', {
    label: 'Template',
    required: true,
    ondelete: 'cascade',
    index: true,
  }),
  model: fields.char({ label: 'For', related: 'template_id.model' }),
  lang: fields.char({ label: 'Language', required: true, size: 16 }),
  subject: fields.char({ required: true, size: 500 }),
  body: fields.text({ label: 'Message', required: true }),
};

export interface MailTemplate extends FieldsOf<typeof templateFields> {}
export interface MailTemplateCalls extends CallsOf<typeof mailTemplate> {}
interface MailTemplateTranslation extends FieldsOf<typeof translationFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mail.template': MailTemplate;
    'mail.template.translation': MailTemplateTranslation;
  }
  interface Calls {
    'mail.template': MailTemplateCalls;
  }
}

const longest = { subject: 200, body: 10_000 } as const;
const longMessage = 'A message has at most 10,000 characters.';

/** A message that people write again and again, with fields of the record that it is about. */
export const mailTemplate = defineModel('mail.template', {
  label: 'Template',
  ownRules: 'Templates without an owner are shared.',
  order: 'name, id',
  fields: templateFields,
  constraints: {
    fitting_body: { on: ['body'], holds: ({ body }) => body.length <= longest.body, message: longMessage },
  },
  hooks: {
    on: ['model', 'subject', 'body'],
    afterCreate: ({ env, ids }) => checkTemplates(env, ids),
    afterWrite: ({ env, ids }) => checkTemplates(env, ids),
  },
  actions: {
    preview: {
      label: 'Preview',
      icon: 'eye',
      needs: 'read',
      single: 'Choose one template.',
      asks: { record: fields.reference({ label: 'Record', required: true }) },
      proposes: proposeRecord,
      run: openPreview,
    },
    /** Sends it about a record, for programs: the subject and text are those of the template. */
    send: {
      label: 'Send',
      icon: 'send',
      needs: 'read',
      single: 'Choose one template.',
      asks: {
        record: fields.reference({ label: 'Record', required: true }),
        to: fields.char({ size: 320, help: 'Empty: the contact of the record.' }),
      },
      proposes: proposeRecord,
      run: sendTemplate,
    },
  },
});

/** The text of a template in another language. */
export const mailTemplateTranslation = defineModel('mail.template.translation', {
  label: 'Translation',
  order: 'lang, id',
  displayName: '{template_id} {lang}',
  fields: translationFields,
  uniques: { once: { fields: ['template_id', 'lang'], message: 'There is a text in this language already.' } },
  constraints: {
    fitting_body: { on: ['body'], holds: ({ body }) => body.length <= longest.body, message: longMessage },
  },
  hooks: {
    on: ['template_id', 'subject', 'body'],
    afterCreate: async ({ env, ids }) => checkTranslations(env, ids),
    afterWrite: async ({ env, ids }) => checkTranslations(env, ids),
  },
});
