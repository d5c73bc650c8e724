import { and, ident, join, type Sql, sql } from '@kontor/database';
import { accessDenied, atField, parseDomain, type Text, text, ValidationError } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { rulePredicate } from '../access/rule-predicate.ts';
import { domainToSql } from '../domain/domain-to-sql.ts';
import type { Env } from '../env.ts';
import type { Field, Model } from '../model/model.ts';

/** A record that a relation is about to point at. */
export interface Link {
  readonly field: Field;
  readonly id: number;
  /** The caller chose it, so it must be one that they may read and that the field's domain allows. */
  readonly isChosen: boolean;
  /** Company of the record that links; undefined where it does not matter. */
  readonly companyId?: number | null | undefined;
}

interface Target {
  readonly field: Field;
  readonly model: Model;
  readonly links: readonly Link[];
  /** Null: nothing restricts. */
  readonly readable: Sql | null;
  readonly fits: Sql | null;
  readonly hasCompany: boolean;
}

/** Refuses links to records that are hidden from the caller, outside the field's domain or of another company. One statement. */
export async function checkLinks(env: Env, operation: 'create' | 'write', links: readonly Link[]): Promise<void> {
  const targets = targetsOf(env, links);
  if (targets.length === 0) return;
  const rows = await env.db.arrays(join(targets.map(verdictQuery), sql` union all `));
  const found = new Map(rows.map((row) => [`${row[0]}:${row[1]}`, row]));
  for (const [index, { field, model, links: own }] of targets.entries()) {
    for (const link of own) {
      const row = found.get(`${index}:${link.id}`);
      if (row === undefined)
        throw refused(field, text('{model} {id} does not exist.', { model: model.label, id: link.id }));
      const verdict = { isReadable: row[2] === true, fits: row[3] === true, companyId: row[4] as number | null };
      checkTarget(link, model, verdict, operation);
    }
  }
}

/** The same as conditions, for a statement that is to do nothing unless they hold. */
export function linkConditions(env: Env, links: readonly Link[]): Sql[] {
  return targetsOf(env, links).flatMap(({ model, links: own, readable, fits, hasCompany }) =>
    own.map((link) => {
      const company = hasCompany && link.companyId !== undefined;
      const all = [sql`r.id = ${link.id}::int4`, readable, fits, company ? sameCompany(link.companyId) : null];
      return sql`exists (select from ${ident(model.table)} r where ${and(all.filter((each) => each !== null))})`;
    }),
  );
}

function sameCompany(companyId: number | null | undefined): Sql {
  return sql`(r.company_id is null or r.company_id = ${companyId ?? null}::int4)`;
}

function verdictQuery({ model, links, readable, fits, hasCompany }: Target, index: number): Sql {
  const ids = [...new Set(links.map((link) => link.id))];
  const company = hasCompany ? ident('r', 'company_id') : sql`null::int4`;
  return sql`
    select ${index}::int4, r.id, (${readable ?? sql`true`}) is true, (${fits ?? sql`true`}) is true, ${company}
    from ${ident(model.table)} r where r.id = any(${ids}::int4[])`;
}

function targetsOf(env: Env, links: readonly Link[]): Target[] {
  const grouped = new Map<Field, Link[]>();
  for (const link of links) {
    const known = grouped.get(link.field);
    if (known) known.push(link);
    else grouped.set(link.field, [link]);
  }
  return [...grouped].flatMap(([field, own]) => target(env, field, own) ?? []);
}

/** Null where nothing but the foreign key has a say. */
function target(env: Env, field: Field, links: readonly Link[]): Target | null {
  const model = env.registry.model(field.spec.relation as string);
  const isChosen = !env.isSudo && links.some((link) => link.isChosen);
  if (isChosen) checkModelAccess(env, model, 'read');
  const readable = isChosen ? rulePredicate(env, model, 'read', 'r') : null;
  // The domain is the field author's, not the caller's: it may read what the caller may not.
  const fits =
    isChosen && field.spec.domain ? domainToSql(env.sudo(), model, parseDomain(field.spec.domain), 'r') : null;
  const hasCompany = field.spec.checkCompany === true && model.hasCompany;
  if (readable === null && fits === null && !hasCompany) return null;
  return { field, model, links, readable, fits, hasCompany };
}

interface Verdict {
  readonly isReadable: boolean;
  readonly fits: boolean;
  readonly companyId: number | null;
}

function checkTarget(link: Link, model: Model, verdict: Verdict, operation: 'create' | 'write'): void {
  const { field } = link;
  if (link.isChosen && !verdict.isReadable) {
    throw accessDenied(field.model, operation, 'rule', {
      field: field.name,
      message: atField(field.label, text('you may not use {model} {id}.', { model: model.label, id: link.id })),
    });
  }
  if (link.isChosen && !verdict.fits)
    throw refused(field, text('{model} {id} cannot be chosen here.', { model: model.label, id: link.id }));
  if (field.spec.checkCompany !== true || link.companyId === undefined || verdict.companyId === null) return;
  if (verdict.companyId !== link.companyId)
    throw refused(field, text('{model} {id} belongs to another company.', { model: model.label, id: link.id }));
}

function refused(field: Field, message: Text): ValidationError {
  return new ValidationError({ [field.name]: [message] }, atField(field.label, message));
}
