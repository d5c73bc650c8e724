import { viewTypes } from '@kontor/protocol';
import { clientWidgets } from '@kontor/views';
import { AddonError } from '../addon-error.ts';
import type { AssembledModules } from '../assemble-modules.ts';
import type { AddonDefinition, ClientViewSpec } from '../define-addon.ts';

/** The client finds widgets and views by name, so names must be unique across modules and the client. */
export function checkBrowserNames(definitions: ReadonlyMap<string, AddonDefinition>): void {
  const owners = new Map<string, string>([
    ...[...clientWidgets.keys()].map((name) => [`widget "${name}"`, 'the client'] as const),
    ...[...viewTypes, 'search'].map((name) => [`view type "${name}"`, 'the client'] as const),
  ]);
  for (const [module, { widgets, views }] of definitions) {
    const named = [
      ...Object.keys(widgets).map((name) => `widget "${name}"`),
      ...Object.keys(views).map((name) => `view type "${name}"`),
    ];
    for (const name of named) {
      const owner = owners.get(name);
      if (owner) throw new AddonError({ addon: module, file: 'addon.ts' }, `The ${name} is ${owner}'s already.`);
      owners.set(name, module);
    }
  }
}

export type OwnViewTypes = ReadonlyMap<string, ClientViewSpec>;

/** View types of modules, in addition to those of the client, by name. */
export function ownViewTypes({ definitions }: Pick<AssembledModules, 'definitions'>): OwnViewTypes {
  return new Map([...definitions.values()].flatMap(({ views }) => Object.entries(views)));
}
