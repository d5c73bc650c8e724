import type { AppEntry } from '@kontor/protocol';
import type { Kernel } from '../../kernel.ts';
import { appEntries } from '../app-entries.ts';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { ownProfile } from '../own-profile.ts';
import { visibleMenus } from '../visible-menus.ts';

export interface HomeScreen {
  readonly apps: readonly AppEntry[];
}

/** The apps in which the person has somewhere to go. */
export async function homeScreen(kernel: Kernel, { actor }: WorkspaceCaller): Promise<HomeScreen> {
  const screens = await kernel.interface(actor.lang);
  return kernel.read(actor, async (env) => {
    const roots = visibleMenus({ screens, env, states: kernel.loaded.states });
    const { pinnedApps } = await ownProfile(env);
    return { apps: appEntries(kernel, roots, pinnedApps, screens.translate) };
  });
}
