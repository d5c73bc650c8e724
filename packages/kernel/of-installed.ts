import type { AddonDefinition } from './addons/define-addon.ts';
import type { Kernel } from './kernel.ts';

/** What installed modules declare, by `module.name`, according to the newest modules. */
export function ofInstalled<Spec extends { readonly name: string }>(
  { loaded }: Pick<Kernel, 'loaded'>,
  declared: (addon: AddonDefinition) => readonly Spec[],
): ReadonlyMap<string, Spec> {
  const all = [...loaded.states].flatMap(([module, state]) => {
    const addon = state === 'installed' ? loaded.definitions.get(module) : undefined;
    return addon ? declared(addon).map((spec) => [`${module}.${spec.name}`, spec] as const) : [];
  });
  return new Map(all);
}
