import { type Queryable, type Sql, sql } from '@kontor/database';
import { type ChangedRows, definePart, type FinishedWork, type KeptRows } from '@kontor/kernel';
import { looseEnv } from '@kontor/orm';
import { type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { keptDays, sysFeed } from './feed.ts';
import { revertChangeSets, revertedSets } from './undo/revert-change-set.ts';

const setFields = {
  // Without a foreign key: every change would lock the row of its user, all day the same one.
  user_id: fields.many2one('core.user', { ondelete: 'set null', key: false, label: 'By' }),
  request_id: fields.char({ size: 128 }),
  // Identifies the user even after the account is deleted.
  uid: fields.integer({ label: 'Number of the person', aggregate: 'none' }),
  address: fields.char({ size: 64, label: 'From' }),
  via: fields.char({ size: 64, label: 'By way of' }),
  agent: fields.char({ size: 40, help: 'The agent that made it in the name of the person.' }),
  task: fields.char({ size: 120, help: 'Changes of one task are undone together.' }),
  reason: fields.char({ size: 500 }),
  // No longer written: the audit trail stores its own position. Dropped in the next release.
  is_chained: fields.boolean({ label: 'In the audit trail' }),
  reverted: fields.boolean({}),
  reverted_by_id: fields.many2one('sys.change.set', { ondelete: 'set null', label: 'Undone by' }),
  is_final: fields.boolean({ label: 'Cannot be undone' }),
  change_ids: fields.one2many('sys.change', 'set_id', { label: 'Changes' }),
};
interface SysChangeSet extends FieldsOf<typeof setFields> {}

const changeFields = {
  // Without a foreign key: a set and its changes are written together, and deleted at the same age.
  set_id: fields.many2one('sys.change.set', { required: true, ondelete: 'cascade', key: false }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  operation: fields.selection({ create: 'Created', write: 'Changed', unlink: 'Deleted' }, { required: true }),
  values: fields.json({ required: true }),
  xact: fields.decimal({ precision: [20, 0], help: 'The transaction that wrote it.' }),
  // Not a relation: a change may belong to a company that is deleted in the same transaction.
  company_id: fields.integer({
    label: 'Company',
    aggregate: 'none',
    help: 'The company of the record. Other companies do not see the change.',
  }),
};
interface SysChange extends FieldsOf<typeof changeFields> {}

export interface SysChangeSetCalls extends CallsOf<typeof sysChangeSet> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.change.set': SysChangeSet;
    'sys.change': SysChange;
  }
  interface Calls {
    'sys.change.set': SysChangeSetCalls;
  }
}

export const sysChangeSet = defineModel('sys.change.set', {
  label: 'Change set',
  noCompany: 'A change set belongs to one person.',
  order: '-id',
  displayName: 'Change set {id}',
  quiet: true,
  fields: setFields,
  actions: {
    /** Undo: users who may see the set may revert it, as far as their rights on the records go. */
    revert: {
      needs: 'read',
      run: async ({ env, records }) => revertChangeSets(looseEnv(env), records.ids),
    },
  },
});

export const sysChange = defineModel('sys.change', {
  label: 'Change',
  order: 'id',
  displayName: '{operation} {model} {res_id}',
  quiet: true,
  fields: changeFields,
  indexes: ['model, res_id', 'xact, id'],
});

/** Every unit of work that changed something is a change set. */
export function keepChanges(work: FinishedWork): KeptRows | null {
  const { changed, changeSet, memo } = work;
  if (changed === null) return null;
  const reverted = revertedSets(memo);
  return {
    with: [
      sql`change_set as (${changeSet === null ? newSet(work, changed) : knownSet(work)})`,
      sql`changes as (
        insert into sys_change (set_id, model, res_id, operation, values, xact, company_id, create_date, write_date)
        select change_set.id, c.model, c.res_id, c.operation, c.values::jsonb, pg_current_xact_id()::text::numeric,
          c.company_id, now(), now()
        from change_set, ${changed.rows})`,
      ...(reverted.length > 0 ? [takenBack(reverted)] : []),
    ],
    changeSet: sql`(select id from change_set)`,
  };
}

/** A reverted set stores which set reverted it, so that the two are distinguished from other changes since. */
function takenBack(sets: readonly number[]): Sql {
  return sql`taken_back as (
    update sys_change_set s set reverted_by_id = change_set.id from change_set where s.id = any(${sets}::int4[]))`;
}

function newSet({ uid, requestId, address, via, purpose, canUndo }: FinishedWork, changed: ChangedRows): Sql {
  const { agent, task, reason } = purpose;
  return sql`
    insert into sys_change_set (user_id, request_id, uid, address, via, agent, task, reason, reverted, is_final, create_date,
      write_date)
    select ${uid}::int4, ${requestId}::text, ${uid}::int4, ${address}::text, ${via}::text, ${agent}::text, ${task}::text,
      ${reason}::text, false, ${!canUndo}::boolean, now(), now()
      ${changed.isCertain ? sql`` : sql`where exists (select from ${changed.rows})`}
    returning id`;
}

/** The given changes in order, with their users and origins. */
export function describedChanges(ids: readonly number[]): Sql {
  return sql`
    select c.id, c.set_id, s.create_date as at, c.operation, c.model, c.res_id, c.values, s.uid, s.address, s.via,
      s.request_id
    from sys_change c join sys_change_set s on s.id = c.set_id
    where c.id = any(${ids}::int4[]) order by c.id`;
}

/** The changes of sets that are not marked as chained and match a condition on the set `s`. */
export function changesOfSets(condition: Sql): Sql {
  return sql`
    select c.id from sys_change_set s join sys_change c on c.set_id = s.id where s.is_chained is not true and ${condition}`;
}

/** Erased values: changes that contained them cannot be reverted. */
export async function forgetValues(
  db: Queryable,
  model: string,
  ids: readonly number[],
  names: readonly string[],
): Promise<void> {
  await db.execute(sql`
    with emptied as (
      update sys_change set values = values - ${names}::text[]
      where model = ${model} and res_id = any(${ids}::int4[]) and values ?| ${names}::text[] returning set_id)
    update sys_change_set set is_final = true where id in (select set_id from emptied)`);
}

/** A later change may turn out to have affected the outside. */
function knownSet({ changeSet, canUndo }: FinishedWork): Sql {
  if (canUndo) return sql`select ${changeSet}::int4 as id`;
  return sql`update sys_change_set set is_final = true where id = ${changeSet}::int4 returning id`;
}

/** All changes of every call, stored so that they can be undone. */
export const changeLogPart = definePart({
  name: 'change-log',
  models: [sysChangeSet, sysChange, sysFeed],
  keep: keepChanges,
  expires: {
    clean_changes: [
      { model: 'sys.change', column: 'create_date', age: `${keptDays} days` },
      { model: 'sys.change.set', column: 'create_date', age: `${keptDays} days` },
    ],
  },
});
