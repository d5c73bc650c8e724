import type { ActionAnswer } from '../model/behaviour.ts';
import type { MoveSpec } from '../model/definition.ts';
import { expandChoices } from '../model/expand-sets.ts';
import { frozenMap } from '../model/frozen-map.ts';
import type { ActionCall, Field, Move, MoveAction } from '../model/model.ts';
import { wireName } from '../model/names.ts';
import { askedFields } from './asked-fields.ts';
import { doNothing } from './build-actions.ts';
import { stateField } from './build-states.ts';
import type { Draft } from './draft.ts';
import type { FieldTable } from './path.ts';
import type { AddProblem, Problems } from './problems.ts';

/** The variants of each move. A module extends the variants that start in the same states as its own, and adds the others. */
export function buildMoves(draft: Draft, table: FieldTable, problems: Problems): ReadonlyMap<string, readonly Move[]> {
  const moves = new Map<string, readonly Move[]>();
  const sets = table.get(draft.name)?.get(stateField(draft) ?? '')?.sets;
  for (const [name, declared] of draft.moves) {
    let variants: readonly Move[] = [];
    for (const { module, value: written } of declared) {
      const value = written.map((spec) => withStates(spec, sets));
      const addProblem: AddProblem = (message) =>
        problems.add({ module, model: draft.name }, `move "${name}" ${message}`);
      const known = variants;
      const added = value.flatMap((spec) => newVariants(draft, { name, module, spec, known }, table, addProblem));
      variants = [
        ...value.reduce((list, spec) => extendAll(list, draft, module, spec, table, addProblem), known),
        ...added,
      ];
      checkStarts(variants, addProblem);
    }
    moves.set(name, Object.freeze(variants));
  }
  return frozenMap(moves);
}

/** Moves as callable actions. Their variants define who may call them and what they ask. */
export function moveActions(moves: ReadonlyMap<string, readonly Move[]>): Map<string, MoveAction> {
  const actions = new Map<string, MoveAction>();
  for (const [name, variants] of moves) {
    const [first] = variants;
    if (!first) continue;
    const asks = frozenMap(variants.flatMap((variant) => [...variant.asks]));
    const { module } = first;
    const wire = wireName(name);
    actions.set(
      wire,
      Object.freeze({ kind: 'move', name: wire, module, groups: null, needs: 'write', asks, moves: variants }),
    );
  }
  return actions;
}

/** The variant for the states in which no known variant starts. */
function newVariants(
  draft: Draft,
  { name, module, spec, known }: { name: string; module: string; spec: MoveSpec; known: readonly Move[] },
  table: FieldTable,
  addProblem: AddProblem,
): Move[] {
  const taken = new Set(known.flatMap((variant) => [...variant.from]));
  const from = statesOf(spec).filter((state) => !taken.has(state));
  if (from.length === 0) {
    if (known.length === 0) addProblem('does not say where it starts: give "from".');
    return [];
  }
  const model = known[0];
  const to = spec.to ?? model?.to;
  const label = spec.label ?? model?.label;
  if (to === undefined) addProblem('does not say where it leads: give "to".');
  if (label === undefined) addProblem('needs a "label".');
  const blank: Move = {
    name,
    action: wireName(name),
    module,
    from: new Set(from),
    to: to ?? '',
    label: label ?? name,
    icon: model?.icon ?? null,
    needs: [],
    sets: frozenMap([]),
    asks: frozenMap([]),
    proposes: null,
    groups: null,
    refusal: null,
    warns: null,
    isDangerous: false,
    canUndo: true,
    run: null,
  };
  const start = spec.inherits && model ? { ...model, from: blank.from } : blank;
  return [extendMove(start, draft, module, spec, table, addProblem)];
}

/** A variant that starts in more states than the extension is split: the extension applies only to its own states. */
function extendAll(
  variants: readonly Move[],
  draft: Draft,
  module: string,
  spec: MoveSpec,
  table: FieldTable,
  addProblem: AddProblem,
): readonly Move[] {
  const from = spec.from === undefined ? null : new Set(statesOf(spec));
  return variants.flatMap((variant) => {
    const shared = [...variant.from].filter((state) => from === null || from.has(state));
    if (shared.length === 0) return [variant];
    if (spec.to !== undefined && spec.to !== variant.to) {
      addProblem(`leads from "${shared[0]}" to "${variant.to}" already, so not to "${spec.to}".`);
    }
    const extended = extendMove({ ...variant, from: new Set(shared) }, draft, module, spec, table, addProblem);
    const rest = [...variant.from].filter((state) => !shared.includes(state));
    return rest.length === 0 ? [extended] : [extended, Object.freeze({ ...variant, from: new Set(rest) })];
  });
}

function extendMove(
  move: Move,
  draft: Draft,
  module: string,
  spec: MoveSpec,
  table: FieldTable,
  addProblem: AddProblem,
): Move {
  const asks = askedFields({ model: draft.name, module }, spec.asks ?? {}, table, addProblem);
  const { run } = spec;
  const base = move.run ?? doNothing;
  return Object.freeze({
    ...move,
    label: spec.label ?? move.label,
    icon: spec.icon ?? move.icon,
    needs: Object.freeze([...new Set([...move.needs, ...(spec.needs ?? [])])]),
    sets: frozenMap([...move.sets, ...Object.entries(spec.sets ?? {})]),
    asks: frozenMap([...move.asks, ...asks]),
    proposes: spec.proposes ?? move.proposes,
    groups: spec.groups ? Object.freeze([...new Set([...(move.groups ?? []), ...spec.groups])]) : move.groups,
    refusal: spec.refusal ?? move.refusal,
    warns: spec.warns ?? move.warns,
    isDangerous: spec.danger ?? move.isDangerous,
    canUndo: spec.undo ?? move.canUndo,
    run: run ? async (call: ActionCall): Promise<ActionAnswer> => run(call, base) : move.run,
  });
}

function checkStarts(variants: readonly Move[], addProblem: AddProblem): void {
  const taken = new Set<string>();
  for (const state of variants.flatMap((variant) => [...variant.from])) {
    if (taken.has(state)) addProblem(`starts in "${state}" twice.`);
    taken.add(state);
  }
}

/** A move with the states of the sets that it starts in. */
function withStates(spec: MoveSpec, sets: Field['sets'] | undefined): MoveSpec {
  return spec.from === undefined ? spec : { ...spec, from: expandChoices(sets, statesOf(spec)) };
}

function statesOf({ from = [] }: MoveSpec): readonly string[] {
  return typeof from === 'string' ? [from] : from;
}
