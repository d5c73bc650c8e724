import { compile, type Sql } from '@kontor/database';
import { type LruCache, lruCache } from '@kontor/protocol';
import type { Env, Registry } from '../model/model.ts';
import { currentRows, type Rows, usesRowCache } from '../model/row-cache.ts';

/** The rows of a planned statement; from memory, if it reads nothing but cached models. */
export async function rowsOf(env: Env, statement: Sql): Promise<Rows> {
  if (!usesRowCache(env) || !statement.statement || !isOfCachedModels(env.registry, statement.statement.text)) {
    return env.db.arrays(statement);
  }
  const cached = await currentRows(env);
  const { text, values } = compile(statement);
  const name = `${text} ${JSON.stringify(values)}`;
  const known = cached?.get(name);
  if (known) return known;
  const rows = await env.db.arrays(statement);
  if (usesRowCache(env)) cached?.set(name, rows);
  return rows;
}

const verdicts = new WeakMap<Registry, LruCache<string, boolean>>();
const maxVerdicts = 5_000;

function isOfCachedModels(registry: Registry, text: string): boolean {
  const known = verdicts.get(registry) ?? lruCache<string, boolean>(maxVerdicts);
  verdicts.set(registry, known);
  let verdict = known.get(text);
  if (verdict === undefined) {
    verdict = readsOnly(cachedTables(registry), text) && !asksMore.test(text);
    known.set(text, verdict);
  }
  return verdict;
}

/** What differs from call to call without being a parameter. */
const asksMore =
  /\b(now|current_\w+|localtime\w*|\w+_timestamp|random|nextval|lastval|currval|pg_\w+|to_reg\w+|for)\b/i;

/** Names after `from` and `join`, and all quoted ones: a table that is not known to be cached must not be overlooked. */
function readsOnly({ cached, others }: Tables, text: string): boolean {
  const sources = [...text.matchAll(/\b(?:from|join)\s+(?:lateral\s+)?("?)([\w.]+|\()\1/gi)];
  const quoted = [...text.matchAll(/"([^"]+)"/g)];
  return (
    sources.some(([, , name = '']) => cached.has(name)) &&
    sources.every(([, , name = '']) => name === '(' || name === 'unnest' || cached.has(name)) &&
    quoted.every(([, name = '']) => !others.has(name))
  );
}

interface Tables {
  readonly cached: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

const tablesOf = new WeakMap<Registry, Tables>();

/** A table of links changes with the records of both sides. */
function cachedTables(registry: Registry): Tables {
  const known = tablesOf.get(registry);
  if (known) return known;
  const [cached, others] = [new Set<string>(), new Set<string>()];
  const add = (table: string, isCached: boolean) => (isCached ? cached : others).add(table);
  for (const model of registry.models.values()) {
    add(model.table, model.isCached);
    for (const { through, spec } of model.fields.values()) {
      if (through) add(through.table, model.isCached && registry.model(spec.relation as string).isCached);
    }
  }
  const tables = { cached, others };
  tablesOf.set(registry, tables);
  return tables;
}
