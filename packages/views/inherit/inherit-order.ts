import type { DependsOf, StoredView } from './stored-view.ts';

/**
 * The order in which inherits apply: each after the one it inherits from and after those of the modules that its own
 * depends on; where both allow it, by priority and then by id.
 */
export function inheritOrder(inherits: readonly StoredView[], dependsOf: DependsOf): readonly StoredView[] {
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

/** All modules that a module depends on, also through others. */
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
