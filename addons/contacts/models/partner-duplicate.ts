import { type ActionCall, type CallsOf, defineModel, type FieldsOf, fields, UserError } from '@kontor/addon';
import { scanDuplicates } from '../duplicates/scan-duplicates.ts';
import { comparePartners, mergePartners } from '../merge/merge-partners.ts';

const duplicateFields = {
  partner_ids: fields.many2many('core.partner', {
    label: 'Contacts',
    through: { table: 'core_partner_duplicate_rel', own: 'duplicate_id', other: 'partner_id' },
  }),
  partner_count: fields.integer({ label: 'Contacts found', computed: true }),
  keep_id: fields.many2one('core.partner', { label: 'Keep', ondelete: 'set null' }),
  same_email: fields.boolean({ label: 'Same e-mail', readonly: true }),
  same_phone: fields.boolean({ readonly: true }),
  same_name: fields.boolean({ readonly: true }),
  state: fields.selection(
    { open: 'To check', merged: 'Merged', ignored: 'Not the same' },
    { required: true, default: 'open', readonly: true, index: true },
  ),
  company_id: fields.many2one('core.company', { label: 'Company', readonly: true, ondelete: 'cascade' }),
};

export interface CorePartnerDuplicate extends FieldsOf<typeof duplicateFields> {}
export interface CorePartnerDuplicateCalls extends CallsOf<typeof corePartnerDuplicate> {}
declare module '@kontor/addon' {
  interface Models {
    'core.partner.duplicate': CorePartnerDuplicate;
  }
  interface Calls {
    'core.partner.duplicate': CorePartnerDuplicateCalls;
  }
}

const mergeAnswers = { comparison: fields.json({ label: 'What is kept' }) };
type MergeAnswers = typeof mergeAnswers;

const managers = ['contacts.group_manager'];

export const corePartnerDuplicate = defineModel('core.partner.duplicate', {
  label: 'Possible duplicate',
  order: 'state, -id',
  displayName: '{keep_id.name}',
  fields: duplicateFields,
  computes: { partner_count: { count: 'partner_ids' } },
  states: { field: 'state', initial: 'open' },
  moves: {
    merge: {
      from: 'open',
      to: 'merged',
      label: 'Merge',
      icon: 'layers',
      groups: managers,
      warns: 'Merge these contacts into the one to keep?',
      asks: mergeAnswers,
      proposes: compareFound,
      run: mergeFound,
    },
    ignore: { from: 'open', to: 'ignored', label: 'Not the same', groups: managers },
    reopen: { from: 'ignored', to: 'open', label: 'Check again', groups: managers },
  },
  actions: {
    /** Looks for duplicates among all contacts. */
    scan: {
      label: 'Look for duplicates',
      icon: 'search',
      groups: managers,
      run: async ({ env }) => {
        await scanDuplicates(env);
      },
    },
  },
});

/** Of one group; several are merged as they are. */
async function compareFound({ env, records }: Pick<ActionCall<'core.partner.duplicate'>, 'env' | 'records'>) {
  const [group, second] = await records.load('keep_id.id', 'partner_ids.id');
  if (!group || second) return {};
  const ids = group.partner_ids.map(({ id }) => id);
  const keep = group.keep_id?.id;
  if (keep === undefined || !ids.includes(keep)) return {};
  return { value: { comparison: await comparePartners(env, ids, keep) } };
}

async function mergeFound({ env, records, answers }: ActionCall<'core.partner.duplicate', MergeAnswers>) {
  for (const group of await records.load('keep_id.id', 'partner_ids.id')) {
    const ids = group.partner_ids.map(({ id }) => id);
    const keep = group.keep_id?.id;
    if (keep === undefined || !ids.includes(keep)) throw new UserError('Choose which of the contacts to keep.');
    if (ids.length < 2) throw new UserError('Only one of these contacts is left; there is nothing to merge.');
    await mergePartners(
      env,
      keep,
      ids.filter((id) => id !== keep),
      answers.comparison,
    );
  }
}
