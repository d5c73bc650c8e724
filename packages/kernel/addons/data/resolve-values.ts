import { type Env, type Field, groupBy, listExternalIds, type Model } from '@kontor/orm';
import { didYouMean, type Values } from '@kontor/protocol';
import { AddonError } from '../addon-error.ts';
import { fieldOf, keyField } from './check-records.ts';
import { type DataField, type DataRecord, fieldPlace, textValue } from './data-record.ts';
import { relativeValue } from './relative-date.ts';

export interface Target {
  readonly model: string;
  readonly resId: number;
}

/** The records behind the external ids known so far. */
export interface Targets {
  readonly found: ReadonlyMap<string, Target>;
  /** Ids whose record was deleted by a user. */
  readonly gone: ReadonlySet<string>;
}

/** The values of records of one model, with every external id replaced by the id of its record. */
export async function resolveValues(env: Env, records: readonly DataRecord[], targets: Targets): Promise<Values[]> {
  await refuseUnknown(env, records, targets);
  const same = await readSame(env, records, targets);
  return records.map((record) => {
    const model = env.registry.model(record.model);
    const key = keyField(record.model);
    const values: Record<string, unknown> = key ? { [key]: record.id } : {};
    for (const item of record.fields) {
      const value = resolveOne(record, item, fieldOf(model, record, item), { targets, same, now: env.now });
      if (value !== undefined) values[item.name] = value;
    }
    return values;
  });
}

interface Known {
  readonly targets: Targets;
  readonly same: ReadonlyMap<string, unknown>;
  readonly now: Date;
}

function resolveOne(record: DataRecord, item: DataField, field: Field, { targets, same, now }: Known): unknown {
  const { value } = item;
  if (value.kind === 'relative') return relativeValue(field, value, now);
  if (value.kind === 'text') return textValue(field, value.text);
  if (value.kind === 'json') return value.json;
  if (value.kind === 'same') return same.get(`${value.ref}:${value.field}`);
  const found = value.refs.map((ref) => [ref, targets.found.get(ref) as Target] as const);
  for (const [ref, target] of found) {
    if (!field.spec.relation || field.spec.relation === target.model) continue;
    const message = `"${ref}" is a record of ${target.model}; ${field.model}.${field.name} takes ${field.spec.relation}.`;
    throw new AddonError(fieldPlace(record, item), message);
  }
  if (field.kind.isLinks) return [['set', found.map(([, target]) => target.resId)]];
  const target = found[0]?.[1];
  if (!target) return null;
  return field.kind.isReference ? `${target.model},${target.resId}` : target.resId;
}

async function refuseUnknown(env: Env, records: readonly DataRecord[], targets: Targets): Promise<void> {
  for (const record of records) {
    for (const item of record.fields) {
      const refs = item.value.kind === 'refs' ? item.value.refs : item.value.kind === 'same' ? [item.value.ref] : [];
      for (const ref of refs) {
        if (targets.found.has(ref)) continue;
        const place = fieldPlace(record, item);
        if (targets.gone.has(ref)) throw new AddonError(place, `The record behind "${ref}" was deleted.`);
        const candidates = [...targets.found.keys(), ...(await listExternalIds(env))];
        throw new AddonError(place, `There is no record "${ref}".`, didYouMean(ref, candidates));
      }
    }
  }
}

/** Values of fields of other records that records share, by `ref:field`; one read per model. */
async function readSame(
  env: Env,
  records: readonly DataRecord[],
  targets: Targets,
): Promise<ReadonlyMap<string, unknown>> {
  const wanted = records.flatMap((record) => record.fields.map((item) => item.value)).filter((v) => v.kind === 'same');
  const values = new Map<string, unknown>();
  for (const [modelName, group] of groupBy(wanted, ({ ref }) => (targets.found.get(ref) as Target).model)) {
    const model: Model = env.registry.model(modelName);
    const fields = [...new Set(group.map(({ field }) => field))].filter((name) => model.fields.has(name));
    const ids = [...new Set(group.map(({ ref }) => (targets.found.get(ref) as Target).resId))];
    const rows = new Map((await env.model(modelName).read(ids, fields)).map((row) => [row.id, row]));
    for (const { ref, field } of group) {
      values.set(`${ref}:${field}`, rows.get((targets.found.get(ref) as Target).resId)?.[field] ?? null);
    }
  }
  return values;
}
