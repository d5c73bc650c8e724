import {
  BadValue,
  type Field,
  isDefaultSource,
  type Model,
  neededFields,
  type Registry,
  requiredFields,
} from '@kontor/orm';
import { chooseOne, modelHint } from '@kontor/protocol';
import { AddonError, attempt, type ReportMistake } from '../addon-error.ts';
import { type DataField, type DataRecord, fieldPlace, namePlace, textValue } from './data-record.ts';
import { relativeValue } from './relative-date.ts';

/** Fields of the kernel's own models that contain the name of a model. */
const modelNameFields: ReadonlySet<string> = new Set(['sys.access', 'sys.rule', 'sys.view', 'sys.action.window']);

/** Fields that a file cannot set. It can set the creation date, so that demonstration data has a past. */
const systemFields: ReadonlySet<string> = new Set(['id', 'display_name', 'create_uid', 'write_date', 'write_uid']);

/** Checks everything that needs no database: models, fields, values, and missing required fields. */
export function checkRecords(registry: Registry, records: readonly DataRecord[], report?: ReportMistake): void {
  for (const record of records) attempt(report, undefined, () => checkRecord(registry, record, report));
}

function checkRecord(registry: Registry, record: DataRecord, report: ReportMistake | undefined): void {
  const model = modelOf(registry, record.model, record);
  const given = new Set<string>();
  for (const item of record.fields) {
    attempt(report, undefined, () => {
      if (given.has(item.name)) throw new AddonError(fieldPlace(record, item), `"${item.name}" is given twice.`);
      given.add(item.name);
      checkValue(registry, record, item, fieldOf(model, record, item));
    });
  }
  checkRequired(model, record, given);
}

function modelOf(registry: Registry, name: string, record: DataRecord, item?: DataField): Model {
  const model = registry.models.get(name);
  if (model) return model;
  const place = item ? fieldPlace(record, item) : record.place;
  throw new AddonError(place, `There is no model "${name}".`, modelHint(name, registry.models.keys()));
}

export function fieldOf(model: Model, record: DataRecord, item: DataField): Field {
  const place = namePlace(record, item);
  const field = model.fields.get(item.name);
  if (!field) {
    throw new AddonError(
      place,
      `${model.name} has no field "${item.name}".`,
      chooseOne(item.name, model.fields.keys()),
    );
  }
  if (isWorkedOut(field)) {
    throw new AddonError(place, `${model.name}.${item.name} is worked out and cannot be given.`);
  }
  return field;
}

function isWorkedOut(field: Field): boolean {
  return field.compute !== null || field.related !== null || systemFields.has(field.name);
}

function checkValue(registry: Registry, record: DataRecord, item: DataField, field: Field): void {
  const { value } = item;
  if (value.kind === 'refs') checkRefs(record, item, field, value.refs);
  if (value.kind === 'refs' || value.kind === 'same') return;
  try {
    const cast = givenValue(field, value);
    if (cast !== undefined) field.kind.cast(cast, field);
    if (item.name === 'model' && modelNameFields.has(record.model)) modelOf(registry, String(cast), record, item);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new AddonError(fieldPlace(record, item), `${record.model}.${item.name}: ${error.message}`);
  }
}

type PlainValue = Exclude<DataField['value'], { kind: 'refs' | 'same' }>;

function givenValue(field: Field, value: PlainValue): unknown {
  if (value.kind === 'relative') return relativeValue(field, value, new Date());
  return value.kind === 'text' ? textValue(field, value.text) : value.json;
}

function checkRefs(record: DataRecord, item: DataField, field: Field, refs: readonly string[]): void {
  const { type } = field.spec;
  const place = fieldPlace(record, item);
  if (field.kind.isLines) throw new AddonError(place, `"${item.name}": set ${field.spec.inverse} on the other side.`);
  if (!takesIds(field)) {
    throw new AddonError(place, `"${item.name}" is of type ${type} and takes no external id.`);
  }
  if (refs.length > 1 && !field.kind.isLinks) throw new AddonError(place, `"${item.name}" takes one external id.`);
}

function checkRequired(model: Model, record: DataRecord, given: ReadonlySet<string>): void {
  // Such a hook may set values that the file omits; the insert decides.
  if (model.hooks.some((hook) => hook.beforeCreate)) return;
  for (const field of neededFields(model)) {
    if (given.has(field.name) || hasOwnSource(model, field)) continue;
    throw new AddonError(
      record.place,
      `"${field.name}" is required on ${model.name} and not given.`,
      `Add <field name="${field.name}">…</field>, or a column in CSV.`,
    );
  }
  for (const field of requiredFields(model)) {
    const ref = given.has(field.name) || field.isEditable ? undefined : recordOfNobody(field.spec.default);
    if (ref === undefined) continue;
    throw new AddonError(
      record.place,
      `"${field.name}" is required on ${model.name} and not given: its default depends on who creates the record, and a file is nobody.`,
      `Add <field name="${field.name}" ref="${ref}"/>, or a column ${field.name}:ref in CSV.`,
    );
  }
}

/** Files are loaded by the system, which is no user and in no company. */
function recordOfNobody(value: unknown): string | undefined {
  if (!isDefaultSource(value)) return undefined;
  return { company: 'base.main_company', user: 'base.user_admin' }[value.source as string];
}

/** Keys are filled from the external id. */
function hasOwnSource(model: Model, field: Field): boolean {
  if (field.kind.isList) return true;
  return keyField(model.name) === field.name;
}

/** For models that store a record's external id in a field of their own. */
export function keyField(model: string): string | null {
  return model === 'core.group' || model === 'sys.view' ? 'key' : null;
}

function takesIds({ kind }: Field): boolean {
  return kind.isToOne || kind.isLinks || kind.isReference || kind.isWhole;
}
