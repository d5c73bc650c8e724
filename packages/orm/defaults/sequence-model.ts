import { ident, sql } from '@kontor/database';
import { accessDenied, text } from '@kontor/protocol';
import { fields } from '../author/author.ts';
import type { FieldsOf } from '../author/field.ts';
import { defineModel } from '../model/define-model.ts';
import type { Env, HookSpec } from '../model/model.ts';
import { type Counting, counterName, setCounter } from './sequence-counter.ts';

const sequenceFields = {
  name: fields.char({ required: true, size: 200, translated: true }),
  code: fields.char({ required: true, size: 128, index: true }),
  prefix: fields.char({ size: 64 }),
  suffix: fields.char({ size: 64 }),
  padding: fields.integer({ default: 0, min: 0, max: 20, required: true }),
  number_next: fields.integer({ default: 1, required: true }),
  number_increment: fields.integer({ default: 1, required: true, min: 1 }),
  gapless: fields.boolean({ help: 'No gaps in the numbering; only one writer at a time.' }),
  yearly: fields.boolean({ help: 'Starts again each year. Each company counts for itself, without gaps.' }),
  year: fields.integer({ readonly: true, aggregate: 'none', help: 'The year that is counted here.' }),
  company_id: fields.many2one('core.company', { ondelete: 'cascade' }),
};
export interface SysSequence extends FieldsOf<typeof sequenceFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.sequence': SysSequence;
  }
}

interface Touched {
  readonly env: Env;
  readonly ids: readonly number[];
}

/** For `sys.sequence`: creates the counters with the rows, so that the first numbered record need not do it. */
export const sequenceHooks: HookSpec = Object.freeze({
  afterCreate: ({ env, ids }: Touched) => setCounters(env, ids),
  afterWrite: ({ env, ids }: Touched) => setCounters(env, ids),
  async afterUnlink({ env, ids }: Touched) {
    for (const id of ids) await env.db.execute(sql`drop sequence if exists ${ident(counterName(id))}`);
  },
});

export const sysSequence = defineModel('sys.sequence', {
  label: 'Sequence',
  order: 'name, id',
  fields: sequenceFields,
  hooks: {
    ...sequenceHooks,
    async afterCreate({ env, ids }: Touched) {
      await checkShared(env, ids);
      await setCounters(env, ids);
    },
    async beforeWrite({ env, ids, values }) {
      await checkShared(env, ids);
      return values;
    },
    async afterWrite({ env, ids }: Touched) {
      await checkShared(env, ids);
      await setCounters(env, ids);
    },
    beforeUnlink: ({ env, ids }: Touched) => checkShared(env, ids),
  },
});

/** A sequence that all companies share can be changed only by users with access to all of them. */
async function checkShared(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  const shared = await env.model('sys.sequence').search([
    ['id', 'in', ids],
    ['company_id', '=', null],
  ]);
  if (shared.length === 0) return;
  // As the server: companies that the caller may not access count as well.
  const all = await env.sudo().model('core.company').search([]);
  if (all.every((id) => env.actor.companyIds.includes(id))) return;
  throw accessDenied('sys.sequence', 'write', 'rule', {
    message: text('All companies share this sequence. Only a person with access to all of them can change it.'),
  });
}

/** Creates the counters of sequences, or resets them to their rows. */
export async function setCounters(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<Counting>(sql`
    select id, number_next, number_increment from sys_sequence where id = any(${ids}::int4[]) and not (gapless or yearly) order by id`);
  for (const row of rows) await setCounter(env, row);
}
