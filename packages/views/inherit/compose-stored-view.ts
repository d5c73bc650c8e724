import { parseView } from '../parse/parse-view.ts';
import { type ReportProblem, ViewError } from '../view-error.ts';
import type { ViewNode } from '../view-node.ts';
import { composeView } from './compose-view.ts';

/** A row of sys.view. */
export interface StoredView {
  readonly id: number;
  /** External id; empty for views that users created. */
  readonly key: string;
  readonly arch: string;
  readonly inheritId: number | null;
  readonly priority: number;
  readonly module: string;
  readonly file: string;
  readonly line: number;
}

/** Names of the modules that a module depends on directly. */
export type DependsOf = (module: string) => readonly string[];

/**
 * The view with that id and everything among `views` that inherits from it, directly or through another inherit; for an inherit,
 * the view that it changes. An inherit comes after those of the modules its own depends on, then by priority, then by id. Throws
 * ViewError.
 */
export function composeStoredView(
  views: readonly StoredView[],
  id: number,
  dependsOf: DependsOf,
  report?: ReportProblem,
): ViewNode {
  const base = baseOf(views, id);
  const inherits = inheritOrder(descendants(views, base), dependsOf);
  const parse = (view: StoredView) => parseStored(view, report);
  return composeView(parse(base), inherits.map(parse), report);
}

/** The view at the end of the chain of parents; a cycle is rejected. */
export function baseOf(views: readonly StoredView[], id: number): StoredView {
  const byId = new Map(views.map((view) => [view.id, view]));
  const chain: StoredView[] = [];
  for (let next: number | null = id; next !== null; ) {
    const view: StoredView | undefined = byId.get(next);
    if (!view) throw new Error(`There is no view ${next} among those given.`);
    if (chain.includes(view)) {
      const names = [...chain.slice(chain.indexOf(view)), view].map(nameOf).join(' → ');
      throw new ViewError(placeOfRow(view), `The views inherit from each other: ${names}.`);
    }
    chain.push(view);
    next = view.inheritId;
  }
  return chain.at(-1) as StoredView;
}

function descendants(views: readonly StoredView[], base: StoredView): readonly StoredView[] {
  const found: StoredView[] = [];
  let parents = new Set([base.id]);
  while (parents.size > 0) {
    const level = views.filter((view) => view.inheritId !== null && parents.has(view.inheritId));
    found.push(...level);
    parents = new Set(level.map((view) => view.id));
  }
  return found;
}

function parseStored(view: StoredView, report: ReportProblem | undefined): ViewNode {
  return parseView(view.arch, placeOfRow(view), report);
}

function placeOfRow(view: StoredView) {
  return { addon: view.module || 'database', file: view.file || nameOf(view), line: view.line || 1 };
}

function nameOf(view: StoredView): string {
  return view.key || `view ${view.id}`;
}

/**
 * The order in which inherits apply: each after the one it inherits from and after those of the modules that its own
 * depends on; where both allow it, by priority and then by id.
 */
function inheritOrder(inherits: readonly StoredView[], dependsOf: DependsOf): readonly StoredView[] {
  const below = closure(dependsOf);
  const waiting = [...inherits].sort((a, b) => a.priority - b.priority || a.id - b.id);
  const ordered: StoredView[] = [];
  while (waiting.length > 0) {
    const isReady = (one: StoredView) =>
      !waiting.some(
        (other) => other.id === one.inheritId || (other.module !== one.module && below(one.module).has(other.module)),
      );
    const index = Math.max(0, waiting.findIndex(isReady));
    ordered.push(...waiting.splice(index, 1));
  }
  return ordered;
}

/** All modules that a module depends on, directly or indirectly. */
function closure(dependsOf: DependsOf): (module: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (module) => {
    const found = known.get(module);
    if (found) return found;
    const reached = new Set<string>();
    const todo = [...dependsOf(module)];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      todo.push(...dependsOf(next));
    }
    known.set(module, reached);
    return reached;
  };
}
