import { type FormulaCheck, formulaLimits, type MoveSpec, type StatesSpec } from '@kontor/orm';
import { type Text, text } from '@kontor/protocol';
import { type CustomChoice, readChoices } from './choices.ts';
import { createReader, customLimits, type DocumentProblem, externalId, matches, present } from './document-reader.ts';

/** A condition of moves, or a rule that every record satisfies. */
export interface CustomCheck {
  readonly name: string;
  readonly formula: string;
  readonly message: string;
  /** Of a rule: the field that shows the message. */
  readonly field?: string;
}

/** A value that a move sets: a constant, or the source of one. */
export interface CustomSet {
  readonly field: string;
  readonly value: string | number | boolean | { readonly source: 'now' | 'today' | 'user' | 'company' };
}

/** A move of its own, or with the name of a shipped one more of its conditions, and added states from which it starts as well. */
export interface CustomMove {
  readonly name: string;
  readonly from?: readonly string[];
  readonly to?: string;
  readonly label?: string;
  readonly icon?: string;
  readonly needs?: readonly string[];
  readonly sets?: readonly CustomSet[];
  readonly groups?: readonly string[];
  readonly warns?: string;
  readonly danger?: boolean;
}

/**
 * The states and moves of a model: of its own, or more of those that an addon has. Lists, because objects in the database have no order.
 */
export interface CustomStates {
  /** The choice with the states. */
  readonly field: string;
  /** States that are added to those of an addon. */
  readonly choices?: readonly CustomChoice[];
  readonly initial?: readonly string[];
  readonly removable?: readonly string[];
  readonly abandoned?: readonly string[];
  readonly locks?: readonly { readonly state: string; readonly fields: 'all' | readonly string[] }[];
  readonly conditions?: readonly CustomCheck[];
  readonly moves?: readonly CustomMove[];
  /** Where the states are in their picture, if somebody arranged them. */
  readonly places?: readonly { readonly state: string; readonly x: number; readonly y: number }[];
}

const ownName = /^x_[a-z0-9_]{1,40}$/;
const anyName = /^[a-z][a-z0-9_]{0,62}$/;
const stateName = anyName;
const maxPlace = 10_000;

/** Whether something was added by a customisation, by its name. */
export function isOwnName(name: string): boolean {
  return ownName.test(name);
}

export function readStates(model: string, value: unknown, problems: DocumentProblem[]): CustomStates {
  const at = `${model}.states`;
  const read = createReader(at, value, problems);
  const names = (key: string) => read.checked<readonly string[]>(key, 'a list of states', isListOf(stateName));
  const choices = read.checked<readonly unknown[]>('choices', 'a list of states', Array.isArray);
  const states = present<CustomStates>({
    field: read.checked<string>('field', 'a choice', (found) => matches(found, anyName)) ?? '',
    choices: choices && readChoices(at, choices, problems),
    initial: names('initial'),
    removable: names('removable'),
    abandoned: names('abandoned'),
    locks: some(read.list('locks', (lock) => readLock(at, lock, problems))),
    conditions: some(read.list('conditions', (check) => readCheck(at, check, problems))),
    moves: some(read.list('moves', (move) => readMove(at, move, problems))),
    places: read.checked('places', 'a list of places', isPlaces),
  });
  read.end();
  const say = (message: Text) => read.fail(at, message);
  if (states.field === '') say(text('Choose the field with the states.'));
  for (const { value: state } of states.choices ?? [])
    if (!isOwnName(state)) say(text('The name of an added state begins with x_: "{name}" does not.', { name: state }));
  const { moves: max } = customLimits;
  for (const list of [states.moves, states.conditions]) {
    if ((list?.length ?? 0) > max) say(text('A model has at most {max} added moves and conditions.', { max }));
    const twice = firstTwice((list ?? []).map(({ name }) => name));
    if (twice) say(text('"{name}" is there twice.', { name: twice }));
  }
  return states;
}

export function readChecks(model: string, value: unknown, problems: DocumentProblem[]): readonly CustomCheck[] {
  const at = `${model}.checks`;
  const read = createReader(at, { checks: value }, problems);
  const checks = read.list('checks', (check) => readCheck(at, check, problems));
  const { moves: max } = customLimits;
  if (checks.length > max) read.fail(at, text('A model has at most {max} added rules.', { max }));
  const twice = firstTwice(checks.map(({ name }) => name));
  if (twice) read.fail(at, text('"{name}" is there twice.', { name: twice }));
  return checks;
}

function readLock(at: string, value: unknown, problems: DocumentProblem[]): NonNullable<CustomStates['locks']>[number] {
  const read = createReader(at, value, problems);
  const isFields = (found: unknown) => found === 'all' || isListOf(anyName)(found);
  const lock = {
    state: read.checked<string>('state', 'a state', (found) => matches(found, stateName)) ?? '',
    fields: read.checked<'all' | readonly string[]>('fields', 'all or a list of fields', isFields) ?? [],
  };
  read.end();
  return lock;
}

function readCheck(at: string, value: unknown, problems: DocumentProblem[]): CustomCheck {
  const read = createReader(at, value, problems);
  const check = present<CustomCheck>({
    name: read.checked<string>('name', 'a name that begins with x_', (found) => matches(found, ownName)) ?? '',
    formula: read.line('formula', formulaLimits.length) ?? '',
    message: read.line('message', customLimits.help) ?? '',
    field: read.checked('field', 'a field', (found) => matches(found, anyName)),
  });
  read.end();
  if (check.formula === '') read.fail(at, text('Enter a formula that gives yes or no.'));
  if (check.message === '') read.fail(at, text('Say what to do when the condition does not hold.'));
  return check;
}

function readMove(at: string, value: unknown, problems: DocumentProblem[]): CustomMove {
  const read = createReader(at, value, problems);
  const move = present<CustomMove>({
    name: read.checked<string>('name', 'a name', (found) => matches(found, anyName)) ?? '',
    from: read.checked('from', 'a list of states', isListOf(stateName)),
    to: read.checked('to', 'a state', (found) => matches(found, stateName)),
    label: read.line('label', customLimits.label),
    icon: read.checked('icon', 'the name of an icon', (found) => matches(found, /^[a-z][a-z0-9-]{0,63}$/)),
    needs: read.checked('needs', 'a list of conditions', isListOf(anyName)),
    sets: some(read.list('sets', (set) => readSet(at, set, problems))),
    groups: read.checked('groups', 'a list of groups such as base.group_user', isListOf(externalId)),
    warns: read.line('warns', customLimits.help),
    danger: read.flag('danger'),
  });
  read.end();
  const named = { name: move.label ?? move.name };
  if (isOwnName(move.name)) {
    if (!move.label) read.fail(at, text('Give the move a label.'));
    if (!move.from?.length || !move.to) read.fail(at, text('"{name}" leads from a state to a state.', named));
  } else if (Object.keys(move).some((key) => !['name', 'needs', 'from'].includes(key)))
    read.fail(
      at,
      text('A move of an app gets more conditions and added states to start from, nothing else: "{name}".', named),
    );
  else if (move.from?.some((state) => !isOwnName(state)))
    read.fail(at, text('"{name}" is of an app: only added states can be added to those that it starts from.', named));
  return move;
}

function readSet(at: string, value: unknown, problems: DocumentProblem[]): CustomSet {
  const read = createReader(at, value, problems);
  const set = {
    field: read.checked<string>('field', 'a field', (found) => matches(found, anyName)) ?? '',
    value: read.checked<CustomSet['value']>('value', 'a value or a source such as {"source": "now"}', isValue) ?? '',
  };
  read.end();
  return set;
}

function isValue(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.length <= customLimits.default;
  const { source, ...others } = (value ?? {}) as { source?: unknown };
  return ['now', 'today', 'user', 'company'].includes(source as string) && Object.keys(others).length === 0;
}

function isPlaces(value: unknown): boolean {
  const isPlace = (each: unknown) => {
    const { state, x, y, ...others } = (each ?? {}) as Readonly<Record<string, unknown>>;
    const isNumber = (found: unknown) =>
      Number.isInteger(found) && (found as number) >= 0 && (found as number) <= maxPlace;
    return matches(state, stateName) && isNumber(x) && isNumber(y) && Object.keys(others).length === 0;
  };
  return Array.isArray(value) && value.length <= customLimits.choices && value.every(isPlace);
}

function isListOf(pattern: RegExp): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) && value.length <= customLimits.fields && value.every((each) => matches(each, pattern));
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function firstTwice(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** As the code of an addon would declare them. */
export function statesSpec(given: CustomStates): StatesSpec {
  const { field, initial, removable, abandoned, locks = [], conditions = [] } = given;
  return {
    field,
    ...(initial?.length && { initial }),
    ...(removable && { removable }),
    ...(abandoned && { abandoned }),
    ...(locks.length > 0 && { locks: Object.fromEntries(locks.map((lock) => [lock.state, lock.fields])) }),
    ...(conditions.length > 0 && { conditions: checkSpecs(conditions) }),
  };
}

export function checkSpecs(checks: readonly CustomCheck[]): Readonly<Record<string, FormulaCheck>> {
  return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));
}

export function moveSpecs({ moves = [] }: CustomStates): Readonly<Record<string, MoveSpec | readonly MoveSpec[]>> {
  return Object.fromEntries(moves.map((move) => [move.name, moveSpec(move)]));
}

function moveSpec({ name, sets, ...move }: CustomMove): MoveSpec | readonly MoveSpec[] {
  // Only a move of its own leads somewhere.
  if (move.to !== undefined)
    return { ...move, ...(sets && { sets: Object.fromEntries(sets.map(({ field, value }) => [field, value])) }) };
  const { from, ...more } = move;
  return from ? [more, { ...more, from, inherits: true }] : more;
}

/** Their texts that people read. */
export function textsOfStates({ choices = [], moves = [], conditions = [] }: CustomStates): readonly string[] {
  return [
    ...choices.map(({ label }) => label),
    ...conditions.map(({ message }) => message),
    ...moves.flatMap(({ label, warns }) => [...(label ? [label] : []), ...(warns ? [warns] : [])]),
  ];
}
