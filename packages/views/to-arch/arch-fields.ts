import { computeDepends, type Field, fieldAggregate, type Model } from '@kontor/orm';
import type { Aggregate, ArchField, Operation, RelatedRights } from '@kontor/protocol';
import { isGroupable, isSearchable, isSortable } from '../field-traits.ts';
import type { ArchScope } from './arch-scope.ts';

/** The client's description of the fields of an arch. */
export function archFields(scope: ArchScope): readonly ArchField[] {
  return [...scope.fields].map((field) => ({ ...archField(scope.model, field), ...relatedRights(scope, field) }));
}

/** The client's description of one field. */
export function archField(model: Model, field: Field): ArchField {
  const { spec } = field;
  return {
    name: field.name,
    type: spec.type,
    label: field.label,
    ...(spec.help && { help: spec.help }),
    required: field.required,
    readonly: field.isReadonly,
    stored: field.isStored,
    sortable: isSortable(field),
    searchable: isSearchable(field),
    groupable: isGroupable(field),
    ...(spec.relation && { relation: spec.relation }),
    ...(spec.inverse && { inverse: spec.inverse }),
    ...(field.selection && { selection: [...field.selection] }),
    ...(spec.domain && { domain: spec.domain }),
    ...currencyOf(model, field),
    ...aggregateOf(field),
    ...(spec.size !== undefined && { size: spec.size }),
    ...(spec.format && { format: spec.format }),
    ...(spec.ends && { isEnd: true }),
    ...(spec.precision && { digits: spec.precision }),
    ...(spec.min !== undefined && { min: spec.min }),
    ...(spec.max !== undefined && { max: spec.max }),
    onchange: hasOnchange(model, field.name),
  };
}

function currencyOf(model: Model, { kind, spec }: Field): { readonly currency?: string } {
  const name = spec.currency ?? 'currency_id';
  return kind.isMoney && model.fields.has(name) ? { currency: name } : {};
}

function aggregateOf(field: Field): { readonly aggregate?: Aggregate } {
  const aggregate = fieldAggregate(field);
  return aggregate ? { aggregate } : {};
}

/** A handler reacts to the field, or another field's value depends on it. */
function hasOnchange(model: Model, name: string): boolean {
  if (model.onchange.has(name)) return true;
  return [...model.fields.values()].some((other) => sourcesOf(other).some((path) => path.split('.')[0] === name));
}

function sourcesOf({ compute, editableCompute, related }: Field): readonly string[] {
  if (related !== null) return [related[0] as string];
  const computed = compute ?? editableCompute;
  return computed === null ? [] : computeDepends(computed);
}

function relatedRights({ registry, viewer }: ArchScope, { spec }: Field): { readonly related?: RelatedRights } {
  const model = registry.models.get(spec.relation ?? '');
  if (!model) return {};
  const may = (operation: Operation) => viewer.mayAccess(model, operation);
  const keys = keysOf(model).filter((field) => viewer.mayReadField(field));
  return {
    related: {
      ...{ read: may('read'), create: may('create'), write: may('write'), unlink: may('unlink') },
      ...(keys.length > 0 && { keys: keys.map(({ name }) => name) }),
    },
  };
}

/** A name that is only part of what the screen shows, and texts that no two records share. */
function keysOf({ fields, uniques, displayName }: Model): readonly Field[] {
  const isWhole = displayName.length === 1;
  const unique = uniques.flatMap((each) => (each.fields.length === 1 && !each.where ? each.fields : []));
  const named = [...(isWhole ? [] : ['name']), ...unique].map((name) => fields.get(name));
  const texts = named.filter((field) => field?.kind.isShort && field.column !== null && !field.spec.secret);
  return [...new Set(texts)] as readonly Field[];
}
