import { didYouMean } from '@kontor/protocol';
import type { StateMachineSpec } from '../definition.ts';
import type { Field, Model } from '../model.ts';
import type { Draft } from './draft.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';

type Say = (message: string) => void;

export function checkStateMachine(draft: Draft, model: Model, table: FieldTable, problems: Problems): void {
  for (const { module, value } of draft.stateMachines) {
    const say = (message: string) => problems.add({ module, model: model.name }, `stateMachine ${message}`);
    const field = model.fields.get(value.field);
    const fault = fieldFault(model, value.field);
    if (fault !== null) say(fault);
    else checkValues(value, field as Field, say);
    checkConditions(value, model, table, say);
  }
  const [said] = draft.stateMachines;
  if (said && model.stateMachine?.initial.size === 0) {
    problems.add(
      { module: said.module, model: model.name },
      `stateMachine does not say where a record begins: give "initial", or "${said.value.field}" a default.`,
    );
  }
}

function fieldFault(model: Model, name: string): string | null {
  const field = model.fields.get(name);
  if (field === undefined) return `is on "${name}": there is no such field.${didYouMean(name, model.fields.keys())}`;
  if (field.selection === null) return `is on "${name}", which is no selection.`;
  if (!field.isStored || field.compute !== null) return `is on "${name}", which is worked out and not moved.`;
  if (!field.required) return `is on "${name}", which must be required: every record is somewhere.`;
  if (model.stateMachine?.field !== name)
    return `is on "${name}", but it is on "${model.stateMachine?.field}" already.`;
  return null;
}

function checkValues(machine: StateMachineSpec, { selection }: Field, say: Say): void {
  const known = [...(selection?.keys() ?? [])];
  const check = (value: string, where: string): void => {
    if (!known.includes(value)) say(`has "${value}" ${where}, which is no value.${didYouMean(value, known)}`);
  };
  for (const value of machine.initial) check(value, 'in "initial"');
  for (const value of machine.removable ?? []) check(value, 'in "removable"');
  for (const [from, targets] of Object.entries(machine.moves)) {
    check(from, 'in "moves"');
    for (const to of Object.keys(targets)) check(to, `in the moves from "${from}"`);
  }
}

function checkConditions(machine: StateMachineSpec, model: Model, table: FieldTable, say: Say): void {
  const known = model.stateMachine?.conditions ?? new Map();
  for (const [from, targets] of Object.entries(machine.moves)) {
    for (const [to, { requires = [] }] of Object.entries(targets)) {
      for (const name of requires) {
        if (!known.has(name))
          say(`requires "${name}" from "${from}" to "${to}": no such condition.${didYouMean(name, known.keys())}`);
      }
    }
  }
  for (const [name, { reads }] of Object.entries(machine.conditions)) {
    for (const path of reads) {
      const walked = walkPath(table, model.name, path.split('.'));
      if (typeof walked === 'string') say(`condition "${name}" reads ${walked}`);
    }
  }
}
