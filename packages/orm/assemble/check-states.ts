import { chooseOne, didYouMean } from '@kontor/protocol';
import { isDefaultSource, isSequence, sequenceFields } from '../fields/default-sources.ts';
import { BadValue } from '../fields/kind.ts';
import type { DefaultSource } from '../fields/spec.ts';
import { answer } from '../model/answer.ts';
import type { StagesSpec, StatesSpec } from '../model/definition.ts';
import { expandChoices } from '../model/expand-sets.ts';
import type { Field, Model, Move, States } from '../model/model.ts';
import { wireName } from '../model/names.ts';
import { canLock, compiledConditions, listOf } from './build-states.ts';
import { sourceFault } from './check-field.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, isUnresolved, walkPath } from './path.ts';
import type { AddProblem, Problems } from './problems.ts';
import { standardActions } from './standard-actions.ts';

export function checkStates(draft: Draft, model: Model, table: FieldTable, problems: Problems): void {
  const { states } = model;
  for (const { module, value } of draft.states) {
    const addProblem: AddProblem = (message) => problems.add({ module, model: model.name }, `states ${message}`);
    const fault = fieldFault(model, value.field);
    if (fault !== null) addProblem(fault);
    else checkValues(value, model, addProblem);
    checkConditions(value, model, table, addProblem);
    if (value.stages) checkStages(value.stages, model, table, addProblem);
  }
  const [first] = draft.states;
  if (first && states?.initial.size === 0) {
    problems.add(
      { module: first.module, model: model.name },
      `states do not say where a record begins: give "initial", or "${states.field}" a default.`,
    );
  }
  for (const [name, [first]] of draft.moves) {
    const addProblem: AddProblem = (message) =>
      problems.add({ module: first?.module ?? draft.module, model: model.name }, `move "${name}" ${message}`);
    if (states === null) addProblem('has no states to move between: give "states".');
    if (draft.actions.has(name)) addProblem('is an action as well: a name is one or the other.');
    if (standardActions(model.name, true).has(wireName(name)))
      addProblem('has the name of an action that every model has.');
  }
  for (const move of [...(states?.moves.values() ?? [])].flat()) checkMove(move, model, states as States, problems);
}

function fieldFault(model: Model, named: string | undefined): string | null {
  const known = model.states?.field;
  const name = named ?? known;
  if (name === undefined) return 'name no selection: give "field".';
  if (known !== name) return `are on "${name}", but they are on "${known}" already.`;
  const field = model.fields.get(name);
  if (field === undefined) return `are on "${name}": there is no such field.${chooseOne(name, model.fields.keys())}`;
  if (field.selection === null) return `are on "${name}", which is no selection.`;
  if (!field.isStored || field.compute !== null) return `are on "${name}", which is worked out and not moved.`;
  return field.required ? null : `are on "${name}", which must be required: every record is somewhere.`;
}

function checkValues(spec: StatesSpec, model: Model, addProblem: AddProblem): void {
  const { field, initial } = model.states as States;
  const { selection, sets, spec: declared } = model.fields.get(field) as Field;
  const check = (value: string, where: string): void => {
    if (!selection?.has(value))
      addProblem(`have "${value}" in ${where}, which is no value.${nearOf(value, selection)}`);
  };
  const checkEach = (values: readonly string[], where: string): void => {
    for (const value of expandChoices(sets, values)) check(value, where);
  };
  for (const value of listOf(spec.initial)) check(value, '"initial"');
  checkEach(spec.removable ?? [], '"removable"');
  checkEach(spec.abandoned ?? [], '"abandoned"');
  if (typeof declared.default === 'string' && selection?.has(declared.default) && !initial.has(declared.default)) {
    addProblem(`begin as "${declared.default}" by the default of "${field}", which is not in "initial".`);
  }
  for (const [state, names] of Object.entries(spec.locks ?? {})) {
    checkEach([state], '"locks"');
    for (const name of names === 'all' ? [] : names) {
      const fault = lockFault(model, name);
      if (fault !== null) addProblem(`lock "${name}" in "${state}": ${fault}`);
    }
  }
}

function nearOf(value: string, choices: Field['selection'] | undefined): string {
  const names = [...(choices?.keys() ?? [])];
  return chooseOne(value, names);
}

function lockFault(model: Model, name: string): string | null {
  const field = model.fields.get(name);
  if (field === undefined) return `there is no such field.${chooseOne(name, model.fields.keys())}`;
  const { field: state, stages } = model.states as States;
  if (name === state || name === stages?.field) return 'moves say how it changes.';
  return canLock(field) ? null : 'it is worked out, so nobody changes it.';
}

function checkConditions(spec: StatesSpec, model: Model, table: FieldTable, addProblem: AddProblem): void {
  for (const [name, { reads }] of compiledConditions(spec)) {
    for (const path of reads) {
      const walked = walkPath(table, model.name, path.split('.'));
      if (typeof walked === 'string') addProblem(`condition "${name}" reads ${walked}`);
    }
  }
}

function checkStages(spec: StagesSpec, model: Model, table: FieldTable, addProblem: AddProblem): void {
  const fault = stageFault(spec, model);
  if (fault !== null) {
    addProblem(`have stages in "${spec.field}": ${fault}`);
    return;
  }
  const stage = model.fields.get(spec.field) as Field;
  if (isUnresolved(stage, table)) return;
  const relation = stage.spec.relation as string;
  const before = spec.before === undefined ? undefined : model.fields.get(spec.before);
  if (spec.before !== undefined && !(before && isLink(before) && before.spec.relation === relation)) {
    addProblem(`remember the stage before in "${spec.before}", which is no stored many2one to ${relation}.`);
  }
  const pairs = Object.entries(spec.within ?? {});
  if (pairs.length > 1) addProblem('narrow stages by more than one field in "within".');
  for (const [theirs, ours] of pairs) {
    const far = table.get(relation)?.get(theirs);
    const own = model.fields.get(ours);
    if (!far)
      addProblem(
        `within "${theirs}": ${relation} has no such field.${chooseOne(theirs, table.get(relation)?.keys() ?? [])}`,
      );
    else if (!own) addProblem(`within "${ours}": there is no such field.${chooseOne(ours, model.fields.keys())}`);
    else if (!isLink(own)) addProblem(`within "${ours}", which is no stored many2one.`);
    else if (far.spec.relation !== own.spec.relation || far.kind.isLines)
      addProblem(`within "${theirs}": it does not point at ${own.spec.relation}, as "${ours}" does.`);
  }
}

function stageFault(spec: StagesSpec, model: Model): string | null {
  const stage = model.fields.get(spec.field);
  if (stage === undefined) return `there is no such field.${chooseOne(spec.field, model.fields.keys())}`;
  return isLink(stage) ? null : 'it is no stored many2one.';
}

function isLink(field: Field): boolean {
  return field.kind.isToOne && field.isStored && field.compute === null;
}

function checkMove(move: Move, model: Model, states: States, problems: Problems): void {
  const addProblem: AddProblem = (message) =>
    problems.add({ module: move.module, model: model.name }, `move "${move.name}" ${message}`);
  const values = model.fields.get(states.field)?.selection;
  for (const [where, value] of [...[...move.from].map((state) => ['from', state] as const), ['to', move.to] as const]) {
    if (value !== '' && !values?.has(value))
      addProblem(`has "${value}" in "${where}", which is no value.${nearOf(value, values)}`);
  }
  for (const name of move.needs) {
    if (!states.conditions.has(name))
      addProblem(
        `needs "${name}": no such condition.${didYouMean(name, states.conditions.keys()) || ' Name it in "conditions" of the states.'}`,
      );
  }
  for (const [name, value] of move.sets) {
    const fault = setFault(move, model, states, name, value);
    if (fault !== null) addProblem(`sets "${name}": ${fault}`);
  }
}

function setFault(move: Move, model: Model, states: States, name: string, value: unknown): string | null {
  const field = model.fields.get(name);
  if (field === undefined) return `there is no such field.${chooseOne(name, model.fields.keys())}`;
  if (name === states.field || name === states.stages?.field) return 'it follows from where the move leads.';
  if (!canLock(field) || !field.isStored) return 'only what is stored and not computed can be set.';
  if (value === answer) return move.asks.has(name) ? null : 'nothing of this name is asked.';
  if (isDefaultSource(value) && value.source === 'company-value') return 'a move sets no value of the company.';
  if (isDefaultSource(value)) return dateFault(model, value) ?? sourceFault(field, value.source);
  try {
    field.kind.cast(value, field);
    return null;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return error.message;
  }
}

/** Why a sequence cannot count by what it names, or null. */
function dateFault(model: Model, value: DefaultSource): string | null {
  if (!isSequence(value)) return null;
  const unknown = sequenceFields(value).find((name) => !model.fields.has(name));
  if (unknown !== undefined) return `there is no field "${unknown}".${chooseOne(unknown, model.fields.keys())}`;
  const date = model.fields.get(value.on ?? '');
  if (date === undefined) return null;
  return date.kind.isDate && !date.kind.isInstant && date.isStored ? null : `"${value.on}" is no stored date.`;
}
