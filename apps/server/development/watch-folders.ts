import { type FSWatcher, watch } from 'node:fs';
import { relative, resolve } from 'node:path';

const left = /(?:^|\/)(?:node_modules|tests|\.[^/]*)(?:\/|$)|\.tgz$|~$/;
/** Editors write a file in several steps. */
const settleMs = 40;

/** Runs a round with the files that were saved, one round at a time; what is saved meanwhile makes one more. */
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
  const watchers: readonly FSWatcher[] = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      const file = name ? resolve(folder, name) : folder;
      if (!name || left.test(relative(folder, file))) return;
      changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(() => void begin(), settleMs);
    }),
  );
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
