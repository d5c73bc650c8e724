import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';

const proposalFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', readonly: true, label: 'Who decides' }),
  owner_id: fields.many2one('core.user', { ondelete: 'cascade', readonly: true, label: 'In the name of' }),
  key_id: fields.many2one('core.user.apikey', { ondelete: 'set null', readonly: true, label: 'API key' }),
  agent: fields.char({ required: true, size: 40, readonly: true }),
  task: fields.char({ size: 120, readonly: true }),
  reason: fields.char({ size: 500, readonly: true }),
  model: fields.char({ required: true, size: 128, readonly: true, names: 'model' }),
  method: fields.char({ required: true, size: 40, readonly: true }),
  // The call and its effect contain values that not everybody may read: only the screen shows them.
  request: fields.text({ required: true, secret: true, readonly: true }),
  effect: fields.text({ required: true, secret: true, readonly: true }),
  basis: fields.text({ secret: true, readonly: true, copy: false }),
  is_final: fields.boolean({ readonly: true, label: 'Affects others', help: 'This cannot be undone later.' }),
  version: fields.integer({
    required: true,
    default: 1,
    readonly: true,
    help: 'How often its effect was calculated.',
  }),
  state: fields.selection(
    { waiting: 'Waiting', done: 'Approved', refused: 'Rejected' },
    { required: true, default: 'waiting', readonly: true },
  ),
  note: fields.text({ readonly: true, help: 'The answer of the person, or why it could not be done yet.' }),
  decided_at: fields.datetime({ readonly: true, label: 'Decided on' }),
  change_set: fields.integer({ readonly: true, aggregate: 'none', label: 'Change set' }),
  request_key: fields.char({ size: 200, readonly: true, help: 'The Idempotency-Key of the call.' }),
};
export interface SysProposal extends FieldsOf<typeof proposalFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.proposal': SysProposal;
  }
}

/** A change that an agent proposed and a user decides on. Nothing has happened while it waits. */
export const sysProposal = defineModel('sys.proposal', {
  label: 'Proposed change',
  noCompany: 'A proposal belongs to those who decide and in whose name it is made.',
  order: '-id',
  displayName: '{agent}: {method} {model}',
  ownRules: 'Who decides sees them, and the person in whose name the agent works, as which the agent asks for them.',
  closedToAgents: true,
  quiet: true,
  fields: proposalFields,
  indexes: ['user_id, state, -id'],
  uniques: { key_and_request: { fields: ['key_id', 'request_key'] } },
});
