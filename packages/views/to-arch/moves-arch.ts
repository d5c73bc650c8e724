import type { Move } from '@kontor/orm';
import {
  type ButtonNode,
  condition,
  type DomainNode,
  disjoin,
  type MoveArch,
  type StatesArch,
  serializeDomain,
  type ViewType,
} from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, isForViewer, needValue, readableField } from './arch-scope.ts';
import { asksArch } from './asks-arch.ts';
import { conditionsOf } from './conditions.ts';
import { pick, valuesOf } from './values-of.ts';

/** The states of the model and the moves that the viewer may make; stages are filled in with the data. */
export function statesArch(scope: ArchScope, kind: ViewType): StatesArch | null {
  const { states } = scope.model;
  if (!states || !readableField(scope, states.field)) return null;
  const { stages } = states;
  if (kind === 'form' || kind === 'kanban') needValue(scope, [states.field]);
  if (kind === 'form' && stages?.within) needValue(scope, [stages.within.own]);
  return {
    field: states.field,
    ...(states.abandoned.size > 0 && { abandoned: [...states.abandoned] }),
    moves: [...states.moves.values()].flat().flatMap((move) => moveArch(scope, move) ?? []),
    ...(stages && {
      stages: { field: stages.field, ...(stages.within && { within: stages.within.own }), steps: [] },
    }),
  };
}

/** The buttons of one move: one for each of its variants that the viewer may make. */
export function moveButtons(scope: ArchScope, node: ViewNode): readonly ButtonNode[] {
  if (!isForViewer(scope, node)) return [];
  const values = valuesOf(scope, node, 'move');
  const { invisible } = conditionsOf(scope, values);
  if (typeof invisible === 'boolean') return [];
  const form = node.children.find((child) => child.tag === 'form');
  const variants = scope.model.states?.moves.get(String(values.name)) ?? [];
  return variants.flatMap((move) => {
    const button = moveButton(scope, move, { invisible, form });
    if (!button) return [];
    const said = pick<ButtonNode>(values, ['label', 'icon', 'primary', 'danger']);
    // A move to the current state is not the next step.
    return { ...button, ...said, ...(said.primary && move.from.has(move.to) ? { primary: false } : {}) };
  });
}

/** The buttons of all moves except those placed explicitly in the header. */
export function otherMoves(scope: ArchScope, header: readonly ViewNode[]): readonly ButtonNode[] {
  const placed = new Set(header.filter((node) => node.tag === 'move').map((node) => node.attributes.name));
  const others = [...(scope.model.states?.moves ?? [])].filter(([name]) => !placed.has(name));
  return others.flatMap(([, variants]) => variants.flatMap((move) => moveButton(scope, move, {}) ?? []));
}

interface Placed {
  readonly invisible?: DomainNode | undefined;
  readonly form?: ViewNode | undefined;
}

function moveButton(scope: ArchScope, move: Move, { invisible, form }: Placed): ButtonNode | null {
  const field = scope.model.states?.field;
  const arch = moveArch(scope, move, form);
  if (!arch || field === undefined) return null;
  needValue(scope, [field]);
  const { from, to: _, ...button } = arch;
  const elsewhere = condition(field, 'not in', from);
  const hidden = invisible ? disjoin(elsewhere, invisible) : elsewhere;
  return { kind: 'button', type: 'object', ...button, invisible: serializeDomain(hidden) };
}

/** Null if the viewer may not make the move. */
function moveArch(scope: ArchScope, move: Move, form?: ViewNode): MoveArch | null {
  const { viewer, model } = scope;
  const isTheirs = viewer.seesAll || !move.groups || move.groups.some((group) => viewer.groups.has(group));
  if (!isTheirs || !viewer.mayAccess(model, 'write')) return null;
  const asks = asksArch(scope, move.asks, form);
  return {
    name: move.action,
    label: move.label,
    from: [...move.from],
    to: move.to,
    ...(move.icon !== null && { icon: move.icon }),
    ...(move.isDangerous && { danger: true }),
    ...(move.warns !== null && { confirm: move.warns }),
    ...(asks && { asks }),
  };
}
