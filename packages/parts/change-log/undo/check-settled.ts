import { type Env, type Field, lockedLists, type Model } from '@kontor/orm';
import { text, UserError } from '@kontor/protocol';
import type { NetChange } from './kept-changes.ts';

/** Names of fields by record. */
type Asked = Map<Model, Map<number, Set<string>>>;

/**
 * What a state settled since stays: an undo changes no locked field, and no line of a locked list, unless it takes back that state too,
 * or the record itself.
 */
export async function checkSettled(env: Env, changes: readonly NetChange[]): Promise<void> {
  const undone = new Set(changes.filter(takesBackState).map(({ model, id }) => `${model.name},${id}`));
  const asked: Asked = new Map();
  const ask = (model: Model, id: unknown, name: string) => {
    if (typeof id !== 'number' || undone.has(`${model.name},${id}`)) return;
    const records = asked.get(model) ?? new Map<number, Set<string>>();
    asked.set(model, records.set(id, new Set([...(records.get(id) ?? []), name])));
  };
  for (const { model, id, old } of changes) {
    if (model.states) for (const { name, spec } of old.keys()) if (!spec.unlocked) ask(model, id, name);
  }
  for (const model of new Set(changes.map((change) => change.model))) {
    const own = changes.filter((change) => change.model === model && !isOpen(change));
    for (const { inverse, parent, list } of lockedLists(env.registry, model)) {
      for (const owner of await ownersOf(env, model, inverse, own)) ask(parent, owner, list.name);
    }
  }
  for (const [model, records] of asked) await refuseSettled(env, model, records);
}

function takesBackState({ model, wasThere, isThere, old }: NetChange): boolean {
  return !wasThere || !isThere || [...old.keys()].some(({ name }) => name === model.states?.field);
}

/** Whether a line keeps what its record settles. */
function isOpen({ wasThere, isThere, old }: NetChange): boolean {
  return wasThere && isThere && [...old.keys()].every(({ spec }) => spec.unlocked);
}

/** The records that lines belong to and belonged to. As the server: lines are judged whoever may read them. */
async function ownersOf(env: Env, model: Model, link: Field, changes: readonly NetChange[]): Promise<Set<unknown>> {
  const ids = changes.filter(({ isThere }) => isThere).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await rowsOf(env, model, ids, link.name);
  const changed = changes.flatMap((change) => [change.old.get(link), change.new.get(link)]);
  return new Set([...changed, ...rows.map((row) => row[link.name])]);
}

function rowsOf(env: Env, model: Model, ids: readonly number[], field: string) {
  const all = model.hasActive ? [['active', 'in', [true, false]] as const] : [];
  return env
    .sudo()
    .model(model.name)
    .searchRead([['id', 'in', ids], ...all], [field]);
}

async function refuseSettled(env: Env, model: Model, records: ReadonlyMap<number, ReadonlySet<string>>): Promise<void> {
  const { states } = model;
  if (!states || states.locks.size === 0) return;
  for (const row of await rowsOf(env, model, [...records.keys()], states.field)) {
    const value = String(row[states.field]);
    const locked = states.locks.get(value);
    if (![...(records.get(row.id) ?? [])].some((name) => locked?.has(name))) continue;
    const state = model.fields.get(states.field)?.selection?.get(value) ?? value;
    throw new UserError(text('This cannot be undone: {model} is "{state}" now.', { model: model.label, state }));
  }
}
