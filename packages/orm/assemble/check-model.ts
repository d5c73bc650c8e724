import { chooseOne } from '@kontor/protocol';
import type { ComputeSpec } from '../model/behaviour.ts';
import { aggregateOf, computeDepends, isAggregate } from '../model/depends.ts';
import type { Field, Model } from '../model/model.ts';
import { whereFault } from '../schema/where-text.ts';
import { checkAcyclic } from './acyclic.ts';
import { checkDue } from './check-due.ts';
import { fieldChecks } from './check-field.ts';
import { checkMail } from './check-mail.ts';
import { checkPortal } from './check-portal.ts';
import { checkStates } from './check-states.ts';
import { checkTimeline } from './check-timeline.ts';
import type { Draft } from './draft.ts';
import { editableFault } from './editable-computes.ts';
import { checkExcludes } from './excludes.ts';
import { type FieldTable, isUnresolved, walkPath } from './path.ts';
import type { AddProblem, Problems } from './problems.ts';
import { parseOrder } from './terms.ts';

export function checkModel(draft: Draft, model: Model, table: FieldTable, problems: Problems): void {
  for (const field of model.fields.values()) {
    for (const check of isUnresolved(field, table) ? [] : fieldChecks) {
      const fault = check(field, table);
      if (fault !== null) problems.add({ module: field.module, model: model.name, field: field.name }, fault);
    }
  }
  checkComputes(draft, table, problems);
  checkOrder(draft, table, problems);
  checkOnchange(draft, table, problems);
  checkConstraints(draft, table, problems);
  checkHooks(draft, table, problems);
  checkAcyclic(draft, model, table, problems);
  checkUniques(draft, model, problems);
  checkNormalise(draft, model, problems);
  checkExcludes(draft, model, problems);
  checkIndexes(draft, model, problems);
  checkAbout(draft, model, problems);
  checkDue(draft, model, table, problems);
  checkTimeline(draft, model, table, problems);
  checkMail(draft, model, table, problems);
  checkPortal(draft, model, table, problems);
  checkPartOf(draft, table, problems);
  checkEnds(model, problems);
  checkStates(draft, model, table, problems);
}

function checkOrder(draft: Draft, table: FieldTable, problems: Problems): void {
  if (draft.order === undefined) return;
  const at = { module: draft.order.module, model: draft.name };
  const terms = parseOrder(draft.order.value);
  if (terms.length === 0) problems.add(at, 'order is empty.');
  for (const { path } of terms) {
    const walked = walkPath(table, draft.name, path);
    if (typeof walked === 'string') problems.add(at, `order ${walked}`);
    else if (!walked.every(hasOneValue)) problems.add(at, `order "${path.join('.')}": it cannot be sorted by.`);
  }
}

function hasOneValue(field: Field): boolean {
  return !field.kind.isList && (field.isStored || field.related !== null || field.name === 'display_name');
}

function checkOnchange(draft: Draft, table: FieldTable, problems: Problems): void {
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  for (const [name, list] of draft.onchange) {
    for (const { module, value } of list) {
      const at = { module, model: draft.name, field: name };
      if (!fields.has(name)) {
        problems.add(at, `an onchange for a field that does not exist.${chooseOne(name, fields.keys())}`);
      }
      checkPaths(draft.name, value.reads ?? [], table, (message) => problems.add(at, `onchange reads ${message}`));
    }
  }
}

function checkConstraints(draft: Draft, table: FieldTable, problems: Problems): void {
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  for (const [name, { module, value }] of draft.constraints) {
    const addProblem = (message: string) =>
      problems.add({ module, model: draft.name }, `constraint "${name}" ${message}`);
    if (value.on.length === 0) addProblem('has nothing in "on".');
    for (const path of value.on) {
      const field = fields.get(path);
      if (path.includes('.')) addProblem(`is on "${path}": name fields of the model in "on", and paths in "reads".`);
      else if (field === undefined)
        addProblem(`is on "${path}": there is no such field.${chooseOne(path, fields.keys())}`);
      else if (!field.kind.isList && !field.isStored)
        addProblem(`is on "${path}", which is not stored: name what it is made from.`);
    }
    checkPaths(draft.name, value.reads ?? [], table, (message) => addProblem(`reads ${message}`));
    for (const path of value.serialize ?? []) {
      const link = fields.get(path);
      if (link === undefined)
        addProblem(`serializes on "${path}": there is no such field.${chooseOne(path, fields.keys())}`);
      else if (!link.kind.isToOne || !link.isStored)
        addProblem(`serializes on "${path}", which is no stored many2one of its own.`);
    }
    if (value.field !== undefined && !fields.has(value.field)) {
      addProblem(`is shown at "${value.field}": there is no such field.${chooseOne(value.field, fields.keys())}`);
    }
  }
}

function checkHooks(draft: Draft, table: FieldTable, problems: Problems): void {
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  for (const { module, value } of draft.hooks) {
    const { on, beforeWrite, afterWrite } = value;
    if (on === undefined) continue;
    const addProblem = (message: string) => problems.add({ module, model: draft.name }, `hooks ${message}`);
    if (on.length === 0) addProblem('have nothing in "on".');
    if (!beforeWrite && !afterWrite)
      addProblem('have "on", which is for beforeWrite and afterWrite, and neither of them.');
    for (const name of on) {
      if (!fields.has(name)) addProblem(`are on "${name}": there is no such field.${chooseOne(name, fields.keys())}`);
    }
  }
}

function checkUniques(draft: Draft, model: Model, problems: Problems): void {
  for (const [name, { module, value }] of draft.uniques) {
    const at = { module, model: model.name };
    if (value.fields.length === 0) problems.add(at, `unique "${name}" names no field.`);
    for (const field of value.fields) {
      const fault = columnFault(model, field);
      if (fault !== null) problems.add(at, `unique "${name}" ${fault}`);
    }
    const fault = value.where === undefined ? null : whereFault(value.where, (name) => model.fields.get(name));
    if (fault !== null) problems.add(at, `unique "${name}" has a "where" that does not fit: ${fault}`);
  }
}

function checkNormalise(draft: Draft, model: Model, problems: Problems): void {
  for (const [name, { module, value }] of draft.normalise) {
    const addProblem = (message: string) =>
      problems.add({ module, model: model.name }, `normalise "${name}" ${message}`);
    if (value.on.length === 0) addProblem('has nothing in "on".');
    for (const each of [...value.on, ...(value.reads ?? [])]) {
      const field = model.fields.get(each);
      if (field?.compute || field?.related) addProblem(`cannot use "${each}", which is computed.`);
      else {
        const fault = columnFault(model, each);
        if (fault !== null) addProblem(fault);
      }
    }
  }
}

function checkIndexes(draft: Draft, model: Model, problems: Problems): void {
  for (const { module, value } of draft.indexes) {
    for (const { path } of parseOrder(value)) {
      const fault = columnFault(model, path.join('.'));
      if (fault !== null) problems.add({ module, model: model.name }, `index "${value}" ${fault}`);
    }
  }
}

function checkAbout({ about }: Draft, model: Model, problems: Problems): void {
  if (about === null) return;
  const types = { model: 'char', id: 'integer' } as const;
  for (const [key, type] of Object.entries(types) as ['model' | 'id', string][]) {
    const field = model.fields.get(about.value[key]);
    if (field?.spec.type === type && field.isStored) continue;
    problems.add(
      { module: about.module, model: model.name },
      `about "${about.value[key]}" is no stored ${type} field.`,
    );
  }
}

function checkPartOf({ name, partOf }: Draft, table: FieldTable, problems: Problems): void {
  if (partOf === null) return;
  const field = table.get(name)?.get(partOf.value);
  const fault = (message: string) =>
    problems.add({ module: partOf.module, model: name }, `part of "${partOf.value}": ${message}`);
  if (!field?.kind.isToOne || !field.isStored) fault('it is no stored many2one.');
  else if (field.spec.relation === name) fault('a record is not part of another of its own model.');
}

/** A field ends what begins at another moment of the same record. */
function checkEnds({ name, fields }: Model, problems: Problems): void {
  for (const { name: field, module, spec } of fields.values()) {
    if (spec.ends === undefined || spec.ends === true) continue;
    if (fields.get(spec.ends)?.kind.isInstant && spec.ends !== field) continue;
    problems.add({ module, model: name }, `${field} ends "${spec.ends}", which is no other datetime of the model.`);
  }
}

function columnFault(model: Model, name: string): string | null {
  const field = model.fields.get(name);
  if (field === undefined) return `has no field "${name}" to use.${chooseOne(name, model.fields.keys())}`;
  return field.isStored ? null : `cannot use "${name}", which is not stored.`;
}

function checkPaths(model: string, paths: readonly string[], table: FieldTable, addProblem: AddProblem): void {
  for (const path of paths) {
    const walked = walkPath(table, model, path.split('.'));
    if (typeof walked === 'string') addProblem(walked);
  }
}

/** Computes belong to fields with `computed`, and read existing paths. */
function checkComputes(draft: Draft, table: FieldTable, problems: Problems): void {
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  for (const [name, { module, value: compute }] of draft.computes) {
    const at = { module, model: draft.name, field: name };
    const field = fields.get(name);
    if (field === undefined) {
      problems.add(at, `a compute for a field that does not exist.${chooseOne(name, fields.keys())}`);
    } else if (field.spec.computed !== true) {
      problems.add(at, 'it has a compute but is not declared with computed: true.');
    } else if (!isAggregate(compute) && !Array.isArray(compute.depends)) {
      problems.add(
        at,
        'its compute has no "depends". Name the fields that it reads: depends: ["name", "line_ids.price"].',
      );
    } else if (isAggregate(compute) && field.spec.editable !== true) {
      const fault = aggregateFault(field, compute, table);
      if (fault !== null) problems.add(at, fault);
    } else {
      if (changesFault(field, compute) !== null) problems.add(at, changesFault(field, compute) as string);
      for (const path of computeDepends(compute)) {
        const walked = walkPath(table, draft.name, path.split('.'));
        if (typeof walked === 'string') problems.add(at, `depends on ${walked}`);
      }
    }
  }
  for (const field of fields.values()) {
    const fault =
      field.spec.editable === true ? editableFault(field, fields, draft.computes.get(field.name)?.value) : null;
    if (fault !== null) problems.add({ module: field.module, model: draft.name, field: field.name }, fault);
    if (field.spec.computed !== true || draft.computes.has(field.name)) continue;
    problems.add({ module: field.module, model: draft.name, field: field.name }, 'it is computed but has no compute.');
  }
}

function changesFault({ spec }: Field, compute: ComputeSpec): string | null {
  if (!('changes' in compute) || compute.changes === undefined) return null;
  if (spec.editable)
    return 'it has "changes", but what people may overrule is calculated again only when what it is made from changes.';
  return spec.stored ? null : 'it has "changes", which is for stored values: others are calculated when they are read.';
}

function aggregateFault(
  field: Field,
  compute: Exclude<ComputeSpec, { depends: readonly string[] }>,
  table: FieldTable,
): string | null {
  const [first, ...more] = Object.keys(compute).filter((name) => name !== 'asServer' && name !== 'below');
  if (first === undefined)
    return 'its compute says nothing. Give depends and value, or one of sum, count, min, max: { depends: ["price"], value: ({ price }) => price }.';
  if (more.length > 0) return 'an aggregate has exactly one of sum, count, min, max.';
  const { measure, path } = aggregateOf(compute);
  if (compute.below) {
    const parent = table.get(field.model)?.get('parent_id');
    if (measure !== 'count' || field.spec.stored) return '"below" is for a count that is not stored.';
    if (parent?.spec.relation !== field.model)
      return `"below" needs a tree: ${field.model} has no field parent_id that points at it.`;
  }
  const walked = walkPath(table, field.model, path.split('.'));
  if (typeof walked === 'string') return `${measure} ${walked}`;
  const [lines, value] = walked as readonly [Field, Field?];
  const isOverLines = lines.kind.isList && !lines.spec.computed && walked.length === (measure === 'count' ? 1 : 2);
  if (!isOverLines) {
    const example = measure === 'count' ? '"line_ids"' : '"line_ids.subtotal"';
    return `${measure} "${path}": give ${measure === 'count' ? 'an x2many' : 'a field of an x2many'}, such as ${example}.`;
  }
  if (measure === 'count') return field.kind.isWhole ? null : 'a count is an integer field.';
  return valueFault(field, value as Field, measure, path);
}

function valueFault(field: Field, value: Field, measure: string, path: string): string | null {
  const isMeasured = value.kind.isNumber || (value.kind.isDate && measure !== 'sum');
  if (!isMeasured) return `${measure} "${path}": a ${value.spec.type} has no ${measure}.`;
  if (!value.isStored) return `${measure} "${path}": "${value.name}" is not stored.`;
  const isSameFamily = value.kind.isNumber ? field.kind.isNumber : field.spec.type === value.spec.type;
  return isSameFamily ? null : `${measure} "${path}" gives a ${value.spec.type}, not a ${field.spec.type}.`;
}
