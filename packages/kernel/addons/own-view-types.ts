import type { AssembledModules } from './assemble-modules.ts';
import type { ClientViewSpec } from './define-addon.ts';

export type OwnViewTypes = ReadonlyMap<string, ClientViewSpec>;

/** View types that modules bring beside those of the client, by name. */
export function ownViewTypes({ definitions }: Pick<AssembledModules, 'definitions'>): OwnViewTypes {
  return new Map([...definitions.values()].flatMap(({ views }) => Object.entries(views)));
}
