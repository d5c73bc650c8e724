import type { CustomCheckData, CustomiseStatesData, CustomMoveData, CustomStatesData } from '@kontor/protocol';
import { t } from '../../../i18n/messages.ts';
import { nameFor } from '../new-field.ts';

type StateChoice = NonNullable<CustomStatesData['choices']>[number];
type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the author edits: the states that are theirs, the moves, the conditions and the rules. */
export interface StatesEdit {
  /** The states of an added model, or those that are added to an app's. */
  readonly choices: readonly StateChoice[];
  readonly own: Omit<CustomStatesData, 'choices' | 'field'>;
  readonly checks: readonly CustomCheckData[];
  readonly words: Words;
}

export function startEdit({ field, states, own, checks, isAdded }: CustomiseStatesData): StatesEdit {
  const choices = field?.isOwn
    ? states.map(({ value, label, look }) => ({ value, label, ...(look && { look }) }))
    : (own?.choices ?? []);
  const { choices: _, field: __, ...rest } = own ?? { field: '' };
  const first = choices[0]?.value;
  // A model that was added can begin in its first state.
  return { choices, own: isAdded && !rest.initial && first ? { ...rest, initial: [first] } : rest, checks, words: {} };
}

/** The changes that the server applies. `first` is the answer without any. */
export function stateChanges(edit: StatesEdit, first: CustomiseStatesData): readonly object[] {
  const { model, field } = first;
  const { choices, own, checks, words } = edit;
  const isOwn = field ? field.isOwn : first.isAdded;
  const before = startEdit(first);
  const changes: object[] = [];
  if (choices.length + (first.own ? 1 : 0) + (own.moves?.length ?? 0) + (own.conditions?.length ?? 0) > 0 || field) {
    const name = field?.name ?? 'x_state';
    if (isOwn && !field && choices.length > 0)
      changes.push({
        do: 'add_field',
        model,
        name,
        field: { type: 'selection', label: t('State'), choices },
        after: '',
      });
    else if (isOwn && JSON.stringify(choices) !== JSON.stringify(before.choices))
      changes.push({ do: 'change_field', model, name, field: { choices } });
    const states = { field: name, ...own, ...(!isOwn && choices.length > 0 && { choices }) };
    const hasAny = Object.values(states).some((member) => Array.isArray(member) && member.length > 0);
    if ((hasAny || first.own) && (choices.length > 0 || field))
      changes.push({ do: 'change_states', model, states: hasAny ? states : null, words });
  }
  if (JSON.stringify(checks) !== JSON.stringify(first.checks))
    changes.push({ do: 'change_checks', model, checks, words });
  return changes;
}

/** Without the members that are empty. */
export function withOwn(edit: StatesEdit, own: Partial<StatesEdit['own']>): StatesEdit {
  const all = Object.entries({ ...edit.own, ...own }).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return { ...edit, own: Object.fromEntries(all) };
}

export function addState(
  edit: StatesEdit,
  taken: readonly string[],
  isOwnModel: boolean,
): { readonly edit: StatesEdit; readonly value: string } {
  const label = freeLabel(
    t('New state'),
    edit.choices.map((choice) => choice.label),
  );
  const name = nameFor(label, 'state', new Set([...taken, ...taken.map((each) => `x_${each}`)]));
  const value = isOwnModel ? name.slice(2) : name;
  const choices = [...edit.choices, { value, label }];
  const added = { ...edit, choices };
  return { edit: isOwnModel && choices.length === 1 ? withOwn(added, { initial: [value] }) : added, value };
}

/** Without a state, and what names it. */
export function removeState(edit: StatesEdit, value: string): StatesEdit {
  const others = (list: readonly string[] = []) => list.filter((each) => each !== value);
  const { initial, removable, abandoned, locks, moves, places } = edit.own;
  return withOwn(
    { ...edit, choices: edit.choices.filter((choice) => choice.value !== value) },
    {
      initial: others(initial),
      removable: others(removable),
      abandoned: others(abandoned),
      locks: (locks ?? []).filter(({ state }) => state !== value),
      places: (places ?? []).filter(({ state }) => state !== value),
      moves: (moves ?? [])
        .filter(({ to }) => to !== value)
        .map((move) => (move.from ? { ...move, from: others(move.from) } : move))
        .filter((move) => !isOwnMove(move) || (move.from?.length ?? 0) > 0),
    },
  );
}

export function isOwnMove({ name }: Pick<CustomMoveData, 'name'>): boolean {
  return name.startsWith('x_');
}

export function addMove(
  edit: StatesEdit,
  from: string,
  to: string,
): { readonly edit: StatesEdit; readonly name: string } {
  const moves = edit.own.moves ?? [];
  const label = freeLabel(
    t('New move'),
    moves.map((move) => move.label ?? ''),
  );
  const name = nameFor(label, 'move', new Set(moves.map((move) => move.name)));
  return { edit: withOwn(edit, { moves: [...moves, { name, from: [from], to, label }] }), name };
}

/** A move that the customisation has, or with the name of an app's move a new one with more conditions. */
export function setMove(
  edit: StatesEdit,
  name: string,
  change: (move: CustomMoveData) => CustomMoveData | null,
): StatesEdit {
  const moves = edit.own.moves ?? [];
  const known = moves.find((move) => move.name === name);
  const next = change(known ?? { name });
  const kept = next && (isOwnMove(next) || next.needs?.length || next.from?.length) ? clean(next) : null;
  const all = known
    ? moves.flatMap((move) => (move === known ? (kept ? [kept] : []) : [move]))
    : kept
      ? [...moves, kept]
      : moves;
  return withOwn(edit, { moves: all });
}

function clean(move: CustomMoveData): CustomMoveData {
  const members = Object.entries(move).filter(
    ([, value]) =>
      value !== '' && value !== false && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(members) as unknown as CustomMoveData;
}

export function freeName(stem: string, taken: readonly string[]): string {
  return nameFor(stem, 'check', new Set(taken));
}

function freeLabel(label: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const made = number === 1 ? label : `${label} ${number}`;
    if (!taken.includes(made)) return made;
  }
}
