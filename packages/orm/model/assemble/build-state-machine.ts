import type { TransitionSpec } from '../definition.ts';
import { frozenMap } from '../frozen-map.ts';
import type { Field, StateMachine } from '../model.ts';
import type { Draft } from './draft.ts';

/** What every module says of the machine, together: moves and conditions add up, and so do the conditions of one move. */
export function buildStateMachine(draft: Draft, fields: ReadonlyMap<string, Field>): StateMachine | null {
  const said = draft.stateMachines.map(({ value }) => value);
  const [first] = said;
  if (first === undefined) return null;
  const moves = new Map<string, Map<string, TransitionSpec>>();
  for (const { moves: more } of said) {
    for (const [from, targets] of Object.entries(more)) {
      const known = moves.get(from) ?? new Map<string, TransitionSpec>();
      for (const [to, move] of Object.entries(targets)) known.set(to, mergeMoves(known.get(to), move));
      moves.set(from, known);
    }
  }
  const initial = said.flatMap((each) => each.initial);
  const removable = said.flatMap((each) => each.removable ?? []);
  return Object.freeze({
    field: first.field,
    initial: new Set(initial.length > 0 ? initial : defaultOf(fields.get(first.field))),
    moves: frozenMap([...moves].map(([from, targets]) => [from, frozenMap(targets)] as const)),
    conditions: frozenMap(said.flatMap((each) => Object.entries(each.conditions))),
    removable: said.some((each) => each.removable !== undefined) ? new Set(removable) : null,
  });
}

function mergeMoves(known: TransitionSpec | undefined, more: TransitionSpec): TransitionSpec {
  const requires = [...new Set([...(known?.requires ?? []), ...(more.requires ?? [])])];
  return Object.freeze({ ...known, ...more, requires });
}

function defaultOf(field: Field | undefined): string[] {
  const given = field?.spec.default;
  return typeof given === 'string' ? [given] : [];
}
