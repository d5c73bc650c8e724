import type { Values, X2manyCommand } from '../model/records.ts';
import type { ListEdit } from '../plan/row-change.ts';

/** Applies the commands in order: a later one overrides an earlier one about the same record. */
export function listEdit(commands: readonly X2manyCommand[]): ListEdit {
  let replaces = false;
  let create: Values[] = [];
  const update: { id: number; values: Values; base?: Values }[] = [];
  const link = new Set<number>();
  const unlink = new Set<number>();
  const gone = new Set<number>();
  for (const command of commands) {
    switch (command[0]) {
      case 'create':
        create.push(command[1]);
        break;
      case 'update':
        update.push({ id: command[1], values: command[2], ...(command[3] === undefined ? {} : { base: command[3] }) });
        break;
      case 'link':
        link.add(command[1]);
        unlink.delete(command[1]);
        break;
      case 'unlink':
        unlink.add(command[1]);
        link.delete(command[1]);
        break;
      case 'delete':
        gone.add(command[1]);
        link.delete(command[1]);
        break;
      case 'set':
      case 'clear':
        replaces = true;
        create = [];
        link.clear();
        unlink.clear();
        for (const id of command[1] ?? []) link.add(id);
        break;
    }
  }
  return { replaces, create, update, link, unlink, delete: gone };
}

export function isNothing(edit: ListEdit): boolean {
  return (
    !edit.replaces &&
    edit.create.length + edit.update.length + edit.link.size + edit.unlink.size + edit.delete.size === 0
  );
}
