import type { LoadedRecord } from '../model/behaviour.ts';

type PathTree = Map<string, PathTree>;

/** Read once: each look into the environment leaves JavaScript, and computes ask on every run. */
export const pathGuard = { isStrict: process.env.KONTOR_STRICT_COMPUTES === '1' || process.env.NODE_ENV === 'test' };

/** Whether a compute fails when it reads a path that it did not declare. In production it gets `undefined` instead. */
export function isStrictAboutPaths(): boolean {
  return pathGuard.isStrict;
}

/**
 * A proxy of a loaded record that throws when a path outside `paths` is read. Such a read would work only while something else
 * loads the field, and the compute would not run again when the field changes.
 */
export function guardRecord<Loaded extends LoadedRecord>(
  record: Loaded,
  paths: readonly string[],
  reader: string,
): Loaded {
  return guard(record, declaredTree(paths), reader, '') as Loaded;
}

const trees = new WeakMap<readonly string[], PathTree>();

/** The paths that a compute declares never change, so their tree is built once. */
export function declaredTree(paths: readonly string[]): PathTree {
  let tree = trees.get(paths);
  if (!tree) {
    tree = pathTree(paths);
    trees.set(paths, tree);
  }
  return tree;
}

export function pathTree(paths: readonly string[]): PathTree {
  const root: PathTree = new Map();
  for (const path of paths) {
    let node = root;
    for (const name of path.split('.')) {
      const next = node.get(name) ?? new Map();
      node.set(name, next);
      node = next;
    }
  }
  return root;
}

function guard(record: LoadedRecord, tree: PathTree, reader: string, prefix: string): LoadedRecord {
  const seen = new Map<string, unknown>();
  return new Proxy(record, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || name === 'id' || name in Object.prototype) {
        return Reflect.get(target, name, receiver);
      }
      const below = tree.get(name);
      if (!below) {
        // Read by await and by JSON.stringify, not by the author.
        if (name === 'then' || name === 'toJSON') return undefined;
        throw new Error(
          `${reader} reads ${prefix}${name}, which it does not declare. Add '${prefix}${name}' to its paths.`,
        );
      }
      if (!seen.has(name)) seen.set(name, guardValue(target[name], below, reader, `${prefix}${name}.`));
      return seen.get(name);
    },
  });
}

function guardValue(value: unknown, tree: PathTree, reader: string, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((each) => guardValue(each, tree, reader, prefix));
  return isRecord(value, tree) ? guard(value, tree, reader, prefix) : value;
}

const loadedRecords = new WeakSet<object>();

/** Marks records that `load` made: values of json fields may look the same. Only a guard asks for it. */
export function markLoaded(record: object): void {
  if (pathGuard.isStrict) loadedRecords.add(record);
}

function isRecord(value: unknown, tree: PathTree): value is LoadedRecord {
  if (typeof value !== 'object' || value === null || !('id' in value)) return false;
  return tree.size > 0 || loadedRecords.has(value) || Object.keys(value).length === 1;
}
