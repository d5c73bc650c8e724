import type { Field, Model, Registry } from '@kontor/orm';
import type { TestKernel } from './test-kernel.ts';

/** A computed field that reveals records or fields that its reader may not read. */
export interface Leak {
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
 * may read them than their sources. Ids alone reveal nothing.
 */
export async function findLeaks({ kernel, work }: TestKernel): Promise<Leak[]> {
  const rows = await work((env) => env.sudo().model('sys.rule').searchRead([], ['model']));
  const ruled = new Set(rows.map((row) => String(row.model)));
  const { registry } = kernel;
  const found: Leak[] = [];
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.isEditable || (!field.isStored && reasonOf(field) === null)) continue;
      const path = pathsOf(field).find((each) => leadsToOthers(registry, model, field, each.split('.'), ruled));
      if (path === undefined) continue;
      found.push({ field: `${model.name}.${field.name}`, module: field.module, path, reason: reasonOf(field) });
    }
  }
  return found;
}

function reasonOf({ compute }: Field): string | null {
  return compute?.asServer ?? null;
}

function pathsOf({ compute, related }: Field): readonly string[] {
  if (related) return [related.join('.')];
  if (!compute) return [];
  if ('value' in compute) return compute.depends;
  const { asServer: _, ...aggregate } = compute;
  return Object.values(aggregate);
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
    const target = registry.model(step.spec.relation);
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
  const closed = source.spec.groups;
  if (closed === undefined) return false;
  return field.spec.groups === undefined || field.spec.groups.some((group) => !closed.includes(group));
}

function mayBeHidden(model: Model, ruled: ReadonlySet<string>): boolean {
  return ruled.has(model.name) || (model.hasCompany && model.companyRule !== false) || model.partOf !== null;
}
