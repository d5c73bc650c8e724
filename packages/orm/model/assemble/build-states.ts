import { fieldTypes } from '@kontor/protocol';
import type { FieldSpec } from '../../fields/spec.ts';
import type { StagesSpec, StatesSpec } from '../definition.ts';
import { frozenMap } from '../frozen-map.ts';
import type { Field, Move, Stages, States } from '../model.ts';
import { isSystemName } from '../names.ts';
import type { Draft } from './draft.ts';
import type { FieldTable } from './path.ts';

/** Fields that `all` leaves open: they say where a record stands among others, not what it is. */
const neverLocked = new Set(['active', 'sequence']);

/** What every module says of the states, together. */
export function buildStates(
  draft: Draft,
  table: FieldTable,
  moves: ReadonlyMap<string, readonly Move[]>,
): States | null {
  const said = draft.states.map(({ value }) => value);
  const field = stateField(draft);
  if (field === undefined) return null;
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  const stages = said.find((each) => each.stages)?.stages;
  const initial = said.flatMap((each) => listOf(each.initial));
  const removable = said.flatMap((each) => each.removable ?? []);
  const kept = [field, stages?.field, stages?.before].filter((name) => name !== undefined);
  return Object.freeze({
    field,
    initial: new Set(initial.length > 0 ? initial : defaultOf(fields.get(field)?.spec)),
    removable: said.some((each) => each.removable !== undefined) ? new Set(removable) : null,
    locks: frozenMap(buildLocks(said, table, draft.name, new Set(kept))),
    stages: stages ? buildStages(stages, fields) : null,
    conditions: frozenMap(said.flatMap((each) => Object.entries(each.conditions ?? {}))),
    moves,
  });
}

/** Every record is somewhere: the field of the states is required, and begins where they say, without saying so itself. */
export function completeStateField(draft: Draft): void {
  const name = stateField(draft);
  const said = name === undefined ? undefined : draft.fields.get(name);
  if (name === undefined || said === undefined || !fieldTypes[said.value.type].isChoice) return;
  const [first] = draft.states.flatMap(({ value }) => listOf(value.initial));
  const spec: FieldSpec = {
    ...said.value,
    required: said.value.required ?? true,
    ...(said.value.default === undefined && first !== undefined ? { default: first } : {}),
  };
  draft.fields.set(name, { ...said, value: Object.freeze(spec) });
}

function stateField(draft: Draft): string | undefined {
  return draft.states.find(({ value }) => value.field !== undefined)?.value.field;
}

export function listOf(given: string | readonly string[] | undefined): readonly string[] {
  return typeof given === 'string' ? [given] : (given ?? []);
}

function defaultOf(spec: FieldSpec | undefined): string[] {
  return typeof spec?.default === 'string' ? [spec.default] : [];
}

function buildStages(spec: StagesSpec, fields: ReadonlyMap<string, Field>): Stages {
  const [within] = Object.entries(spec.within ?? {});
  return Object.freeze({
    field: spec.field,
    model: fields.get(spec.field)?.spec.relation ?? '',
    state: spec.state,
    within: within ? Object.freeze({ stage: within[0], own: within[1] }) : null,
    before: spec.before ?? null,
    ownFirst: spec.ownFirst ?? false,
  });
}

function buildLocks(
  said: readonly StatesSpec[],
  table: FieldTable,
  model: string,
  kept: ReadonlySet<string>,
): Map<string, ReadonlySet<string>> {
  const locks = new Map<string, Set<string>>();
  for (const { locks: more = {} } of said) {
    for (const [state, names] of Object.entries(more)) {
      const known = locks.get(state) ?? new Set();
      for (const name of names === 'all' ? lockable(table, model, kept) : names) known.add(name);
      locks.set(state, known);
    }
  }
  return locks;
}

function lockable(table: FieldTable, model: string, kept: ReadonlySet<string>): string[] {
  const fields = [...(table.get(model)?.values() ?? [])];
  return fields
    .filter(({ name }) => !kept.has(name) && !neverLocked.has(name) && !isSystemName(name))
    .filter((field) => canLock(field) && (!field.kind.isLines || isPart(field, table)))
    .map(({ name }) => name);
}

/** Whether somebody sets the field, so that a lock would keep them from it. */
export function canLock(field: Field): boolean {
  const isComputed = field.spec.computed === true && !field.isEditable;
  const isDerived = field.related !== null || field.compute !== null || isComputed;
  return !isDerived && (field.isStored || field.through !== null || field.kind.isLines);
}

/** Lines that cannot be without their record belong to it. */
function isPart(field: Field, table: FieldTable): boolean {
  const inverse = table.get(field.spec.relation ?? '')?.get(field.spec.inverse ?? '');
  return inverse?.required === true && inverse.spec.ondelete === 'cascade';
}
