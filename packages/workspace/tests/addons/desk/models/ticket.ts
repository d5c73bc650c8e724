import { Decimal, defineModel, type FieldsOf, fields } from '@kontor/addon';

const stageFields = {
  name: fields.char({ required: true }),
  sequence: fields.integer({ default: 10 }),
  fold: fields.boolean({}),
};
interface DeskStage extends FieldsOf<typeof stageFields> {}

const tagFields = { name: fields.char({}) };
interface DeskTag extends FieldsOf<typeof tagFields> {}

const ticketFields = {
  name: fields.char({ required: true }),
  kind: fields.selection({ bug: 'Defect', question: 'Question', idea: 'Idea' }, { default: 'question' }),
  stage_id: fields.many2one('desk.stage', { label: 'Stage' }),
  user_id: fields.many2one('core.user', { label: 'Responsible' }),
  partner_id: fields.many2one('core.partner', { label: 'Customer' }),
  tag_ids: fields.many2many('desk.tag', { label: 'Tags' }),
  hours: fields.decimal({ precision: [12, 2] }),
  cost: fields.integer({}),
  deadline: fields.date({}),
  start_at: fields.datetime({}),
  stop_at: fields.datetime({}),
  closed_on: fields.date({}),
  latitude: fields.float({}),
  longitude: fields.float({}),
  is_private: fields.boolean({}),
  note: fields.text({ groups: ['base.group_system'] }),
  double_hours: fields.decimal({ computed: true }),
  active: fields.boolean({ default: true }),
};
interface DeskTicket extends FieldsOf<typeof ticketFields> {}

declare module '@kontor/addon' {
  interface Models {
    'desk.stage': DeskStage;
    'desk.tag': DeskTag;
    'desk.ticket': DeskTicket;
  }
}

export const deskStage = defineModel('desk.stage', { label: 'Stage', order: 'sequence, id', fields: stageFields });

export const deskTag = defineModel('desk.tag', { label: 'Tag', order: 'name', fields: tagFields });

export const deskTicket = defineModel('desk.ticket', {
  label: 'Ticket',
  order: 'id',
  fields: ticketFields,
  computes: {
    double_hours: { depends: ['hours'], value: (ticket) => ticket.hours?.times(2) ?? new Decimal(0) },
  },
  onchange: {
    kind: { value: (draft) => (draft.kind === 'bug' ? { cost: 100 } : {}) },
  },
  actions: {
    async close({ env, records }) {
      await env.sudo().model('desk.ticket').write(records.ids, { active: false });
    },
  },
});
