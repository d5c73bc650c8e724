import { type Queryable, sql } from '@kontor/database';
import type { CacheSpec } from '@kontor/kernel';
import type { AccessPolicy, AccessRow, RuleRow } from '@kontor/orm';
import { type Operation, parseDomain } from '@kontor/protocol';

interface Line {
  readonly model: string;
  readonly perm_read: boolean;
  readonly perm_write: boolean;
  readonly perm_create: boolean;
  readonly perm_unlink: boolean;
}
interface AccessLine extends Line {
  readonly group_key: string | null;
}
interface RuleLine extends Line {
  readonly name: string;
  readonly domain: string;
  readonly group_keys: string;
}

/** Every access row and active rule: two statements, a few hundred rows, kept until someone changes rights. */
async function loadPolicy(db: Queryable): Promise<AccessPolicy> {
  const accessLines = await db.query<AccessLine>(sql`
    select a.model, g.key as group_key, a.perm_read, a.perm_write, a.perm_create, a.perm_unlink
    from sys_access a left join core_group g on g.id = a.group_id`);
  const ruleLines = await db.query<RuleLine>(sql`
    select r.model, r.name, r.domain, r.perm_read, r.perm_write, r.perm_create, r.perm_unlink,
      (select coalesce(json_agg(g.key), '[]') from sys_rule_group_rel rel
        join core_group g on g.id = rel.group_id where rel.rule_id = r.id) as group_keys
    from sys_rule r where r.active order by r.id`);
  return { access: byModel(accessLines, toAccessRow), rules: byModel(ruleLines, toRuleRow) };
}

export const policyCache: CacheSpec<undefined, AccessPolicy> = {
  droppedBy: ['rights'],
  load: ({ db }) => loadPolicy(db),
};

function byModel<L extends Line, R>(lines: readonly L[], toRow: (line: L) => R): ReadonlyMap<string, readonly R[]> {
  const rows = new Map<string, R[]>();
  for (const line of lines) {
    const known = rows.get(line.model);
    if (known) known.push(toRow(line));
    else rows.set(line.model, [toRow(line)]);
  }
  return rows;
}

function toAccessRow(line: AccessLine): AccessRow {
  return {
    group: line.group_key,
    read: line.perm_read,
    write: line.perm_write,
    create: line.perm_create,
    unlink: line.perm_unlink,
  };
}

function toRuleRow(line: RuleLine): RuleRow {
  const operations = new Set<Operation>();
  if (line.perm_read) operations.add('read');
  if (line.perm_write) operations.add('write');
  if (line.perm_create) operations.add('create');
  if (line.perm_unlink) operations.add('unlink');
  return {
    name: line.name,
    domain: parseDomain(JSON.parse(line.domain)),
    groups: JSON.parse(line.group_keys) as string[],
    operations,
  };
}
