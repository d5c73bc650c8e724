import { computeDepends, type Field, type Model, type Registry } from '@kontor/orm';

/** A computed field that reveals records or fields that its reader may not read. */
export interface Leak {
  readonly model: string;
  readonly name: string;
  /** Model and name. */
  readonly field: string;
  readonly module: string;
  /** The path by which it gets there. */
  readonly path: string;
  /** The author's reason; null if there is none. */
  readonly reason: string | null;
}

/**
 * Unstored values are computed from what their reader may read. Stored values are the same for everyone, so they need a reason
 * (`asServer`) if they follow a list to records that are not parts, or a relation to records that rules may hide, or if more users
 * may read them than their sources. Ids alone reveal nothing. `ruled` are the models with record rules.
 */
export function findLeaks(registry: Registry, ruled: ReadonlySet<string>): readonly Leak[] {
  const found: Leak[] = [];
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.isEditable || (!field.isStored && reasonOf(field) === null)) continue;
      const path = pathsOf(field).find((each) => leadsToOthers(registry, model, field, each.split('.'), ruled));
      if (path === undefined) continue;
      const { name, module } = field;
      const place = { model: model.name, name, field: `${model.name}.${name}`, module };
      found.push({ ...place, path, reason: reasonOf(field) });
    }
  }
  return found;
}

function reasonOf({ compute }: Field): string | null {
  return compute?.asServer ?? null;
}

function pathsOf({ compute, related }: Field): readonly string[] {
  if (related) return [related.join('.')];
  return compute ? computeDepends(compute) : [];
}

function leadsToOthers(
  registry: Registry,
  model: Model,
  field: Field,
  steps: readonly string[],
  ruled: ReadonlySet<string>,
): boolean {
  let at = model;
  for (const [index, name] of steps.entries()) {
    const step = at.fields.get(name);
    if (!step) return false;
    if (opensField(field, step)) return true;
    if (!step.spec.relation) return false;
    const target = registry.models.get(step.spec.relation);
    if (!target) return false;
    const isPart = step.kind.isLines && target.partOf === step.spec.inverse;
    if (step.kind.isList && !isPart) return true;
    const isTold = index < steps.length - 1 && !field.spec.relation;
    if (!step.kind.isList && isTold && at.partOf !== name && mayBeHidden(target, ruled)) return true;
    at = target;
  }
  return false;
}

/** Whether users who may not read the one may read the other. */
function opensField(field: Field, source: Field): boolean {
  if (source.spec.meantFor !== undefined && field.spec.meantFor === undefined) return true;
  const closed = source.spec.groups;
  if (closed === undefined) return false;
  return field.spec.groups === undefined || field.spec.groups.some((group) => !closed.includes(group));
}

function mayBeHidden(model: Model, ruled: ReadonlySet<string>): boolean {
  return ruled.has(model.name) || (model.hasCompany && model.companyRule !== false) || model.partOf !== null;
}

/** What is wrong with a stored value without a reason, and how to mend it. */
export function explainLeak({ field, path }: Leak): { readonly message: string; readonly fix: string } {
  return {
    message: `${field} is stored, so everyone who reads the record sees it, but it is computed from ${path}, which some of them may not read.`,
    fix: 'Compute it unstored, limit it with `groups`, or give the reason why everyone may know it as `asServer` of its compute.',
  };
}
