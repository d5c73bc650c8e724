import { looseEnv } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { ValidationError } from '@kontor/protocol';
import { extendWhole, type Head } from './chain.ts';
import { verifyTrail } from './verify.ts';

const checkFields = {
  noted_head: fields.char({
    size: 80,
    label: 'Head noted before',
    help: 'Number and hash of an earlier check, such as 17:9f2c…; the chain must lead through it. May be left empty.',
  }),
  state: fields.selection({ whole: 'Unbroken', broken: 'Broken' }, { readonly: true, label: 'Result' }),
  entries: fields.integer({ readonly: true, label: 'Entries checked' }),
  head: fields.char({
    size: 80,
    readonly: true,
    label: 'Head',
    help: 'Keep a copy elsewhere: it proves everything before it.',
  }),
  broken_at: fields.integer({ readonly: true, aggregate: 'none', label: 'First broken entry' }),
  reason: fields.char({ size: 200, readonly: true }),
};
interface SysAuditCheck extends FieldsOf<typeof checkFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.audit.check': SysAuditCheck;
  }
}

/** Creating one checks the audit trail: its record stores the result, by whom and when. */
export const sysAuditCheck = defineModel('sys.audit.check', {
  label: 'Check of the audit trail',
  noCompany: 'The trail is one for the whole database.',
  order: '-id',
  displayName: 'Check {id}',
  fields: checkFields,
  hooks: {
    async beforeCreate({ env, values }) {
      const { db, registry, actor } = looseEnv(env);
      await extendWhole(db);
      const made = [];
      for (const given of values) {
        const { entries, head, broken } = await verifyTrail(db, toHead(given.noted_head ?? ''));
        const found = { state: broken ? ('broken' as const) : ('whole' as const), broken_at: broken?.seq ?? null };
        const reason = broken ? registry.wordsIn(actor.lang)(broken.why) : null;
        made.push({ ...given, ...found, entries, head: `${head.seq}:${head.hash}`, reason });
      }
      return made;
    },
  },
});

const headPattern = /^(\d{1,9}):([0-9a-f]{64})$/;

function toHead(given: string): Head | null {
  const noted = given.trim().toLowerCase();
  if (noted === '') return null;
  const [, seq, hash] = headPattern.exec(noted) ?? [];
  if (seq === undefined || hash === undefined) {
    throw new ValidationError({ noted_head: ['A head is a number, a colon and a hash of 64 characters.'] });
  }
  return { seq: Number(seq), hash };
}
