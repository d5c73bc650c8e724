import { invalidArgs, type Text, text } from '@kontor/protocol';
import { type CustomDocument, type CustomExtension, canonicalJson, withExtension } from './document.ts';
import { pruned, type Words, withWords } from './document-edits.ts';
import type { CustomCheck, CustomStates } from './states.ts';

interface Named {
  readonly model: string;
  readonly words?: Words;
}

/** A change of how the records of a model behave: all states and moves that the customisation has for it, or all rules. Null or none: no more. */
export type BehaviourChange =
  | (Named & { readonly do: 'change_states'; readonly states: CustomStates | null })
  | (Named & { readonly do: 'change_checks'; readonly checks: readonly CustomCheck[] });

export function isBehaviourChange(change: { readonly do: string }): change is BehaviourChange {
  return change.do === 'change_states' || change.do === 'change_checks';
}

/** A change from outside; null: it is another change. `readDocument` checks the rest with the document. */
export function readBehaviourChange(given: Readonly<Record<string, unknown>>): BehaviourChange | null {
  if (given.do !== 'change_states' && given.do !== 'change_checks') return null;
  const isObject = (member: unknown) => typeof member === 'object' && member !== null && !Array.isArray(member);
  const { model, states, checks, words } = given;
  const isChange =
    typeof model === 'string' &&
    (given.do === 'change_states' ? states === null || isObject(states) : Array.isArray(checks)) &&
    (words === undefined || (isObject(words) && Object.values(words as object).every(isObject)));
  if (isChange) return given as unknown as BehaviourChange;
  throw invalidArgs('A change is {"do": "change_states", "model": "x_machine", "states": {"field": "x_state", …}}.', {
    field: 'changes',
  });
}

export function changeBehaviour(document: CustomDocument, change: BehaviourChange): CustomDocument {
  const said = withWords(document, change.words);
  const members =
    change.do === 'change_states'
      ? { states: change.states ?? undefined }
      : { checks: change.checks.length > 0 ? change.checks : undefined };
  return pruned(withExtension(said, change.model, members));
}

/** What changed, one sentence each. */
export function describeBehaviour(old: CustomExtension, now: CustomExtension, model: string): readonly Text[] {
  const said: Text[] = [];
  const bare = ({ places: _, ...states }: CustomStates) => canonicalJson(states);
  const [before, after] = [old.states, now.states].map((states) => (states ? bare(states) : '')) as [string, string];
  if (before !== after) {
    const moves = new Map((old.states?.moves ?? []).map((move) => [move.name, canonicalJson(move)]));
    const changed = (now.states?.moves ?? []).filter((move) => moves.get(move.name) !== canonicalJson(move));
    const names = changed.map(({ label, name }) => `"${label ?? name}"`).join(', ');
    said.push(
      names === ''
        ? text('The states and moves of {model} changed.', { model })
        : text('The states and moves of {model} changed: {names}.', { model, names }),
    );
  } else if (canonicalJson(old.states) !== canonicalJson(now.states))
    said.push(text('The picture of the states of {model} was arranged.', { model }));
  if (canonicalJson(old.checks) !== canonicalJson(now.checks))
    said.push(text('The rules of {model} changed.', { model }));
  return said;
}
