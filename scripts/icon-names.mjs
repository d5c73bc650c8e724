import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of all icons that the client draws by name, for `kontor check`: those of the shell, those loaded later, older names. */
export async function iconNames(root) {
  const [shell, more, drawing] = await Promise.all(
    ['icons.ts', 'more-icons.ts', 'icon.tsx'].map((file) => readFile(join(root, 'apps/web/ui', file), 'utf8')),
  );
  const older = /const renamed[^{]*\{([^}]*)\}/.exec(drawing)?.[1] ?? '';
  const keys = [...`${shell}\n${older}`.matchAll(/^\s+'?([a-z0-9-]+)'?: ['A-Z]/gm)].map(([, name]) => name);
  const exported = [...more.matchAll(/^\s+([A-Z][A-Za-z0-9]*),$/gm)].map(([, name]) => kebab(name));
  return [...new Set([...keys, ...exported])].sort();
}

/** `FolderKanban` is named `folder-kanban`, `Trash2` `trash-2`. */
function kebab(name) {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=\d)/g, '-').toLowerCase();
}
