import { type Change, type Env, mayReadField } from '@kontor/orm';
import { KontorError, type RecordChange } from '@kontor/protocol';

/** What a dry run did, less what the caller may not read: models, records and fields. */
export async function visibleChanges(env: Env): Promise<readonly RecordChange[]> {
  const changes = env.work.changes.filter((change) => !env.registry.model(change.model).quiet);
  const visible: RecordChange[] = [];
  for (const [model, own] of groupByModel(changes)) {
    const readable = await readableIds(env, model, own);
    if (readable === null) continue;
    for (const change of own) {
      const isGone = change.operation === 'unlink';
      if (!isGone && !readable.has(change.id)) continue;
      const { id, operation } = change;
      visible.push({ model, id, operation, values: isGone ? {} : readableValues(env, change) });
    }
  }
  return visible;
}

function groupByModel(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const own = groups.get(change.model);
    if (own) own.push(change);
    else groups.set(change.model, [change]);
  }
  return groups;
}

/** Ids that the caller may read now; null where the model is closed to them. */
async function readableIds(env: Env, model: string, changes: readonly Change[]): Promise<ReadonlySet<number> | null> {
  const ids = [...new Set(changes.map((change) => change.id))];
  try {
    return new Set(await env.model(model).search([['id', 'in', ids]]));
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return null;
    throw error;
  }
}

function readableValues(env: Env, change: Change): Change['values'] {
  const { fields } = env.registry.model(change.model);
  const open = Object.entries(change.values).filter(([name]) => {
    const field = fields.get(name);
    return field !== undefined && mayReadField(env, field);
  });
  return Object.fromEntries(open);
}
