import type { Actor } from '@kontor/orm';

/** Whether something meant for these groups is meant for the person; without groups it is for everyone. */
export function inGroups(groups: readonly string[], actor: Pick<Actor, 'groups'>): boolean {
  return groups.length === 0 || groups.some((group) => actor.groups.has(group));
}
