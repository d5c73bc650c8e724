import { ident, join, type Sql, sql } from '@kontor/database';
import type { Env, Field, Model } from '@kontor/orm';
import { fileNamePattern, fileTextPattern, type PersonKeys } from './person-keys.ts';
import { fileFields, isPartLink } from './personal-fields.ts';

/** Why a file may belong to the person: its record is theirs, they added it, or its name or text mentions them. */
export type FileReason = 'linked' | 'added' | 'named' | 'text';

export interface ListedFile {
  readonly model: Model;
  readonly id: number;
  readonly name: string;
  readonly reason: FileReason;
  /** The record it is attached to. */
  readonly on: OneRecord | null;
}

interface OneRecord {
  readonly model: Model;
  readonly id: number;
}

interface Known {
  readonly found: readonly OneRecord[];
  /** Including those that only refer to the person. */
  readonly records: readonly OneRecord[];
  readonly keys: PersonKeys;
}

/** Files that may belong to the person, but not certainly: those on the person's own record were found before. */
export async function listFiles(env: Env, models: readonly Model[], known: Known): Promise<readonly ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const model of models) listed.push(...(await filesOf(env, model, known)));
  return listed;
}

async function filesOf(env: Env, model: Model, { found, records, keys }: Known): Promise<readonly ListedFile[]> {
  const own = fileFields(model);
  if (own === null) return [];
  const column = (field: Field) => ident('r', field.column as string);
  const owner = ownerOf(env, model);
  const users = idsOf(found, 'core.user');
  const reasons: Sql[] = [
    ...(owner ? [sql`when ${isOn(owner, records)} then 'linked'`] : []),
    sql`when r.create_uid = any(${users}::int4[]) then 'added'`,
  ];
  const [inName, inText] = [fileNamePattern(keys), fileTextPattern(keys)];
  if (inName !== null) reasons.push(sql`when ${column(own.name)} ~* ${inName} then 'named'`);
  // Bytes unchanged, those beyond ASCII as \nnn, so that no encoding fails. Without zeros UTF-16 reads like the rest.
  const bytes = sql`replace(encode(${column(own.data)}, 'escape'), ${'\\000'}, '')`;
  if (inText !== null)
    reasons.push(sql`when ${column(own.type)} ~* ${textTypes} and ${bytes} ~* ${inText} then 'text'`);
  const rows = await env.db.query<{ id: number; name: string; reason: FileReason; model: string; res_id: number }>(sql`
    select * from (
      select r.id, ${column(own.name)} as name, case ${join(reasons, sql` `)} end as reason,
        ${owner?.model ?? sql`null`} as model, ${owner?.id ?? sql`null::int4`} as res_id
      from ${ident(model.table)} r ${owner?.joined ?? sql``}
      where r.id <> all(${idsOf(found, model.name)}::int4[])) f
    where reason is not null order by id`);
  return rows.map(({ id, name, reason, model: on, res_id: at }) => {
    const target = env.registry.models.get(on);
    return { model, id, name, reason, on: target ? { model: target, id: at } : null };
  });
}

/** Media types whose bytes are read as text. */
const textTypes = '^text/|^message/|[/+](?:json|xml|yaml|csv|rtf|javascript|sql|x-ndjson)$';

interface Owner {
  readonly joined: Sql;
  readonly model: Sql;
  readonly id: Sql;
}

/** The record of a file: its whole, or the record that it is about. */
function ownerOf({ registry }: Env, file: Model): Owner | null {
  const link = [...file.fields.values()].find((field) => isPartLink(file, field));
  if (!link) return null;
  const owner = registry.model(link.spec.relation as string);
  const joined = sql`join ${ident(owner.table)} o on o.id = ${ident('r', link.column as string)}`;
  if (owner.about) return { joined, model: ident('o', owner.about.model), id: ident('o', owner.about.id) };
  return { joined, model: sql`${owner.name}::text`, id: sql`o.id` };
}

function isOn({ model, id }: Owner, records: readonly OneRecord[]): Sql {
  const models = records.map((each) => each.model.name);
  const ids = records.map((each) => each.id);
  return sql`(${model}, ${id}) in (select * from unnest(${models}::text[], ${ids}::int4[]))`;
}

function idsOf(found: readonly OneRecord[], name: string): readonly number[] {
  return found.filter(({ model }) => model.name === name).map(({ id }) => id);
}
