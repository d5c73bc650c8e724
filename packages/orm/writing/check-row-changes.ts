import { checkLinks, type Link } from '../given/check-links.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { companyField } from '../operation/record-change.ts';
import type { RowChange } from '../plan/row-change.ts';
import { markForCompany } from '../settle/check-companies.ts';
import { companyBound } from './compare-rows.ts';

/** Checks changed relations: the caller may read the new targets, and companies agree. */
export async function checkRowChanges(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  { grants, restores }: { readonly grants: ReadonlySet<string>; readonly restores: boolean },
): Promise<void> {
  const links = changes.flatMap((change, row) => [
    ...changedLinks(model, change, row, grants),
    ...boundLinks(model, change, row),
  ]);
  // An undo restores links without asking what may be chosen now.
  if (restores) return;
  await checkLinks(env, links, { model, rows: changes.length });
  const company = companyField(model);
  const bound = company?.compute ? companyBound(model) : [];
  const asked = changes.filter(({ changed }) => bound.some((field) => typeof changed.get(field)?.new === 'number'));
  const moved = changes.filter(({ changed }) => company && changed.has(company) && hasBoundList(model));
  markForCompany(
    env,
    model,
    [...asked, ...moved].map(({ id }) => id),
  );
}

function hasBoundList({ fields }: Model): boolean {
  return [...fields.values()].some(({ spec, through }) => spec.checkCompany === true && through !== null);
}

function changedLinks(model: Model, change: RowChange, row: number, granted: ReadonlySet<string>): Link[] {
  const links: Link[] = [];
  for (const [field, { new: target }] of change.changed) {
    if (!field.kind.isToOne || target === null) continue;
    const value = change.values[field.name];
    const isGiven = value !== undefined && change.given[field.name] === value;
    const isChosen = isGiven && !granted.has(field.name);
    // A computed company may follow from this very change.
    const companyId = companyField(model)?.compute ? undefined : companyAfter(model, change);
    links.push({ field, id: target as number, isChosen, mustFit: isGiven, companyId, row });
  }
  return links;
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

export function companyAfter(model: Model, change: Pick<RowChange, 'now' | 'changed'>): number | null | undefined {
  const company = companyField(model);
  if (company === null) return undefined;
  return valueAfter(company, change) as number | null;
}

function valueAfter(field: Field, { now, changed }: Pick<RowChange, 'now' | 'changed'>): unknown {
  const change = changed.get(field);
  return change ? change.new : (now.values.get(field) ?? null);
}
