import {
  type CustomCheck,
  type CustomDocument,
  type CustomExtension,
  type CustomMove,
  type CustomStates,
  canonicalJson,
  customModule,
  type DocumentProblem,
  extensionIn,
  isOwnName,
} from '@kontor/kernel';
import { type Env, formulaPaths, type Model, type Move, mayWriteField, type States } from '@kontor/orm';
import { didYouMean, type Text, text } from '@kontor/protocol';
import { type AuthorView, isInGroups, pathProblems } from './author-view.ts';

/**
 * States, moves and rules of a model read and set only what their author may read and change, and open nothing that an addon keeps closed: what its
 * own moves do is not done by others, and no way leads out of a state that locks more.
 */
export function behaviourProblems(
  view: AuthorView,
  published: CustomDocument,
  after: CustomDocument,
  groups: ReadonlySet<string>,
): readonly DocumentProblem[] {
  const models = new Set([...Object.keys(published.extends), ...Object.keys(after.extends)]);
  return [...models].flatMap((name) => {
    const [old, now] = [extensionIn(published, name), extensionIn(after, name)];
    if (canonicalJson(behaviourOf(old)) === canonicalJson(behaviourOf(now))) return [];
    const label = view.labelOf(name);
    // A model that is gone, or is deleted by the same change.
    if (label === undefined) return [];
    if (!view.canExtend(name) || !view.mayAccess(name, 'write'))
      return [{ at: `${name}.states`, message: text('You may not change {model}.', { model: label }) }];
    return [...checkProblems(view, name, now), ...(now.states ? statesProblems(view, name, now.states, groups) : [])];
  });
}

export function behaviourOf({ states, checks }: CustomExtension): unknown {
  const { places: _, ...rest } = states ?? { field: '' };
  return [rest, checks ?? []];
}

/** The paths that the formulas of an extension read, with their place. */
export function behaviourPaths(model: string, { states, checks = [] }: CustomExtension) {
  const all = [
    ...(states?.conditions ?? []).map((check) => [`${model}.states`, check] as const),
    ...checks.map((check) => [`${model}.checks.${check.name}`, check] as const),
  ];
  return all.flatMap(([at, check]) => pathsOf(check).map((path) => ({ at, path })));
}

/** A formula with a mistake is reported when the models are assembled. */
function pathsOf({ formula }: CustomCheck): readonly (readonly string[])[] {
  try {
    return formulaPaths(formula);
  } catch {
    return [];
  }
}

function checkProblems(view: AuthorView, model: string, extension: CustomExtension): readonly DocumentProblem[] {
  return behaviourPaths(model, extension).flatMap(({ at, path }) =>
    pathProblems(view, model, path).map((message) => ({ at, message })),
  );
}

function statesProblems(
  view: AuthorView,
  name: string,
  states: CustomStates,
  groups: ReadonlySet<string>,
): readonly DocumentProblem[] {
  const at = `${name}.states`;
  const { env } = view;
  const running = env.registry.models.get(name);
  const found: Text[] = [];
  for (const move of states.moves ?? []) {
    for (const group of move.groups ?? [])
      if (!groups.has(group))
        found.push(text('There is no group "{group}".{hint}', { group, hint: didYouMean(group, groups) }));
    for (const { field } of move.sets ?? []) {
      const known = running?.fields.get(field);
      found.push(...pathProblems(view, name, [field]));
      if (known && known.module !== customModule && !mayWriteField(env, known))
        found.push(text('You may not change {field}.', { field: known.label }));
    }
  }
  for (const lock of states.locks ?? [])
    for (const field of lock.fields === 'all' ? [] : lock.fields) found.push(...pathProblems(view, name, [field]));
  const shipped = running?.states && running.fields.get(running.states.field)?.module !== customModule;
  if (shipped) found.push(...openedByExtension(env, running, running.states as States, states));
  return found.map((message) => ({ at, message }));
}

/** What an extension of shipped states would open. */
function openedByExtension(env: Env, model: Model, states: States, given: CustomStates): readonly Text[] {
  const found: Text[] = [];
  const added = new Set(given.choices?.map(({ value }) => value));
  const labelOf = (state: string) =>
    given.choices?.find(({ value }) => value === state)?.label ??
    model.fields.get(states.field)?.selection?.get(state) ??
    state;
  for (const [key, list] of [
    ['initial', given.initial],
    ['removable', given.removable],
  ] as const) {
    const other = list?.find((state) => !added.has(state));
    if (other)
      found.push(
        key === 'initial'
          ? text('Whether records begin as "{state}" is for the app to say.', { state: labelOf(other) })
          : text('Whether records can be deleted in "{state}" is for the app to say.', { state: labelOf(other) }),
      );
  }
  const own = (given.moves ?? []).filter(({ name }) => isOwnName(name));
  const moves = [...states.moves.values()].flat().filter(({ from }) => ![...from].every(isOwnName));
  const shipped = moves.filter(({ module }) => module !== customModule);
  for (const move of given.moves ?? []) {
    const origins = originsOf(move.from ?? [], own, added);
    if (!isOwnName(move.name)) found.push(...startsLater(move, origins, shipped, labelOf));
    else if (move.to && !added.has(move.to) && !isWayBack(move, origins, own, given)) {
      const into = shipped.filter(({ to }) => to === move.to);
      found.push(...aroundShipped(env, move, origins, into, labelOf));
    }
  }
  for (const [state, names] of states.locks) {
    if (added.has(state)) continue;
    const loose = looseAfter(state, names, own, given, states, added);
    if (loose && !reachable(env, shipped, state).has(loose))
      found.push(
        text('"{from}" locks fields that "{to}" does not, so an added move cannot lead there.', {
          from: labelOf(state),
          to: labelOf(loose),
        }),
      );
  }
  return found;
}

/** The states of the app from which records come to these states, by added moves. */
function originsOf(
  from: readonly string[],
  own: readonly CustomMove[],
  added: ReadonlySet<string>,
): ReadonlySet<string> {
  const seen = new Set(from);
  for (const state of seen)
    if (added.has(state))
      for (const move of own) if (move.to === state) for (const each of move.from ?? []) seen.add(each);
  return new Set([...seen].filter((state) => !added.has(state)));
}

/** A move back to the only state from which added moves lead to where it starts. */
function isWayBack(
  { from = [], to }: CustomMove,
  origins: ReadonlySet<string>,
  own: readonly CustomMove[],
  { initial = [] }: CustomStates,
): boolean {
  const starts = new Set(from);
  for (const state of starts)
    for (const move of own) if (move.to === state) for (const each of move.from ?? []) starts.add(each);
  return [...origins].every((origin) => origin === to) && !initial.some((state) => starts.has(state));
}

/** A move of the app that starts from added states does what it does from where the records came from. */
function startsLater(
  { name, from = [] }: CustomMove,
  origins: ReadonlySet<string>,
  shipped: readonly Move[],
  labelOf: (state: string) => string,
): readonly Text[] {
  const first = shipped.find((move) => move.name === name);
  const other = from.length > 0 && first ? [...origins].find((origin) => !first.from.has(origin)) : undefined;
  if (!first || other === undefined) return [];
  return [
    text('"{move}" does not start in {state}, so it cannot start where records come to from there.', {
      move: first.label,
      state: labelOf(other),
    }),
  ];
}

/** A shipped state is entered with what the moves of the app ask for, and by the people who may. */
function aroundShipped(
  env: Env,
  move: CustomMove,
  origins: ReadonlySet<string>,
  shipped: readonly Move[],
  labelOf: (state: string) => string,
): readonly Text[] {
  const values = { state: labelOf(move.to ?? ''), label: move.label ?? move.name };
  const [does] = shipped.filter(({ run, sets, asks }) => run !== null || sets.size > 0 || asks.size > 0);
  if (does)
    return [
      text('Only "{move}" makes records {state}, because it does more than that.', { ...values, move: does.label }),
    ];
  const missing = [...new Set(shipped.flatMap(({ needs }) => needs))].filter((name) => !move.needs?.includes(name));
  if (missing.length > 0)
    return [
      text('"{label}" needs the conditions of the app for {state} as well: {names}.', {
        ...values,
        names: missing.join(', '),
      }),
    ];
  const limits = shipped.flatMap(({ from, groups }) =>
    groups && [...from].some((each) => origins.has(each)) ? [groups] : [],
  );
  const isLimited = limits.every((groups) => move.groups?.every((group) => groups.includes(group)) === true);
  if (!isLimited)
    return [
      text('Only {groups} may make records {state} from there: choose among them.', {
        ...values,
        groups: limits.flat().join(', '),
      }),
    ];
  const isClosed = shipped.length > 0 && shipped.every(({ groups }) => groups !== null && !isInGroups(env, groups));
  return isClosed ? [text('You may not make records {state}.', values)] : [];
}

/** The first state that added moves lead to from a state, directly or through added states, in which less is locked. */
function looseAfter(
  from: string,
  names: ReadonlySet<string>,
  own: readonly CustomMove[],
  given: CustomStates,
  states: States,
  added: ReadonlySet<string>,
): string | null {
  const locksAll = (state: string) => {
    const lock = given.locks?.find((each) => each.state === state)?.fields;
    const held = new Set([...(states.locks.get(state) ?? []), ...(lock === 'all' || !lock ? [] : lock)]);
    return lock === 'all' || [...names].every((name) => held.has(name));
  };
  const seen = new Set([from]);
  const queue = [from];
  for (const state of queue) {
    for (const { to = '', from: starts = [] } of own) {
      if (!starts.includes(state) || seen.has(to)) continue;
      if (!locksAll(to)) return to;
      seen.add(to);
      if (added.has(to)) queue.push(to);
    }
  }
  return null;
}

/** The states that the moves of the app lead to, made by this person. */
function reachable(env: Env, moves: readonly Move[], from: string): ReadonlySet<string> {
  const seen = new Set([from]);
  for (const state of seen)
    for (const move of moves)
      if (move.from.has(state) && (move.groups === null || isInGroups(env, move.groups))) seen.add(move.to);
  return seen;
}
