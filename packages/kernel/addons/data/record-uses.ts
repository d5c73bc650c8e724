import { ident, join, type Sql, sql } from '@kontor/database';
import {
  type Env,
  type ExternalId,
  groupBy,
  hasExternalId,
  type Model,
  pointsByItself,
  type WayTo,
  waysTo,
} from '@kontor/orm';

/** How records of a module's data depend on each other, and how others use them. Records are `model,id`. */
interface Uses {
  /**
   * A record of the data refers to another one; as a part it cannot exist without it, like a line without its order.
   */
  readonly links: readonly { readonly from: string; readonly to: string; readonly isPart: boolean }[];
  /** Records that users changed, and those that other records refer to, with the reason to keep them. */
  readonly used: ReadonlyMap<string, string>;
}

/** Reads from the database how the records of some external ids are used. */
export async function findUses(env: Env, ids: readonly ExternalId[]): Promise<Uses> {
  const records = new Map<string, readonly number[]>();
  for (const [model, group] of groupBy(ids, (each) => each.model)) {
    records.set(
      model,
      group.map((each) => each.resId),
    );
  }
  const links: Uses['links'][number][] = [];
  const used = new Map<string, string>();
  for (const [name, own] of records) {
    const model = env.registry.model(name);
    for (const id of await changedByPeople(env, model, own)) used.set(`${name},${id}`, 'People changed it.');
    for (const way of waysTo(env, model).filter((each) => isReference(env, each))) {
      const sources = records.get(way.model.name) ?? [];
      links.push(...(await linksBetween(env, way, name, own, sources)));
      const reason = `${way.model.label} refers to it.`;
      for (const id of await referredFromOutside(env, way, own, sources)) used.set(`${name},${id}`, reason);
    }
  }
  return { links, used };
}

/**
 * Keeps records that users changed or refer to. Records of the system's own models (`sys.`) describe the module: its views, menus,
 * rules, jobs and boards are removed with it in any case, and restored as users left them.
 */
export function keepUsed({ used }: Uses, ids: readonly ExternalId[]): Map<string, string> {
  const kept = new Map<string, string>();
  for (const each of ids) {
    const reason = used.get(keyOf(each));
    if (reason !== undefined && !each.model.startsWith('sys.')) kept.set(each.id, reason);
  }
  return kept;
}

/** A kept record needs the records it refers to, and its parts. Adds these to the kept ones. */
export function spreadKept({ links }: Uses, ids: readonly ExternalId[], kept: Map<string, string>): void {
  const idsOf = groupBy(ids, keyOf);
  const isKept = (record: string) => idsOf.get(record)?.some((each) => kept.has(each.id)) ?? false;
  const keep = (record: string, reason: string) => {
    for (const each of idsOf.get(record) ?? []) if (!kept.has(each.id)) kept.set(each.id, reason);
  };
  for (let before = -1; before !== kept.size; ) {
    before = kept.size;
    for (const { from, to, isPart } of links) {
      if (isKept(from)) keep(to, 'A record that stays refers to it.');
      else if (isPart && isKept(to)) keep(from, 'It is a part of a record that stays.');
    }
  }
}

function keyOf({ model, resId }: ExternalId): string {
  return `${model},${resId}`;
}

function isReference({ registry }: Env, { field }: WayTo): boolean {
  return field === null || field.kind.isReference || pointsByItself(registry, field);
}

async function linksBetween(
  env: Env,
  way: WayTo,
  target: string,
  own: readonly number[],
  sources: readonly number[],
): Promise<Uses['links']> {
  if (sources.length === 0) return [];
  const rows = await env.db.arrays(sql`
    select ${way.source}, ${way.target} from ${ident(way.table)} t
    where ${way.refersTo(sql`${own}::int4[]`)} and ${way.source} = any(${sources}::int4[])`);
  const isPart = way.field === null || (way.field.through === null && way.field.spec.ondelete === 'cascade');
  return rows.map(([from, to]) => ({ from: `${way.model.name},${from}`, to: `${target},${to}`, isPart }));
}

/**
 * The records that a record of a user or of another module refers to. What the system created beside them does not
 * count.
 */
async function referredFromOutside(
  env: Env,
  way: WayTo,
  own: readonly number[],
  sources: readonly number[],
): Promise<readonly number[]> {
  const rows = await env.db.arrays(sql`
    select own.id from unnest(${own}::int4[]) as own(id)
    where exists (
      select from ${ident(way.table)} t
      where ${way.refersTo(sql`array[own.id]`)} and not ${way.source} = any(${sources}::int4[]) and ${isOfOthers(way)}
    )`);
  return rows.map(([id]) => id as number);
}

function isOfOthers({ model, field, source }: WayTo): Sql {
  const isNamed = hasExternalId(model.name, source);
  // A link does not say who created it. Links of shipped records, such as a group that implies another, are restored with the
  // module.
  if (field?.through) return sql`not ${isNamed}`;
  return hasColumn(model, 'create_uid') ? sql`(t.create_uid is not null or ${isNamed})` : sql`true`;
}

async function changedByPeople(env: Env, model: Model, ids: readonly number[]): Promise<readonly number[]> {
  if (!hasColumn(model, 'write_uid')) return [];
  const rows = await env.db.arrays(sql`
    select id from ${ident(model.table)} where id = any(${ids}::int4[]) and write_uid is not null`);
  return rows.map(([id]) => id as number);
}

function hasColumn(model: Model, name: string): boolean {
  return model.fields.get(name)?.column !== undefined;
}

/** Rows that refer to the records by a pair of model and id, such as messages: they are deleted with them. */
export async function rowsAbout(env: Env, ids: readonly ExternalId[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = new Map<string, readonly number[]>();
  for (const [name, group] of groupBy(ids, (each) => each.model)) {
    const own = group.map((each) => each.resId);
    const pairs = waysTo(env, env.registry.model(name)).filter(({ field }) => field === null);
    if (pairs.length === 0) continue;
    const found = await env.db.arrays(
      join(
        pairs.map(
          ({ table, source, refersTo }) =>
            sql`select ${table}::text, ${source} from ${ident(table)} t where ${refersTo(sql`${own}::int4[]`)}`,
        ),
        sql` union all `,
      ),
    );
    for (const [table, group] of groupBy(found as [string, number][], ([each]) => each)) {
      rows.set(table, [...(rows.get(table) ?? []), ...group.map(([, id]) => id)]);
    }
  }
  return rows;
}
