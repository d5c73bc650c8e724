import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { UserError } from '@kontor/protocol';

const auditFields = {
  seq: fields.integer({
    unique: true,
    aggregate: 'none',
    label: 'Number',
    help: 'Its place in the chain; empty for a minute at most.',
  }),
  segment: fields.char({ size: 7, label: 'Month', index: true }),
  at: fields.datetime({ required: true, index: true, label: 'When' }),
  kind: fields.selection(
    {
      create: 'Created',
      write: 'Changed',
      unlink: 'Deleted',
      read: 'Read in bulk',
      export: 'Exported',
      sign_in: 'Signed in',
      sign_in_failed: 'Sign-in failed',
      print: 'Printed',
      erase: 'Personal data erased',
      retention: 'Old entries dropped',
    },
    { required: true },
  ),
  model: fields.char({ size: 128 }),
  res_id: fields.integer({ label: 'Record' }),
  count: fields.integer({ label: 'Records', help: 'How many were read.' }),
  // Not a relation: later changes of the user must not change what is written here.
  uid: fields.integer({ label: 'Number of the person', aggregate: 'none', index: true }),
  who: fields.char({ size: 600, label: 'Who' }),
  address: fields.char({ size: 64, label: 'From', help: 'The network address.' }),
  via: fields.char({ size: 64, label: 'By way of', help: 'The session or the API key.' }),
  request_id: fields.char({ size: 128, label: 'Request', index: true }),
  set_id: fields.integer({ label: 'Change set', aggregate: 'none' }),
  values: fields.json({ label: 'What', help: 'Values before and after, or what was asked for.' }),
  salt: fields.char({ size: 32, secret: true, help: 'Keeps the hash from revealing the values.' }),
  values_hash: fields.char({ size: 64, label: 'Hash of the values' }),
  hash: fields.char({ size: 64, label: 'Hash', help: 'Of this entry and the one before.' }),
};
interface SysAudit extends FieldsOf<typeof auditFields> {}

const segmentFields = {
  name: fields.char({ required: true, unique: true, size: 7, label: 'Month' }),
  first_seq: fields.integer({ required: true, aggregate: 'none', label: 'First number' }),
  last_seq: fields.integer({ required: true, aggregate: 'none', label: 'Last number' }),
  last_hash: fields.char({ required: true, size: 64, label: 'Last hash' }),
  cursor: fields.char({ size: 2_000, help: 'How far the change log was read.' }),
  dropped_at: fields.datetime({
    label: 'Dropped',
    help: 'Its entries were deleted after their retention time; the chain continues from the last hash.',
  }),
};
interface SysAuditSegment extends FieldsOf<typeof segmentFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.audit': SysAudit;
    'sys.audit.segment': SysAuditSegment;
  }
}

/** Including server code: entries are only created by the chain, and deleted with their segment. */
async function refuse(): Promise<never> {
  throw new UserError('Only the server writes the audit trail; nobody can change it.');
}

/** Who signed in, and who changed, read in bulk or exported what, when and from where, as a chain of hashes. */
export const sysAudit = defineModel('sys.audit', {
  label: 'Audit entry',
  noCompany: 'The trail is one for the whole database; those who check it see all of it.',
  order: '-id',
  displayName: '{kind} {model} {res_id}',
  quiet: true,
  fields: auditFields,
  indexes: ['model, res_id'],
  hooks: { beforeCreate: refuse, beforeWrite: refuse, beforeUnlink: refuse },
});

/** The entries of one month, which are dropped together. */
export const sysAuditSegment = defineModel('sys.audit.segment', {
  label: 'Segment of the audit trail',
  noCompany: 'The trail is one for the whole database.',
  order: '-name',
  quiet: true,
  fields: segmentFields,
  hooks: { beforeCreate: refuse, beforeWrite: refuse, beforeUnlink: refuse },
});
