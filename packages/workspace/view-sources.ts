import type { Kernel } from '@kontor/kernel';
import { dependsOf } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { ViewSources } from './find-view.ts';
import type { Interface } from './load-interface.ts';

/** Where a person's views come from. */
export function viewSources({ catalogue }: Kernel, env: Env, screens: Interface): ViewSources {
  const depends = (module: string): readonly string[] => {
    const addon = catalogue.get(module);
    return addon ? dependsOf(addon, catalogue) : [];
  };
  return { screens, registry: env.registry, dependsOf: depends, actor: env.actor };
}
