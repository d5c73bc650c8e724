/** Names that every JavaScript object has: a record without such a field would seem to have one. */
const prototypeNames = new Set(['constructor', 'prototype']);

export const systemFieldNames = ['id', 'create_date', 'create_uid', 'write_date', 'write_uid', 'display_name'] as const;
const systemNames = new Set<string>(systemFieldNames);

/** Why a name cannot be used for a model, or null. */
export function modelNameFault(name: string): string | null {
  if (!/^(?:x_[a-z0-9_]+|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+)$/.test(name)) {
    return 'a model name is lower-case words joined by dots, such as "sale.order"';
  }
  return name.length > 63 ? 'a model name has at most 63 characters' : null;
}

/** Why a name cannot be used for a field or a constraint, or null. */
export function memberNameFault(name: string): string | null {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return 'a name is lower-case letters, digits and underscores, a letter first';
  if (prototypeNames.has(name)) return 'this name is reserved';
  return name.length > 63 ? 'a name has at most 63 characters' : null;
}

const actionPrefix = 'action_';

/** The external name of an action: `action_confirm` for `confirm`. */
export function wireName(action: string): string {
  return `${actionPrefix}${action}`;
}

/** The author's name of an externally called action; null if there is none with this name. */
export function authorName(wire: string): string | null {
  return wire.startsWith(actionPrefix) ? wire.slice(actionPrefix.length) : null;
}

/** Why a name cannot be used for an action or a move, or null. */
export function actionNameFault(name: string): string | null {
  if (name.startsWith(actionPrefix)) return `leave out "${actionPrefix}": the name outside has it by itself`;
  return memberNameFault(name);
}

export function isSystemName(name: string): boolean {
  return systemNames.has(name);
}
