import { type Env, type Field, type Model, mayAccessModel } from '@kontor/orm';
import type { ReferenceExample } from '@kontor/protocol';

const maxShown = 4;

/** Example calls with names of this model, for what the user may do: each can be sent unchanged. */
export function rpcExamplesOf(env: Env, model: Model, fields: readonly Field[]): readonly ReferenceExample[] {
  const shown = fields.filter(isTelling).slice(0, maxShown);
  const names = shown.map(({ name }) => name);
  const examples = [example(model, 'search_read', [model.served?.sample ?? [], names], { limit: 10 })];
  if (model.served) return examples;
  examples.push(example(model, 'read', [[1], names]), example(model, 'read_group', [groupSpec(fields)]));
  if (mayAccessModel(env, model, 'create')) {
    examples.push(example(model, 'create', [requiredValues(fields)], { dry_run: true }));
  }
  const changed = fields.find((field) => !field.isReadonly && field.kind.isText && isTelling(field));
  if (changed && mayAccessModel(env, model, 'write')) {
    examples.push(example(model, 'write', [[1], { [changed.name]: sampleOf(changed) }], { dry_run: true }));
  }
  if (mayAccessModel(env, model, 'unlink')) examples.push(example(model, 'unlink', [[1]], { dry_run: true }));
  return examples;
}

function example(model: Model, method: string, args: readonly unknown[], kwargs?: object): ReferenceExample {
  return { method, body: JSON.stringify({ model: model.name, method, args, ...(kwargs && { kwargs }) }, null, 2) };
}

function isTelling({ name, kind, isStored }: Field): boolean {
  return isStored && name !== 'id' && !kind.isFile && !name.startsWith('create_') && !name.startsWith('write_');
}

function groupSpec(fields: readonly Field[]): object {
  const grouped = fields.find(({ kind, isStored }) => isStored && (kind.isChoice || kind.isToOne));
  const counted = { name: 'records', field: 'id', measure: 'count' };
  return { domain: [], groupby: grouped ? [grouped.name] : [], fields: [counted] };
}

function requiredValues(fields: readonly Field[]): object {
  const needed = fields.filter((field) => {
    const isGiven = field.spec.default !== undefined || field.isEditable || field.isReadonly || field.compute !== null;
    return field.required && !isGiven;
  });
  return Object.fromEntries(needed.map((field) => [field.name, sampleOf(field)]));
}

/** A valid value for the field. */
function sampleOf(field: Field): unknown {
  const { kind, spec, selection, label } = field;
  if (kind.isToOne) return 1;
  if (kind.isList) return [];
  if (kind.isBoolean) return true;
  if (kind.isInstant) return '2026-11-16T09:00:00Z';
  if (kind.isDate) return '2026-11-16';
  if (kind.isNumber) return spec.min ?? 1;
  if (kind.isChoice) return [...(selection?.keys() ?? [])][0] ?? null;
  if (kind.isJson) return {};
  return label.slice(0, spec.size ?? label.length);
}
