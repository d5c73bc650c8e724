import type { Values, X2manyCommand } from '../records.ts';

/** A list of x2many commands as one set of changes. */
export interface ListEdit {
  /** `set` or `clear` was among them: what is linked now and not linked again is removed. */
  readonly replaces: boolean;
  readonly create: readonly Values[];
  readonly update: readonly { readonly id: number; readonly values: Values; readonly base?: Values }[];
  readonly link: ReadonlySet<number>;
  readonly unlink: ReadonlySet<number>;
  readonly delete: ReadonlySet<number>;
}

/** Follows the commands in order: a later one wins over an earlier one about the same record. */
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
