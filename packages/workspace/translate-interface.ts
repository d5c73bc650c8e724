import type { Kernel } from '@kontor/kernel';
import type { Translate } from '@kontor/protocol';
import { type Interface, interfaceCache } from './load-interface.ts';

const kept = new WeakMap<Interface, Map<Translate, Interface>>();

/** Views, actions and menus as last read, in a language; dropped when someone changes them anywhere. */
export async function interfaceIn(kernel: Kernel, lang: string): Promise<Interface> {
  return translateInterface(await kernel.cached(interfaceCache, undefined), kernel.wordsIn(lang));
}

/** Actions and menus in another language; views follow when they are composed. What people renamed stays as they named it. */
function translateInterface(screens: Interface, translate: Translate): Interface {
  const known = kept.get(screens) ?? new Map<Translate, Interface>();
  kept.set(screens, known);
  const found = known.get(translate);
  if (found) return found;
  const actions = [...screens.actions].map(([id, action]) => {
    const module = action.module ?? undefined;
    const help = action.help === null ? null : translate(action.help, module);
    return [id, { ...action, name: translate(action.name, module), help }] as const;
  });
  const made: Interface = {
    ...screens,
    actions: new Map(actions),
    menus: screens.menus.map((menu) => ({ ...menu, name: translate(menu.name, menu.module ?? undefined) })),
    translate,
  };
  known.set(translate, made);
  return made;
}
