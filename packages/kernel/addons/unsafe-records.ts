import { type Queryable, sql } from '@kontor/database';
import { danglingIds, type Env, type Registry, readExternalIds } from '@kontor/orm';
import { addonOf } from './catalogue.ts';
import { wordsBefore, wordsOf } from './code-words.ts';
import type { DataRecord } from './data/data-record.ts';
import { loadOrder, planLoad } from './data/plan-load.ts';
import { readDataFiles } from './data/read-data-files.ts';
import { xmlViewLoader } from './data/xml-view-loader.ts';
import type { InstallContext } from './install-context.ts';
import { pathsIn } from './rename-paths.ts';

/**
 * Records that an upgrade of these modules would write, and that processes of the previous version cannot read: they
 * use vocabulary that its code does not know, or name a field that it does not have. Such a rule makes it reject every
 * call of its model; an automation, a tile or a saved search fails where it is used. Views are read with the code.
 */
export async function unsafeRecords(
  context: InstallContext,
  registry: Registry,
  modules: readonly string[],
): Promise<readonly string[]> {
  const env = context.envFor(registry, context.tx).sudo();
  const words = new Set(await wordsThatRun(context.tx));
  const fields = await fieldsThatRun(context.tx);
  const found: string[] = [];
  for (const module of modules) {
    for (const record of await recordsToWrite(env, context, module)) {
      const { file, line } = record.place;
      const unknown = wordsOf(record).filter((word) => !words.has(word));
      for (const word of unknown) found.push(`${module}/${file}:${line} uses ${word}, which it does not know`);
      for (const field of missingFields(registry, record, fields)) {
        found.push(`${module}/${file}:${line} names ${field}, which it does not have`);
      }
    }
  }
  return found;
}

async function recordsToWrite(env: Env, context: InstallContext, module: string): Promise<readonly DataRecord[]> {
  const addon = addonOf(context.catalogue, module);
  const records = await readDataFiles(addon, context.viewLoader ?? xmlViewLoader, { withDemo: false });
  const known = await readExternalIds(env, module);
  const gone = await danglingIds(env, known.values());
  const planned = planLoad(loadOrder(records).flat(), known, gone);
  return planned.filter(({ step }) => step !== 'keep').map(({ record }) => record);
}

/** The vocabulary that the previous version stored. */
async function wordsThatRun(db: Queryable): Promise<readonly string[]> {
  const [row] = await db.query<{ reads: string | null }>(sql`
    select to_jsonb(m)->>'reads' as reads from sys_module m where name = 'base'`);
  return row?.reads ? (JSON.parse(row.reads) as string[]) : wordsBefore();
}

/** `model.field` of the previous version, and the targets of its relations. */
async function fieldsThatRun(db: Queryable): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.query<{ field: string; relation: string | null }>(sql`
    select model || '.' || name as field, relation from sys_field`);
  return new Map(rows.map(({ field, relation }) => [field, relation]));
}

/** Fields that a record names, in a domain, an order, a list or a query, and the previous version does not have, on models that it has. */
function missingFields(
  registry: Registry,
  record: DataRecord,
  known: ReadonlyMap<string, string | null>,
): readonly string[] {
  const fields = [...(registry.models.get(record.model)?.fields.values() ?? [])];
  const of = fields.find(({ spec }) => spec.names === 'model');
  const model = of && textOf(record, of.name);
  if (!model || !known.has(`${model}.id`)) return [];
  const paths = fields.flatMap(({ name, spec }) =>
    spec.names === undefined || spec.names === 'model' ? [] : pathsIn(spec.names, textOf(record, name)),
  );
  const missing = paths.flatMap((path) => missingField(path, model, known) ?? []);
  return [...new Set(missing)];
}

function textOf({ fields }: DataRecord, name: string): string {
  const value = fields.find((each) => each.name === name)?.value;
  return value?.kind === 'text'
    ? value.text
    : value?.kind === 'json' && value.json !== null
      ? JSON.stringify(value.json)
      : '';
}

function missingField(path: string, model: string, known: ReadonlyMap<string, string | null>): string | null {
  let at: string | null = model;
  for (const name of path.split('.')) {
    const field: string = `${at}.${name}`;
    if (!known.has(field)) return field;
    at = known.get(field) ?? null;
  }
  return null;
}
