import { createHash } from 'node:crypto';
import { ident, type Sql, sql } from '../sql/sql.ts';
import {
  addCheck,
  addExclusion,
  addForeignKey,
  alterTable,
  commentOnConstraint,
  commentOnIndex,
  createIndex,
  dropConstraint,
  inOneRoundTrip,
} from './ddl.ts';
import type { LiveForeignKey, LiveIndex, LiveTable } from './live-table.ts';
import type { Step } from './step.ts';
import type { CheckSpec, ForeignKeySpec, IndexSpec, TableSpec } from './table-spec.ts';

const plainColumn = /^("(?:[^"]|"")+"|[a-z_][a-z0-9_]*)(?: (desc|asc))?$/;

/** With `scansLater`, plain indexes of tables that are there are left to `finishSchema`. */
export function planIndexes(table: TableSpec, live: LiveTable | undefined, scansLater = false): Step[] {
  return table.indexes.flatMap((index) => {
    const known = live?.indexes.get(index.name);
    if (live && scansLater && !index.unique && !known) return [];
    if (known && isSameIndex(known, index)) return [];
    return [indexStep(table.name, index, known, live !== undefined)];
  });
}

function indexStep(table: string, index: IndexSpec, known: LiveIndex | undefined, mayHaveRows: boolean): Step {
  const column = columnNames(index)?.join(', ');
  const statements = [createIndex(table, index)];
  if (known)
    statements.unshift(known.isConstraint ? dropConstraint(table, index.name) : sql`drop index ${ident(index.name)}`);
  if (!isPlain(index)) statements.push(commentOnIndex(index.name, fingerprint(index)));
  const step = {
    table,
    ...(column !== undefined && { column }),
    statement: inOneRoundTrip(...statements),
    note: `${index.unique ? 'unique index' : 'index'} ${index.name} ${known ? 'made anew' : 'added'}`,
  };
  if (!mayHaveRows) return step;
  return { ...step, refusal: index.unique ? 'has values that are not unique' : `cannot have the index ${index.name}` };
}

/** The catalogue rewrites expressions, so they are compared by a fingerprint in the comment. */
export function isSameIndex(known: LiveIndex, index: IndexSpec): boolean {
  if (!known.isValid || known.unique !== index.unique || known.method !== (index.method ?? 'btree')) return false;
  if (!isPlain(index)) return known.comment === fingerprint(index);
  return !known.isPartial && known.columns.join() === columnNames(index)?.join();
}

function isPlain(index: IndexSpec): boolean {
  return index.where === undefined && columnNames(index) !== null;
}

/** `"date" desc` becomes `date desc`; null if an expression is indexed. */
function columnNames(index: IndexSpec): string[] | null {
  const names: string[] = [];
  for (const text of index.columns) {
    const match = plainColumn.exec(text);
    if (!match) return null;
    const name = (match[1] as string).replace(/^"|"$/g, '').replaceAll('""', '"');
    names.push(match[2] === 'desc' ? `${name} desc` : name);
  }
  return names;
}

function fingerprint(value: IndexSpec | CheckSpec): string {
  const text = JSON.stringify(value, Object.keys(value).sort());
  return `kontor ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

export function planChecks(table: TableSpec, live: LiveTable | undefined): Step[] {
  return [
    ...table.checks.flatMap((check) => checkStep(table.name, check, live, 'check', addCheck(table.name, check))),
    ...(table.exclusions ?? []).flatMap((check) =>
      checkStep(table.name, check, live, 'exclusion', addExclusion(table.name, check)),
    ),
  ];
}

function checkStep(table: string, check: CheckSpec, live: LiveTable | undefined, kind: string, add: Sql): Step[] {
  const wanted = fingerprint(check);
  const isKnown = live?.checks.has(check.name) ?? false;
  if (isKnown && live?.checks.get(check.name) === wanted) return [];
  const statements = [add, commentOnConstraint(table, check.name, wanted)];
  if (isKnown) statements.unshift(dropConstraint(table, check.name));
  const note = `${kind} ${check.name} ${isKnown ? 'made anew' : 'added'}`;
  const step = { table, statement: inOneRoundTrip(...statements), note };
  return [live ? { ...step, refusal: `has rows that do not fit the ${kind} ${check.name}` } : step];
}

/** With `scansLater`, keys of new columns of tables that are there hold for what is written from now on; `finishSchema` looks at the rest. */
export function planForeignKeys(table: TableSpec, live: LiveTable | undefined, scansLater = false): Step[] {
  const steps: Step[] = [];
  const fresh: ForeignKeySpec[] = [];
  for (const key of table.foreignKeys) {
    const known = live?.foreignKeys.get(key.name);
    if (known && isSameForeignKey(key, known)) continue;
    if (!live?.columns.has(key.column)) fresh.push(key);
    else steps.push(replaceForeignKey(table.name, key, known !== undefined));
  }
  if (fresh.length > 0) {
    steps.push({
      table: table.name,
      statement: inOneRoundTrip(
        ...fresh.map((key) =>
          alterTable(table.name, live && scansLater ? sql`${addForeignKey(key)} not valid` : addForeignKey(key)),
        ),
      ),
      note: `foreign keys added: ${fresh.map((key) => `${key.column} to ${key.table}`).join(', ')}`,
      beside: fresh.map((key) => key.table),
    });
  }
  return steps;
}

export function isSameForeignKey(key: ForeignKeySpec, known: LiveForeignKey): boolean {
  return known.table === key.table && known.onDelete === key.onDelete && known.columns.join() === key.column;
}

export function replaceForeignKey(table: string, key: ForeignKeySpec, isKnown: boolean): Step {
  const add = alterTable(table, addForeignKey(key));
  return {
    table,
    column: key.column,
    statement: isKnown ? inOneRoundTrip(dropConstraint(table, key.name), add) : add,
    note: `foreign key to ${key.table} ${isKnown ? 'made anew' : 'added'} (on delete ${key.onDelete})`,
    refusal: `points at rows that ${key.table} does not have`,
    beside: [key.table],
  };
}
