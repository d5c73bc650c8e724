import { and, ident, join, literal, type Queryable, type Sql, sql } from '@kontor/database';
import { type Actor, type Field, type Model, type Ratio, type Registry, weeksOf } from '@kontor/orm';
import type { Domain, GroupSpec } from '@kontor/protocol';

/** Who asks, and what their rules say: `sys_rule` as it stands in the database. */
export interface Reader {
  readonly actor: Actor;
  readonly registry: Registry;
  readonly rules: readonly RuleLine[];
}
export interface RuleLine {
  readonly model: string;
  readonly domain: Domain;
  readonly groups: readonly string[];
}

/** The rules that concern reading. */
export async function readRules(db: Queryable): Promise<readonly RuleLine[]> {
  const rows = await db.query<{ rule: string }>(sql`
    select json_build_object('model', r.model, 'domain', r.domain, 'groups', array(select g.key from sys_rule_group_rel l
      join core_group g on g.id = l.group_id where l.rule_id = r.id))::text as rule
    from sys_rule r where r.active and r.perm_read`);
  return rows.map(({ rule }) => JSON.parse(rule) as RuleLine);
}

/**
 * SQL for what a screen should show, written from the tables and the meaning of a domain, without the compiler of the ORM.
 * `at` is the alias of the record that a condition is about.
 */
export function referenceSql(reader: Reader) {
  const { actor, registry, rules } = reader;
  let aliases = 0;
  const alias = () => `r${++aliases}`;

  const modelOf = (field: Field): Model => registry.model(field.spec.relation as string);

  /** The value at a path; null where a record on the way is missing or hidden. */
  function value(model: Model, at: string, path: readonly string[], isServer = false): { sql: Sql; field: Field } {
    const [name = '', ...rest] = path;
    const field = model.fields.get(name);
    if (!field) throw new Error(`${model.name} has no ${name}.`);
    if (!field.isStored && field.related) return value(model, at, [...field.related, ...rest], true);
    const own = ident(at, field.column ?? name);
    if (rest.length === 0) return { sql: own, field };
    const next = alias();
    const inner = value(modelOf(field), next, rest, isServer);
    const seen = isServer ? sql`true` : visible(modelOf(field), next);
    const step = sql`(select ${inner.sql} from ${ident(modelOf(field).table)} ${ident(next)} where ${ident(next, 'id')} = ${own} and ${seen})`;
    return { sql: step, field: inner.field };
  }

  /** What the rules let the reader see. */
  function visible(model: Model, at: string): Sql {
    const own = rules.filter((rule) => rule.model === model.name);
    const global = own.filter(({ groups }) => groups.length === 0);
    const mine = own.filter(({ groups }) => groups.some((group) => actor.groups.has(group)));
    const parts = global.map(({ domain }) => where(model, at, domain, true));
    if (mine.length > 0)
      parts.push(
        sql`(${join(
          mine.map(({ domain }) => where(model, at, domain, true)),
          sql` or `,
        )})`,
      );
    if (model.hasCompany && model.companyRule !== false) {
      const shown = [...(actor.shownCompanyIds ?? [actor.companyId])];
      parts.push(sql`(${ident(at, 'company_id')} is null or ${ident(at, 'company_id')} = any(${shown}::int4[]))`);
    }
    if (model.partOf) {
      const whole = modelOf(model.fields.get(model.partOf) as Field);
      const next = alias();
      parts.push(
        sql`exists (select 1 from ${ident(whole.table)} ${ident(next)} where ${ident(next, 'id')} = ${ident(at, model.partOf)} and ${visible(whole, next)})`,
      );
    }
    return and(parts);
  }

  function where(model: Model, at: string, domain: Domain, isServer = false): Sql {
    const rest = [...domain];
    const node = (): Sql => {
      const item = rest.shift();
      if (item === '!') return sql`not ${node()}`;
      if (item === '&') return sql`(${node()} and ${node()})`;
      if (item === '|') return sql`(${node()} or ${node()})`;
      return condition(model, at, item as readonly [string, string, unknown], isServer);
    };
    const parts: Sql[] = [];
    while (rest.length > 0) parts.push(node());
    return and(parts);
  }

  function condition(
    model: Model,
    at: string,
    [dotted, operator, given]: readonly [string, string, unknown],
    isServer: boolean,
  ): Sql {
    if (operator === '!=') return sql`not ${condition(model, at, [dotted, '=', given], isServer)}`;
    if (operator === 'not in') return sql`not ${condition(model, at, [dotted, 'in', given], isServer)}`;
    const [name = '', ...rest] = dotted.split('.');
    const field = model.fields.get(name) as Field;
    if (field.kind.isLinks || field.kind.isList) return some(at, field, rest, [operator, given], isServer);
    if (rest.length > 0) {
      const next = alias();
      const target = modelOf(field);
      const seen = isServer ? sql`true` : visible(target, next);
      const inner = condition(target, next, [rest.join('.'), operator, given], isServer);
      return sql`exists (select 1 from ${ident(target.table)} ${ident(next)} where ${ident(next, 'id')} = ${value(model, at, [name]).sql} and ${seen} and ${inner})`;
    }
    const found = value(model, at, [name], isServer);
    return sql`coalesce(${compare(found.sql, found.field, operator, filled(given))}, false)`;
  }

  /** One of the lines or links holds; compared with nothing, there is none. */
  function some(
    at: string,
    field: Field,
    rest: readonly string[],
    [operator, given]: readonly [string, unknown],
    isServer: boolean,
  ): Sql {
    const target = modelOf(field);
    const next = alias();
    const seen = isServer ? sql`true` : visible(target, next);
    const link = field.through;
    const joined = link
      ? sql`exists (select 1 from ${ident(link.table)} k where ${ident('k', link.own)} = ${ident(at, 'id')} and ${ident('k', link.other)} = ${ident(next, 'id')})`
      : sql`${ident(next, field.spec.inverse as string)} = ${ident(at, 'id')}`;
    const isNothing = rest.length === 0 && (given === null || given === false);
    const inner = isNothing ? sql`true` : condition(target, next, [rest.join('.') || 'id', operator, given], isServer);
    const found = sql`exists (select 1 from ${ident(target.table)} ${ident(next)} where ${joined} and ${seen} and ${inner})`;
    return isNothing ? sql`not ${found}` : found;
  }

  function compare(column: Sql, field: Field, operator: string, given: unknown): Sql {
    const { kind } = field;
    if (operator === '=' || operator === 'in') {
      const list = (field.sets.get(String(given)) ?? [given]).flat() as readonly unknown[];
      const each = list.map((one) => equal(column, field, one));
      return each.length === 0 ? sql`false` : sql`(${join(each, sql` or `)})`;
    }
    const right = kind.isInstant ? instant(given) : kind.isDate ? sql`${given}::date` : sql`${given}::numeric`;
    if (operator === '>=') return sql`${column} >= ${right}`;
    if (operator === '>') return sql`${column} > ${right}`;
    if (operator === '<=') return sql`${column} <= ${right}`;
    if (operator === '<') return sql`${column} < ${right}`;
    throw new Error(`No reference for ${operator}.`);
  }

  function equal(column: Sql, { kind }: Field, one: unknown): Sql {
    if (kind.isBoolean) return sql`coalesce(${column}, false) = ${one === true}`;
    if (one === null || one === false) return kind.isText ? sql`coalesce(${column}, '') = ''` : sql`${column} is null`;
    if (kind.isInstant) return sql`${column} = ${instant(one)}`;
    return sql`${column}::text = ${String(one)}::text`;
  }

  /** A day is its first instant where the reader is. */
  function instant(given: unknown): Sql {
    const text = String(given);
    return text.length === 10 ? sql`(${text}::timestamp at time zone ${actor.tz}::text)` : sql`${text}::timestamptz`;
  }

  function filled(given: unknown): unknown {
    if (Array.isArray(given)) return given.flatMap((one) => filled(one) as unknown[]);
    if (typeof given !== 'string' || !given.startsWith('$')) return given;
    if (given === '$uid') return actor.uid;
    if (given === '$company_id') return actor.companyId;
    if (given === '$company_ids') return actor.companyIds;
    if (given === '$groups') return [...actor.groups];
    return dayOfToken(given, actor.tz, weeksOf({ actor }).start);
  }

  /** One grouping set: its groups, the count and the measures, by currency where `code` is asked for. */
  function groups(model: Model, spec: GroupSpec, set: readonly string[], currencyOf: string | null): Sql {
    const at = 't';
    const joins: Sql[] = [];
    const keys = set.map((key) => {
      const [dotted = '', granularity] = key.split(':');
      const path = dotted.split('.');
      const first = model.fields.get(path[0] as string) as Field;
      if (first.kind.isLinks && path.length === 1) {
        const [link, next] = [first.through as NonNullable<Field['through']>, alias()];
        const target = modelOf(first);
        joins.push(
          sql` left join (select l.* from ${ident(link.table)} l join ${ident(target.table)} ${ident(next)} on ${ident(next, 'id')} = ${ident('l', link.other)} and ${visible(target, next)}) ${ident(`${next}l`)} on ${ident(`${next}l`, link.own)} = ${ident(at, 'id')}`,
        );
        return ident(`${next}l`, link.other);
      }
      const { sql: found, field } = value(model, at, path);
      if (granularity) return bucket(found, field, granularity);
      if (field.kind.isBoolean && path.length === 1) return sql`coalesce(${found}, false)`;
      return field.kind.isText ? sql`nullif(${found}, '')` : found;
    });
    const by = [...keys, ...(currencyOf === null ? [] : [currencyCode(model, at, currencyOf, spec.money)])];
    const measured = spec.fields.map(({ field, measure }, index) =>
      measureSql(model, at, field.split('.'), measure, index, (one, path) => amount(model, at, one, path, spec.money)),
    );
    const inner = [
      ...by.map((one, index) => sql`(${one})::text as ${ident(`g${index}`)}`),
      ...measured.flatMap(({ columns: own }) => own),
    ];
    const names = by.map((_, index) => ident(`g${index}`));
    const columns = [...names, sql`count(*)::text`, ...measured.map(({ result }) => sql`(${result})::text`)];
    return sql`select ${join(columns)} from (select ${join([...inner, sql`1 as one`])} from ${ident(model.table)} t${join(joins, sql``)}
      where ${where(model, at, spec.domain)} and ${visible(model, at)}) s${by.length === 0 ? sql`` : sql` group by ${join(names)}`}`;
  }

  /** What is read of each record for a measure, and what becomes of it. */
  function measureSql(
    model: Model,
    at: string,
    path: readonly string[],
    measure: string,
    index: number,
    shown: (own: Sql, path: readonly string[]) => Sql,
  ) {
    const name = ident(`m${index}`);
    if (measure !== 'ratio') {
      const { sql: own } = value(model, at, path);
      const isAmount = !measure.startsWith('count');
      return { columns: [sql`${isAmount ? shown(own, path) : own} as ${name}`], result: aggregate(measure, name) };
    }
    const { ratio, times = 1 } = (model.fields.get(path[0] as string) as Field).spec.aggregate as Ratio;
    const [part, whole] = ratio.map((own) => shown(value(model, at, [own]).sql, [own])) as [Sql, Sql];
    const other = ident(`w${index}`);
    return {
      columns: [sql`${part} as ${name}`, sql`${whole} as ${other}`],
      result: sql`round(coalesce(sum(${name}), 0) * ${times}::int4 / nullif(sum(${other}), 0), 2)`,
    };
  }

  /** What the table of currencies says of an amount; converted amounts have the currency that was asked for. */
  function currencyCode(model: Model, at: string, path: string, money: GroupSpec['money']): Sql {
    const found = value(model, at, path.split('.'), true).sql;
    const name =
      typeof money === 'string' ? sql`case when c.rate is null then c.name else ${code(money)} end` : sql`c.name`;
    return sql`(select ${name} from core_currency c where c.id = ${found})`;
  }

  function code(money: string): Sql {
    if (money !== 'company') return sql`${money}::text`;
    return sql`(select o.name from core_company y join core_currency o on o.id = y.currency_id where y.id = ${actor.companyId}::int4)`;
  }

  /** An amount by way of euros, with more digits than anybody shows. */
  function amount(model: Model, at: string, own: Sql, path: readonly string[], money: GroupSpec['money']): Sql {
    const currency = currencyPath({ registry }, model, path.join('.'), 'sum');
    if (typeof money !== 'string' || currency === null) return own;
    const found = value(model, at, currency.split('.'), true).sql;
    return sql`coalesce((select ${own} * round(o.rate, 40) / c.rate from core_currency c, core_currency o where c.id = ${found} and o.name = ${code(money)}), ${own})`;
  }

  function bucket(column: Sql, { kind }: Field, granularity: string): Sql {
    const local = kind.isInstant ? sql`(${column} at time zone ${literal(actor.tz)})` : sql`${column}::timestamp`;
    const year = sql`to_char(${local}, 'YYYY')`;
    if (granularity === 'year') return year;
    if (granularity === 'quarter') return sql`${year} || '-Q' || to_char(${local}, 'Q')`;
    if (granularity === 'month') return sql`to_char(${local}, 'YYYY-MM')`;
    if (granularity === 'week') return week(sql`${local}::date`);
    return sql`to_char(${local}, 'YYYY-MM-DD')`;
  }

  /** By the setting of the reader's company. */
  function week(day: Sql): Sql {
    const { start, firstDays } = weeksOf({ actor });
    const begins = sql`(${day} - (extract(isodow from ${day})::int4 - ${start}::int4 + 7) % 7)`;
    const counted = sql`(${begins} + ${7 - firstDays}::int4)`;
    return sql`extract(year from ${counted}) || '-W' || lpad(ceil(extract(doy from ${counted}) / 7.0)::text, 2, '0')`;
  }

  return { value, visible, where, groups };
}

/** The field with the currency of an amount. */
export function currencyPath(
  { registry }: Pick<Reader, 'registry'>,
  model: Model,
  dotted: string,
  measure: string,
): string | null {
  const path = dotted.split('.');
  let at = model;
  for (const step of path.slice(0, -1)) at = registry.model(at.fields.get(step)?.spec.relation as string);
  const own = at.fields.get(path.at(-1) as string);
  const { aggregate } = own?.spec ?? {};
  const isRatio = measure === 'ratio' && typeof aggregate === 'object';
  const field = isRatio ? at.fields.get(aggregate.ratio[0]) : own;
  if (!field?.kind.isMoney) return null;
  const currency = field.spec.currency ?? 'currency_id';
  return at.fields.has(currency) ? [...path.slice(0, -1), currency].join('.') : null;
}

function aggregate(measure: string, column: Sql): Sql {
  switch (measure) {
    case 'count':
      return sql`count(${column})`;
    case 'count_distinct':
      return sql`count(distinct ${column})`;
    case 'sum':
      return sql`coalesce(sum(${column}), 0)`;
    case 'avg':
      return sql`avg(${column})`;
    default:
      return measure === 'min' ? sql`min(${column})` : sql`max(${column})`;
  }
}

/** What a token stands for, by the calendar of JavaScript. */
function dayOfToken(token: string, tz: string, weekStart: number): string {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: tz }).format(new Date());
  const [year = 0, month = 1, day = 1] = local.split('-').map(Number);
  const [, unit, count = '0'] = /^\$(today|day|week|month|quarter|year)([+-]\d+)?$/.exec(token) ?? [];
  const n = Number(count);
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 7 - (weekStart % 7)) % 7;
  const at: Readonly<Record<string, () => number>> = {
    today: () => Date.UTC(year, month - 1, day),
    day: () => Date.UTC(year, month - 1, day + n),
    week: () => Date.UTC(year, month - 1, day - weekday + 7 * n),
    month: () => Date.UTC(year, month - 1 + n, 1),
    quarter: () => Date.UTC(year, Math.floor((month - 1) / 3) * 3 + 3 * n, 1),
    year: () => Date.UTC(year + n, 0, 1),
  };
  const find = unit === undefined ? undefined : at[unit];
  if (!find) throw new Error(`No reference for ${token}.`);
  return new Date(find()).toISOString().slice(0, 10);
}
