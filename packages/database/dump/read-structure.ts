import type { Client } from 'pg';
import { compile, ident, join, literal, type Sql, sql, trustedSql } from '../sql/sql.ts';

export interface DumpedTable {
  readonly name: string;
  /** Stored columns; generated ones are computed. */
  readonly columns: readonly string[];
}

/** What recreates this database: statements before the rows, the rows, statements after them. */
export interface Structure {
  readonly before: readonly Sql[];
  readonly tables: readonly DumpedTable[];
  readonly after: readonly Sql[];
}

const own = sql`n.nspname = 'public' and not exists (
  select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')`;

/** Reads the schema `public` from the catalogue. Throws if it contains a kind of object that the dump would omit. */
export async function readStructure(client: Client): Promise<Structure> {
  await refuseUnknown(client);
  const tables = await readTables(client);
  return {
    before: [
      ...(await readExtensions(client)),
      ...(await readSequences(client)),
      ...(await readFunctions(client)),
      ...tables.map(createTable),
    ],
    tables: tables.map(({ name, columns }) => ({
      name,
      columns: columns.filter(({ generated }) => generated === '').map((column) => column.name),
    })),
    after: [
      ...(await readConstraints(client)),
      ...(await texts(
        client,
        sql`
        select pg_get_indexdef(i.indexrelid) as text from pg_index i
        join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
        where ${own} and i.indisvalid and not exists (
          select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
        order by c.relname`,
      )),
      ...(await readViews(client)),
      ...(await texts(
        client,
        sql`
        select pg_get_triggerdef(t.oid) as text from pg_trigger t
        join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
        where ${own} and not t.tgisinternal order by c.relname, t.tgname`,
      )),
      ...(await readComments(client)),
    ],
  };
}

/** The current value of each sequence. Read last: a sequence is never behind the rows that used it. */
export async function readCounters(client: Client): Promise<readonly Sql[]> {
  const names = await rows<{ name: string }>(
    client,
    sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${own} and c.relkind = 'S' order by c.relname`,
  );
  const counters: Sql[] = [];
  for (const { name } of names) {
    const [at] = await rows<{ last: string; called: boolean }>(
      client,
      sql`
      select last_value::text as last, is_called as called from ${ident('public', name)}`,
    );
    if (!at) continue;
    counters.push(
      sql`select setval(${literal(quoted('public', name))}, ${trustedSql(at.last)}, ${trustedSql(String(at.called))})`,
    );
  }
  return counters;
}

async function rows<Row>(client: Client, statement: Sql): Promise<Row[]> {
  const { text, values } = compile(statement);
  return (await client.query(text, [...values])).rows as Row[];
}

/** Statements written by the server itself. */
async function texts(client: Client, statement: Sql): Promise<readonly Sql[]> {
  return (await rows<{ text: string }>(client, statement)).map(({ text }) => trustedSql(text));
}

function quoted(schema: string, name: string): string {
  return compile(ident(schema, name)).text;
}

async function refuseUnknown(client: Client): Promise<void> {
  const found = await rows<{ what: string }>(
    client,
    sql`
    select 'schema ' || n.nspname as what from pg_namespace n
    where n.nspname !~ '^pg_' and n.nspname not in ('public', 'information_schema') and exists (
      select from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'S', 'v', 'm', 'f'))
    union all select case c.relkind when 'm' then 'materialized view ' when 'f' then 'foreign table ' when 'c' then 'type '
        else 'partitioned table ' end || c.relname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${own} and c.relkind in ('m', 'f', 'c', 'p')
    union all select 'type ' || t.typname from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where n.nspname = 'public' and t.typtype in ('d', 'e', 'r', 'm') and not exists (
        select from pg_depend e where e.classid = 'pg_type'::regclass and e.objid = t.oid and e.deptype in ('e', 'i'))
    union all select 'inherited table ' || c.relname from pg_inherits h
      join pg_class c on c.oid = h.inhrelid join pg_namespace n on n.oid = c.relnamespace where ${own} and c.relkind = 'r'
    union all select 'policy ' || p.polname from pg_policy p
    union all select 'aggregate ' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and p.prokind = 'a' and not exists (
        select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
    union all select 'large objects' where exists (select from pg_largeobject_metadata)`,
  );
  if (found.length === 0) return;
  const names = found.map(({ what }) => what).join(', ');
  throw new Error(`The database holds what a backup of Kontor does not keep: ${names}. Use pg_dump for it.`);
}

async function readExtensions(client: Client): Promise<readonly Sql[]> {
  const found = await rows<{ name: string }>(
    client,
    sql`
    select extname as name from pg_extension where extname <> 'plpgsql' order by oid`,
  );
  return found.map(({ name }) => sql`create extension if not exists ${ident(name)}`);
}

const counting = (of: Sql): Sql => sql`format('increment by %s minvalue %s maxvalue %s start with %s cache %s%s',
  ${of}.seqincrement, ${of}.seqmin, ${of}.seqmax, ${of}.seqstart, ${of}.seqcache, case when ${of}.seqcycle then ' cycle' else '' end)`;

/** Standalone sequences; those of identity columns come with their tables. */
async function readSequences(client: Client): Promise<readonly Sql[]> {
  const found = await rows<{ name: string; type: string; counting: string }>(
    client,
    sql`
    select c.relname as name, format_type(s.seqtypid, null) as type, ${counting(sql`s`)} as counting
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_sequence s on s.seqrelid = c.oid
    where ${own} and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')
    order by c.relname`,
  );
  return found.map(
    ({ name, type, counting }) =>
      sql`create sequence ${ident('public', name)} as ${trustedSql(type)} ${trustedSql(counting)}`,
  );
}

async function readFunctions(client: Client): Promise<readonly Sql[]> {
  return texts(
    client,
    sql`
    select pg_get_functiondef(p.oid) as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.prokind in ('f', 'p', 'w') and not exists (
      select from pg_depend e where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
    order by p.oid`,
  );
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly collation: string | null;
  readonly value: string | null;
  readonly identity: '' | 'a' | 'd';
  readonly generated: '' | 's' | 'v';
  /** The sequence of an identity column. */
  readonly counter: string | null;
  readonly counting: string | null;
}

interface Table {
  readonly name: string;
  readonly isUnlogged: boolean;
  readonly options: string | null;
  readonly columns: readonly Column[];
}

async function readTables(client: Client): Promise<readonly Table[]> {
  return rows<Table>(
    client,
    sql`
    select c.relname as name, c.relpersistence = 'u' as "isUnlogged", array_to_string(c.reloptions, ', ') as options,
      coalesce((select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'isRequired', a.attnotnull, 'identity', a.attidentity, 'generated', a.attgenerated,
        'value', pg_get_expr(d.adbin, d.adrelid), 'counter', s.name, 'counting', s.counting,
        'collation', case when a.attcollation <> t.typcollation then quote_ident(k.collname) end) order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        left join pg_collation k on k.oid = a.attcollation
        left join lateral (select sc.relname as name, ${counting(sql`q`)} as counting from pg_depend o
          join pg_class sc on sc.oid = o.objid join pg_sequence q on q.seqrelid = sc.oid
          where o.refclassid = 'pg_class'::regclass and o.refobjid = a.attrelid and o.refobjsubid = a.attnum
            and o.classid = 'pg_class'::regclass and o.deptype = 'i') s on a.attidentity <> ''
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${own} and c.relkind = 'r' order by c.relname`,
  );
}

function createTable({ name, columns, isUnlogged, options }: Table): Sql {
  const kind = isUnlogged ? sql`unlogged table` : sql`table`;
  const storage = options === null ? sql`` : sql` with (${trustedSql(options)})`;
  return sql`create ${kind} ${ident('public', name)} (${join(columns.map(columnDefinition))})${storage}`;
}

function columnDefinition(column: Column): Sql {
  const collation = column.collation === null ? sql`` : sql` collate ${trustedSql(column.collation)}`;
  const required = column.isRequired ? sql` not null` : sql``;
  return sql`${ident(column.name)} ${trustedSql(column.type)}${collation}${origin(column)}${required}`;
}

function origin({ identity, generated, value, counter, counting }: Column): Sql {
  if (identity !== '' && counter !== null) {
    const when = identity === 'a' ? sql`always` : sql`by default`;
    const options = sql`sequence name ${ident('public', counter)} ${trustedSql(counting ?? '')}`;
    return sql` generated ${when} as identity (${options})`;
  }
  if (value === null) return sql``;
  if (generated === '') return sql` default ${trustedSql(value)}`;
  return sql` generated always as (${trustedSql(value)}) ${generated === 's' ? sql`stored` : sql`virtual`}`;
}

/** Referenced keys come before referencing ones. */
async function readConstraints(client: Client): Promise<readonly Sql[]> {
  const found = await rows<{ table: string; name: string; text: string }>(
    client,
    sql`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${own} and k.contype in ('p', 'u', 'x', 'c', 'f')
    order by position(k.contype::text in 'puxcf'), c.relname, k.conname`,
  );
  return found.map(
    ({ table, name, text }) =>
      sql`alter table ${ident('public', table)} add constraint ${ident(name)} ${trustedSql(text)}`,
  );
}

async function readViews(client: Client): Promise<readonly Sql[]> {
  const found = await rows<{ name: string; text: string }>(
    client,
    sql`
    select c.relname as name, pg_get_viewdef(c.oid) as text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${own} and c.relkind = 'v' order by c.oid`,
  );
  return found.map(
    ({ name, text }) => sql`create view ${ident('public', name)} as ${trustedSql(text.trim().replace(/;$/, ''))}`,
  );
}

/** The schema sync knows indexes and checks with expressions by the fingerprint in their comment. */
async function readComments(client: Client): Promise<readonly Sql[]> {
  const found = await rows<{ what: string; text: string }>(
    client,
    sql`
    select case c.relkind when 'i' then 'index ' when 'S' then 'sequence ' when 'v' then 'view ' else
        case when d.objsubid > 0 then 'column ' else 'table ' end end
      || 'public.' || quote_ident(c.relname) || coalesce('.' || quote_ident(a.attname), '') as what, d.description as text
    from pg_description d join pg_class c on d.classoid = 'pg_class'::regclass and c.oid = d.objoid
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_attribute a on d.objsubid > 0 and a.attrelid = c.oid and a.attnum = d.objsubid
    where ${own}
    union all
    select 'constraint ' || quote_ident(k.conname) || ' on public.' || quote_ident(c.relname), d.description
    from pg_description d join pg_constraint k on d.classoid = 'pg_constraint'::regclass and k.oid = d.objoid
    join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${own} and k.contype <> 'n'
    order by what`,
  );
  return found.map(({ what, text }) => sql`comment on ${trustedSql(what)} is ${literal(text)}`);
}
