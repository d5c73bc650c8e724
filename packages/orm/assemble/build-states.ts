import { fieldTypes } from '@kontor/protocol';
import type { FieldSpec } from '../fields/spec.ts';
import type { ConditionSpec } from '../model/behaviour.ts';
import type { StagesSpec, StatesSpec } from '../model/definition.ts';
import { expandChoices } from '../model/expand-sets.ts';
import { frozenMap } from '../model/frozen-map.ts';
import type { Field, Move, Stages, States } from '../model/model.ts';
import { isSystemName } from '../model/names.ts';
import type { Draft } from './draft.ts';
import type { FieldTable } from './path.ts';

/** `all` does not lock these fields: they define the place of a record in a list, not its content. */
const neverLocked = new Set(['active', 'sequence']);

/** The states of a model, merged from the definitions of all modules. */
export function buildStates(
  draft: Draft,
  table: FieldTable,
  moves: ReadonlyMap<string, readonly Move[]>,
): States | null {
  const specs = draft.states.map(({ value }) => value);
  const field = stateField(draft);
  if (field === undefined) return null;
  const fields = table.get(draft.name) as ReadonlyMap<string, Field>;
  const stages = specs.find((each) => each.stages)?.stages;
  const sets = fields.get(field)?.sets;
  const initial = specs.flatMap((each) => listOf(each.initial));
  const removable = expandChoices(
    sets,
    specs.flatMap((each) => each.removable ?? []),
  );
  const kept = [field, stages?.field, stages?.before].filter((name) => name !== undefined);
  return Object.freeze({
    field,
    initial: new Set(initial.length > 0 ? initial : defaultOf(fields.get(field)?.spec)),
    removable: specs.some((each) => each.removable !== undefined) ? new Set(removable) : null,
    abandoned: new Set(
      expandChoices(
        sets,
        specs.flatMap((each) => each.abandoned ?? []),
      ),
    ),
    locks: frozenMap(buildLocks(specs, table, draft.name, { kept: new Set(kept), sets })),
    stages: stages ? buildStages(stages, fields) : null,
    conditions: frozenMap(specs.flatMap((each) => compiledConditions(each))),
    moves,
  });
}

/** Formulas were compiled before. */
export function compiledConditions({ conditions = {} }: StatesSpec): readonly (readonly [string, ConditionSpec])[] {
  return Object.entries(conditions).flatMap(([name, spec]) => ('holds' in spec ? [[name, spec] as const] : []));
}

/** The state field is required, and its default is the first of `initial`, unless it declares otherwise. */
export function completeStateField(draft: Draft): void {
  const name = stateField(draft);
  const declared = name === undefined ? undefined : draft.fields.get(name);
  if (name === undefined || declared === undefined || !fieldTypes[declared.value.type].isChoice) return;
  const [first] = draft.states.flatMap(({ value }) => listOf(value.initial));
  const spec: FieldSpec = {
    ...declared.value,
    required: declared.value.required ?? true,
    ...(declared.value.default === undefined && first !== undefined ? { default: first } : {}),
  };
  draft.fields.set(name, { ...declared, value: Object.freeze(spec) });
}

export function stateField(draft: Draft): string | undefined {
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
  specs: readonly StatesSpec[],
  table: FieldTable,
  model: string,
  { kept, sets }: { readonly kept: ReadonlySet<string>; readonly sets: Field['sets'] | undefined },
): Map<string, ReadonlySet<string>> {
  const locks = new Map<string, Set<string>>();
  for (const { locks: more = {} } of specs) {
    for (const [named, names] of Object.entries(more)) {
      for (const state of expandChoices(sets, [named])) {
        const known = locks.get(state) ?? new Set();
        for (const name of names === 'all' ? lockable(table, model, kept) : names) known.add(name);
        locks.set(state, known);
      }
    }
  }
  return locks;
}

function lockable(table: FieldTable, model: string, kept: ReadonlySet<string>): string[] {
  const fields = [...(table.get(model)?.values() ?? [])];
  return fields
    .filter(({ name, spec }) => !kept.has(name) && !neverLocked.has(name) && !isSystemName(name) && !spec.unlocked)
    .filter((field) => canLock(field) && (!field.kind.isLines || isPart(field, table)))
    .map(({ name }) => name);
}

/** Whether callers can set the field; others need no lock. */
export function canLock(field: Field): boolean {
  const isComputed = field.spec.computed === true && !field.isEditable;
  const isDerived = field.related !== null || field.compute !== null || isComputed;
  return !isDerived && (field.isStored || field.through !== null || field.kind.isLines);
}

/** Whether the lines are deleted with their record and cannot exist without it. */
function isPart(field: Field, table: FieldTable): boolean {
  const inverse = table.get(field.spec.relation ?? '')?.get(field.spec.inverse ?? '');
  return inverse?.required === true && inverse.spec.ondelete === 'cascade';
}
