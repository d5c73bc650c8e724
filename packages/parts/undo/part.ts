import { definePart } from '@kontor/kernel';
import { keepChanges, sysChange, sysChangeSet } from './change-set.ts';

/** What every call changed, kept so that it can be taken back. */
export const undoPart = definePart({
  name: 'undo',
  models: [sysChangeSet, sysChange],
  keep: keepChanges,
  expires: { clean_changes: [{ model: 'sys.change.set', column: 'create_date', age: '60 days' }] },
});
