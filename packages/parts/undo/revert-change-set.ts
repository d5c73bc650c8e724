import { type Env, type Field, type Model, toJson } from '@kontor/orm';
import { UserError } from '@kontor/protocol';

interface KeptChange {
  readonly model: string;
  readonly res_id: number;
  readonly operation: 'create' | 'write' | 'unlink';
  readonly values: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;
}

/** One record that somebody touched since, so that the set cannot be taken back. */
interface Touched {
  readonly model: string;
  readonly id: number;
  readonly fields: readonly string[];
}

/**
 * Takes back what one call did, in the caller's name and under their rights, last change first. All or nothing: when a
 * record was touched since, nothing is changed and the error names it.
 */
export async function revertChangeSet(env: Env, setId: number): Promise<void> {
  const sets = env.sudo().model('sys.change.set');
  const [set] = await sets.read([setId], ['reverted']);
  if (set?.reverted) throw new UserError('This change has been taken back already.');
  const changes = await keptChanges(env, setId);
  if (changes.length === 0) throw new UserError('This change is no longer kept.');
  const touched = await touchedSince(env, changes);
  if (touched.length > 0) {
    throw new UserError('Some of these records were changed since, so this cannot be taken back.', {
      records: touched,
    });
  }
  for (const change of changes.toReversed()) await takeBack(env, change);
  await sets.write([setId], { reverted: true });
}

async function keptChanges(env: Env, setId: number): Promise<readonly KeptChange[]> {
  const rows = await env
    .sudo()
    .model('sys.change')
    .searchRead([['set_id', '=', setId]], ['model', 'res_id', 'operation', 'values'], { order: 'id' });
  return rows as unknown as readonly KeptChange[];
}

/** Compares what the set left behind with what is there now. */
async function touchedSince(env: Env, changes: readonly KeptChange[]): Promise<readonly Touched[]> {
  const touched: Touched[] = [];
  for (const { model, id, left } of leftBehind(changes).values()) {
    const own = env.registry.model(model);
    const names = [...left.keys()].filter((name) => isOwnValue(own.fields.get(name)));
    const [now] = await env
      .sudo()
      .model(model)
      .searchRead([['id', '=', id]], names);
    const isGone = changes.findLast((change) => change.model === model && change.res_id === id)?.operation === 'unlink';
    if (isGone !== (now === undefined)) touched.push({ model, id, fields: [] });
    else if (now) {
      const fields = names.filter((name) => !isSame(own, name, left.get(name), now[name]));
      if (fields.length > 0) touched.push({ model, id, fields });
    }
  }
  return touched;
}

function leftBehind(changes: readonly KeptChange[]) {
  const records = new Map<string, { model: string; id: number; left: Map<string, unknown> }>();
  for (const { model, res_id: id, values } of changes) {
    const key = `${model},${id}`;
    const record = records.get(key) ?? { model, id, left: new Map<string, unknown>() };
    for (const [name, value] of Object.entries(values)) record.left.set(name, value.new);
    records.set(key, record);
  }
  return records;
}

async function takeBack(env: Env, change: KeptChange): Promise<void> {
  const model = env.registry.model(change.model);
  const records = env.model(change.model);
  if (change.operation === 'create') {
    await records.unlink([change.res_id], { restores: true });
    return;
  }
  const values = oldValues(model, change);
  if (change.operation === 'write') {
    if (Object.keys(values).length > 0) await records.write([change.res_id], values, { restores: true });
    return;
  }
  await records.createMany([{ ...values, id: change.res_id }], { granted: ['id'], restores: true });
}

function oldValues(model: Model, change: KeptChange): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, { old }] of Object.entries(change.values)) {
    const field = model.fields.get(name);
    if (!isOwnValue(field)) continue;
    values[name] = field.through ? [['set', old ?? []]] : old;
  }
  return values;
}

/** What people or code wrote; what the kernel works out or stamps comes by itself. */
function isOwnValue(field: Field | undefined): field is Field {
  if (!field || field.compute !== null || field.related !== null || field.spec.secret) return false;
  return !['id', 'create_date', 'create_uid', 'write_date', 'write_uid'].includes(field.name);
}

function isSame(model: Model, name: string, left: unknown, now: unknown): boolean {
  const field = model.fields.get(name) as Field;
  if (field.through) return toJson(sorted(left)) === toJson(sorted(now));
  const cast = left === null || left === undefined ? null : field.kind.cast(left, field);
  return toJson(cast) === toJson(now ?? null);
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as number[])].sort((a, b) => a - b) : [];
}
