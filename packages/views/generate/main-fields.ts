import type { Field, Model } from '@kontor/orm';

const system = new Set(['id', 'display_name', 'create_date', 'create_uid', 'write_date', 'write_uid', 'active']);
const starts = ['date_start', 'start_date', 'start', 'date_begin', 'date', 'date_order', 'date_deadline'];
const stops = ['date_stop', 'date_end', 'stop', 'stop_date', 'end_date', 'end'];

/** Not useful in a row or a search, although their type would fit. */
const minor = new Set(['sequence', 'color', 'currency_id', 'company_id', 'lang', 'latitude', 'longitude']);

export function isMinor(field: Field): boolean {
  return minor.has(field.name);
}

/** The fields of a model that users fill in or read, in the order of declaration. */
export function ownFields(model: Model): readonly Field[] {
  return [...model.fields.values()].filter((field) => !system.has(field.name) && !field.spec.secret);
}

export function fieldsOfKind(model: Model, isMeant: (kind: Field['kind']) => boolean): readonly Field[] {
  return ownFields(model).filter(({ kind }) => isMeant(kind));
}

/** The name field of a record; the display name is derived from it. */
export function nameField(model: Model): Field | null {
  for (const part of model.displayName) {
    const name = 'path' in part && part.path.length === 1 ? part.path[0] : undefined;
    const field = name === undefined ? undefined : model.fields.get(name);
    if (field && field.name !== 'id' && !field.spec.secret) return field;
  }
  return null;
}

/** The field with the state of a record. */
export function statusField(model: Model): Field | null {
  const named = ['stage_id', 'state', 'status'].map((name) => model.fields.get(name));
  const fits = (field: Field | undefined) => field?.isStored && (field.kind.isChoice || field.kind.isToOne);
  return named.find(fits) ?? null;
}

/** The owner of a record. */
export function ownerField(model: Model): Field | null {
  const field = model.fields.get('user_id');
  return field?.spec.relation === 'core.user' && field.isStored ? field : null;
}

/** The field with the order in which users arrange records. */
export function sequenceField(model: Model): Field | null {
  const field = model.fields.get('sequence');
  return field?.kind.isWhole && field.isStored && !field.isReadonly ? field : null;
}

/** Numbers that can be added up. */
export function measureField(model: Model): Field | null {
  const numbers = ownFields(model).filter((field) => field.kind.isNumber && field.isStored);
  const amounts = numbers.filter((field) => field.kind.isMoney);
  const others = numbers.filter((field) => !isMinor(field) && field.name !== 'priority');
  return amounts.find((field) => /total/.test(field.name)) ?? amounts[0] ?? others[0] ?? null;
}

export function startField(model: Model): Field | null {
  return dateNamed(model, starts) ?? ownFields(model).find((field) => field.kind.isDate && field.isStored) ?? null;
}

/** The field with the end of something that begins; none without a start field. */
export function stopField(model: Model): Field | null {
  const stop = dateNamed(model, stops);
  return stop && startField(model)?.name !== stop.name ? stop : null;
}

function dateNamed(model: Model, names: readonly string[]): Field | null {
  const found = names.map((name) => model.fields.get(name)).find((field) => field?.kind.isDate && field.isStored);
  return found ?? null;
}
