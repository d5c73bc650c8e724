import type { Env, Field } from '@kontor/orm';
import { type DataRecord, refsOf } from './data-record.ts';
import { groupBy } from './group-by.ts';
import type { PlannedRecord } from './plan-load.ts';
import type { Target } from './resolve-values.ts';

/**
 * Records that are left as they are may have lost what they point at: an uninstall took it, and this load made it anew.
 * Only such links are mended, and only where nothing else took their place.
 */
export async function relinkRecords(
  env: Env,
  planned: readonly PlannedRecord[],
  found: ReadonlyMap<string, Target>,
): Promise<void> {
  const created = new Set(planned.filter(({ step }) => step === 'create').map(({ record }) => record.id));
  const losers = planned
    .filter(
      ({ step, record }) => step === 'keep' && found.has(record.id) && refsOf(record).some((ref) => created.has(ref)),
    )
    .map(({ record }) => record);
  for (const [modelName, records] of groupBy(losers, (record) => record.model)) {
    const { fields } = env.registry.model(modelName);
    const links = new Map(records.map((record) => [record.id, linksOf(record, fields, created, found)]));
    const names = [...new Set([...links.values()].flatMap((each) => Object.keys(each)))];
    if (names.length === 0) continue;
    const ids = records.map((record) => (found.get(record.id) as Target).resId);
    const current = new Map((await env.model(modelName).read(ids, names)).map((row) => [row.id, row]));
    const rows = records.map((record, index) => {
      const id = ids[index] as number;
      const missing = Object.entries(links.get(record.id) ?? {}).filter(
        ([name]) => fields.get(name)?.spec.type === 'many2many' || current.get(id)?.[name] === null,
      );
      return { id, values: Object.fromEntries(missing) };
    });
    await env.model(modelName).writeEach(rows);
  }
}

function linksOf(
  record: DataRecord,
  fields: ReadonlyMap<string, Field>,
  created: ReadonlySet<string>,
  found: ReadonlyMap<string, Target>,
): Readonly<Record<string, unknown>> {
  const links: Record<string, unknown> = {};
  for (const { name, value } of record.fields) {
    const refs = value.kind === 'refs' ? value.refs.filter((ref) => created.has(ref)) : [];
    const ids = refs.map((ref) => (found.get(ref) as Target).resId);
    const type = fields.get(name)?.spec.type;
    if (ids.length === 0) continue;
    if (type === 'many2many') links[name] = ids.map((id) => ['link', id]);
    else if (type === 'many2one') links[name] = ids[0];
  }
  return links;
}
