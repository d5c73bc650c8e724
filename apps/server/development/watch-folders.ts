import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

const left = /(?:^|\/)(?:node_modules|tests|\.[^/]*)(?:\/|$)|\.tgz$|~$/;
/** Editors write a file in several steps. */
const settleMs = 40;

/** Runs a first round, and one for saved files; one at a time: files saved in the meantime cause one more. */
export function watchFolders(folders: readonly string[], round: (files: readonly string[]) => Promise<void>) {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  const begin = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    const files = [...changed];
    changed.clear();
    await round(files);
    isRunning = false;
    if (changed.size > 0) await begin();
  };
  const trees = folders.map((folder) =>
    watchTree(folder, (file) => {
      changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(() => void begin(), settleMs);
    }),
  );
  return {
    first: begin(),
    close() {
      clearTimeout(timer);
      for (const tree of trees) tree.close();
    },
  };
}

/** Each folder separately: watching the whole tree would open every file of node_modules. */
function watchTree(root: string, onChange: (file: string) => void) {
  const watchers = new Map<string, FSWatcher>();
  const isLeft = (path: string) => left.test(relative(root, path));

  function follow(folder: string): void {
    if (watchers.has(folder)) return;
    watchers.set(
      folder,
      watch(folder, (_event, name) => {
        const path = name ? join(folder, name) : folder;
        if (isLeft(path)) return;
        if (!existsSync(path)) forget(path);
        else if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) follow(path);
        onChange(path);
      }),
    );
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !isLeft(path)) follow(path);
    }
  }

  /** A folder that was removed or replaced is no longer the watched one. */
  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  follow(root);
  return { close: () => forget(root) };
}
