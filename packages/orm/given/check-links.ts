import { and, type Cell, ident, join, precompile, type Sql, sql } from '@kontor/database';
import { lruCache, type Text, text } from '@kontor/protocol';
import { mayOwnerAccess } from '../access/model-access.ts';
import { rightsNumber } from '../access/rights-number.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { type Rows, usesRowCache } from '../model/row-cache.ts';
import { addLineFaults, type BadRow, type Faults, faultsError } from '../operation/faults.ts';
import { companyAfter, companyBound, companyField } from '../operation/record-change.ts';
import { isKnownReadable, linksTo, settleState } from '../operation/settle-state.ts';
import type { Concern, PlannedWrite, RowSql } from '../plan/concern.ts';
import type { RowChange } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { rowsOf } from '../reading/cached-rows.ts';

/** A record that a relation is about to refer to. */
export interface Link {
  readonly field: Field;
  readonly id: number;
  /** The caller chose it, so they must be allowed to read it. */
  readonly isChosen: boolean;
  /** The field's domain must allow it, if the caller chose it directly or through a list. */
  readonly mustFit: boolean;
  /** Company of the linking record; undefined if it does not matter. */
  readonly companyId?: number | null | undefined;
  /** The row of the call, and the lists on the path to it. */
  readonly row: number;
  readonly within?: readonly Field[];
}

interface Target<L> {
  readonly field: Field;
  readonly model: Model;
  readonly links: readonly L[];
  /** Null: nothing restricts. */
  readonly readable: Sql | null;
  readonly fits: Sql | null;
  readonly hasCompany: boolean;
}

export interface LinkCheck {
  /** The model of the call, and the number of its rows. */
  readonly model: Model;
  readonly rows: number;
  /** Also check links that only the foreign key restricts: hooks must not get a relation to a missing record. */
  readonly isEarly?: boolean;
}

/**
 * Rejects links to records that are missing, hidden from the caller, outside the field's domain or of another company.
 * One statement, and all errors in one answer.
 */
export async function checkLinks(env: Env, links: readonly Link[], check: LinkCheck): Promise<void> {
  const targets = targetsOf(env, links, check.isEarly);
  if (targets.length === 0) return;
  const found = targets.map((target) => knownVerdicts(env, target));
  const queries = targets.flatMap((target, index) => verdictQuery(env, target, index, found[index] as Verdicts) ?? []);
  for (const [index, id, isReadable, fits, company] of await verdictRows(env, queries)) {
    const verdict = { isReadable: isReadable === true, fits: fits === true, companyId: company as number | null };
    found[index as number]?.set(id as number, verdict);
  }
  const refused: { readonly link: Link; readonly why: Text }[] = [];
  for (const [index, { model, links: own }] of targets.entries()) {
    for (const link of own) {
      const why = linkProblem(link, model, found[index]?.get(link.id));
      if (why !== null) refused.push({ link, why });
    }
  }
  if (refused.length > 0) throw refusal(env, refused, check);
}

/** Records of cached models are asked for by themselves: their rows are often in memory. */
async function verdictRows(env: Env, queries: readonly VerdictQuery[]): Promise<Rows> {
  const mayBeKnown = ({ isCached }: VerdictQuery) => isCached && usesRowCache(env);
  const others = queries.filter((each) => !mayBeKnown(each)).map(({ query }) => query);
  const rows: (readonly Cell[])[] = others.length > 0 ? [...(await env.db.arrays(join(others, sql` union all `)))] : [];
  for (const { query } of queries.filter(mayBeKnown)) rows.push(...(await rowsOf(env, precompile(query))));
  return rows;
}

/** A link whose ids may be slots. */
export interface LinkToAsk extends Omit<Link, 'id' | 'companyId'> {
  readonly id: unknown;
  readonly companyId?: unknown;
}

/** The same as conditions, for a statement that does nothing unless they hold. */
export function linkConditions(env: Env, links: readonly LinkToAsk[]): Sql[] {
  return targetsOf(env, links).flatMap(({ model, links: own, readable, fits, hasCompany }) =>
    own.map((link) => {
      const company = hasCompany && link.companyId !== undefined;
      const all = [
        sql`r.id = ${link.id}::int4`,
        link.isChosen ? readable : null,
        link.mustFit ? fits : null,
        company ? sameCompany(link.companyId) : null,
      ];
      return sql`exists (select from ${ident(model.table)} r where ${and(all.filter((each) => each !== null))})`;
    }),
  );
}

function sameCompany(companyId: unknown): Sql {
  return sql`(r.company_id is null or r.company_id = ${companyId ?? null}::int4)`;
}

function verdictQuery(
  env: Env,
  { model, links, readable, fits, hasCompany }: Target<Link>,
  index: number,
  known: Verdicts,
): VerdictQuery | null {
  const ids = new Set<number>();
  for (const { id } of links) {
    if (known.has(id)) continue;
    // A compute has loaded it in this operation.
    if (fits === null && !hasCompany && isKnownReadable(env, model, id)) known.set(id, allowedVerdict);
    else ids.add(id);
  }
  if (ids.size === 0) return null;
  const company = hasCompany ? ident('r', 'company_id') : sql`null::int4`;
  const query = sql`
    select ${index}::int4, r.id, (${readable ?? sql`true`}) is true, (${fits ?? sql`true`}) is true, ${company}
    from ${ident(model.table)} r where r.id = any(${[...ids]}::int4[])`;
  return { query, isCached: model.isCached };
}

interface VerdictQuery {
  readonly query: Sql;
  readonly isCached: boolean;
}

function targetsOf<L extends LinkToAsk>(env: Env, links: readonly L[], isEarly = false): Target<L>[] {
  const grouped = new Map<Field, L[]>();
  for (const link of links) {
    const known = grouped.get(link.field);
    if (known) known.push(link);
    else grouped.set(link.field, [link]);
  }
  return [...grouped].flatMap(([field, own]) => {
    const target = targetOf(env, field, own);
    const isFree = target.readable === null && target.fits === null && !target.hasCompany;
    return isFree && !isEarly ? [] : [target];
  });
}

function targetOf<L extends LinkToAsk>(env: Env, field: Field, links: readonly L[]): Target<L> {
  const model = env.registry.model(field.spec.relation as string);
  const isChosen = !env.isSudo && links.some((link) => link.isChosen);
  const mustFit = !env.isSudo && links.some((link) => link.mustFit);
  const readable = mayOwnerAccess(env, model, 'read') ? rulePredicate(env, model, 'read', 'r') : sql`false`;
  return {
    field,
    model,
    links,
    readable: isChosen ? readable : null,
    // The domain is the field author's, not the caller's: it may use fields that the caller may not read.
    fits: mustFit ? fieldDomainSql(env.sudo(), model, field) : null,
    hasCompany: field.spec.checkCompany === true && model.hasCompany,
  };
}

const keptDomains = lruCache<string, Sql>(1_000);

/** The domain of a relation over `r`, compiled once per user with the same rights if possible. */
function fieldDomainSql(env: Env, target: Model, { domain, model, name }: Field): Sql | null {
  if (domain === null) return null;
  const key = `${rightsNumber(env)} ${model}.${name}`;
  const known = keptDomains.get(key);
  if (known) return known;
  const compiler = createCompiler(env, 'r');
  const compiled = compiler.node(target, domain, 'r');
  if (compiler.isCacheable) keptDomains.set(key, compiled);
  return compiled;
}

type Verdicts = Map<number, Verdict>;

/**
 * Earlier results about a relation's records in this operation, for the same caller: a line is checked with its owner,
 * before hooks and when it is written. They are dropped when the operation changes records of that model.
 */
function knownVerdicts(env: Env, { field, model, readable, fits, hasCompany }: Target<Link>): Verdicts {
  const { depth, memo, created } = settleState(env);
  const isAsked = readable !== null || fits !== null || hasCompany;
  if (!isAsked) return new Map([...(created.get(model.name)?.keys() ?? [])].map((id) => [id, allowedVerdict]));
  if (depth === 0 || env.isSudo) return new Map();
  const key = linksTo(model);
  const byCaller = (memo.get(key) as Map<unknown, Map<Field, Verdicts>> | undefined) ?? new Map();
  memo.set(key, byCaller);
  const byField = byCaller.get(env.actor) ?? new Map<Field, Verdicts>();
  byCaller.set(env.actor, byField);
  const known = byField.get(field) ?? new Map<number, Verdict>();
  byField.set(field, known);
  return known;
}

const allowedVerdict: Verdict = { isReadable: true, fits: true, companyId: null };

interface Verdict {
  readonly isReadable: boolean;
  readonly fits: boolean;
  readonly companyId: number | null;
}

/** A hidden record is reported like a missing one. */
function linkProblem(link: Link, model: Model, verdict: Verdict | undefined): Text | null {
  if (verdict === undefined || (link.isChosen && !verdict.isReadable)) return unknownRecord(model, link.id);
  const what = { model: model.label, id: link.id };
  if (link.mustFit && !verdict.fits) return text('{model} {id} cannot be chosen here.', what);
  if (link.field.spec.checkCompany !== true || link.companyId === undefined || verdict.companyId === null) return null;
  return verdict.companyId === link.companyId ? null : text('{model} {id} belongs to another company.', what);
}

export function unknownRecord(model: Model, id: number): Text {
  return text('{model} {id} does not exist, or you may not see it.', { model: model.label, id });
}

function refusal(
  env: Env,
  refused: readonly { readonly link: Link; readonly why: Text }[],
  { model, rows }: LinkCheck,
): Error {
  const byRow = new Map<number, Faults>();
  for (const { link, why } of refused) {
    const faults = byRow.get(link.row) ?? { fields: {} };
    byRow.set(link.row, faults);
    noteFault(env, faults, link, why);
  }
  const bad = [...byRow].map(([index, faults]): BadRow => ({ index, ...faults }));
  return faultsError(
    model,
    bad.sort((a, b) => a.index - b.index),
    rows,
  );
}

function noteFault(env: Env, faults: Faults, { field, within = [] }: Link, why: Text): void {
  let own: BadRow = { index: 0, fields: { [field.name]: [why] } };
  for (const list of within.toReversed()) {
    const outer: BadRow = { index: 0, fields: {} };
    addLineFaults(outer, list, env.registry.model(list.spec.relation as string), [own], 1);
    own = outer;
  }
  for (const [name, messages] of Object.entries(own.fields)) faults.fields[name] ??= messages;
  if (own.lines) faults.lines ??= own.lines;
}

/**
 * The target of a relation must exist, the caller must be allowed to choose it, and it must belong to the same company.
 */
export const links: Concern = {
  name: 'links',
  plan({ env, model, operation, purpose, given, fields }) {
    const relations = [...fields].filter(({ kind }) => kind.isToOne);
    // An undo restores links without checking what may be chosen now.
    if (operation === 'unlink' || relations.length === 0 || purpose === 'restore') return null;
    const row = operation === 'write' ? changedStep : newStep;
    // A record that refers to itself is checked in its final state.
    const isOwn = operation === 'write' && relations.some((field) => field.spec.relation === model.name);
    if (isOwn || !relations.every((field) => dependsOnRightsAlone(env, field))) return row;
    return {
      ...row,
      statement: (rights) => ({ holds: (sqlOf) => linksHold(rights, { model, operation, given }, relations, sqlOf) }),
    };
  },
};

const changedStep = { row: { kind: 'change', run: checkChanged } } as const;
const newStep = {
  row: { kind: 'check', run: checkNew, insertsIf: (run: WriteRun) => linkConditions(run.env, newLinks(run)) },
} as const;

/** The links of many new records are checked at once, before they are inserted. */
async function checkNew(run: WriteRun): Promise<void> {
  await checkLinks(run.env, newLinks(run), { model: run.model, rows: run.rows.length });
}

function newLinks({ model, rows, casts, granted }: WriteRun): Link[] {
  const company = companyField(model);
  // A computed company is not known yet: the links are compared with it when the operation ends.
  const isKnown = company !== null && company.compute === null;
  const links: Link[] = [];
  for (const [row, { given, values }] of rows.entries()) {
    const columns = casts.get(values)?.columns;
    const companyId = isKnown ? ((columns?.get(company) as number | null | undefined) ?? null) : undefined;
    columns?.forEach((target, field) => {
      if (!field.kind.isToOne || target === null) return;
      const isGiven = given[field.name] !== undefined && given[field.name] === values[field.name];
      const isChosen = isGiven && !granted.has(field.name);
      links.push({ field, id: target as number, isChosen, mustFit: isGiven, companyId, row });
    });
  }
  return links;
}

function linksHold(
  env: Env,
  { model, operation, given }: Pick<PlannedWrite, 'model' | 'operation' | 'given'>,
  relations: readonly Field[],
  row: RowSql,
): readonly Sql[] {
  const company = companyField(model);
  return relations.flatMap((field) => {
    const isGiven = given.has(field);
    const id = row.given(field);
    const companyId = company ? row.after(company) : undefined;
    const [exists] = linkConditions(env, [{ field, id, isChosen: isGiven, mustFit: isGiven, companyId, row: 0 }]);
    if (!exists) return [];
    const isOpen = sql`(${id}::int4 is null or ${exists})`;
    return [operation === 'write' ? sql`(${row.old(field)} = ${id}::int4 or ${isOpen})` : isOpen];
  });
}

/** Whether the condition on a relation is the same for every call with the same rights. */
function dependsOnRightsAlone(env: Env, field: Field): boolean {
  const target = env.registry.model(field.spec.relation as string);
  const readers = createCompiler(env, 'r');
  readers.rules(target, 'read', 'r');
  const author = createCompiler(env.sudo(), 'r');
  if (field.domain) author.node(target, field.domain, 'r');
  return readers.isCacheable && author.isCacheable;
}

/** Checks changed relations: the caller may read the new targets, and companies agree. */
async function checkChanged({ env, model, changes, granted }: WriteRun): Promise<void> {
  const changed = changes.flatMap((change, row) => [
    ...changedLinks(model, change, row, granted),
    ...boundLinks(model, change, row),
  ]);
  await checkLinks(env, changed, { model, rows: changes.length });
}

function changedLinks(model: Model, change: RowChange, row: number, granted: ReadonlySet<string>): Link[] {
  const found: Link[] = [];
  for (const [field, { new: target }] of change.changed) {
    if (!field.kind.isToOne || target === null) continue;
    const value = change.values[field.name];
    const isGiven = value !== undefined && change.given[field.name] === value;
    const isChosen = isGiven && !granted.has(field.name);
    // A computed company may depend on this very change.
    const companyId = companyField(model)?.compute ? undefined : companyAfter(model, change);
    found.push({ field, id: target as number, isChosen, mustFit: isGiven, companyId, row });
  }
  return found;
}

/** When a record moves to another company, its unchanged relations are checked too. */
function boundLinks(model: Model, change: RowChange, row: number): Link[] {
  const company = companyField(model);
  if (company === null || !change.changed.has(company)) return [];
  const kept = companyBound(model).filter((field) => !change.changed.has(field));
  return kept.flatMap((field) => {
    const target = change.now.values.get(field);
    return typeof target === 'number'
      ? [{ field, id: target, isChosen: false, mustFit: false, companyId: companyAfter(model, change), row }]
      : [];
  });
}
