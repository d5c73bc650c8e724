import type { Kernel } from '@kontor/kernel';
import type { SettingsScreenData } from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { sideMenus } from '../side-menus.ts';
import { interfaceIn } from '../translate-interface.ts';
import { visibleMenus, walkMenus } from '../visible-menus.ts';
import { settingsFacts } from './settings-facts.ts';

/** The menu under which addons hang what there is to set. */
export const settingsMenu = 'base.menu_settings';

/** Everything that the person may set, by section; those who administer see more. */
export async function settingsScreen(kernel: Kernel, { actor }: WorkspaceCaller): Promise<SettingsScreenData> {
  const screens = await interfaceIn(kernel, actor.lang);
  const isAdmin = actor.groups.has('base.group_system');
  return kernel.read(actor, async (env) => {
    const roots = visibleMenus({ screens, env, states: kernel.loaded.states });
    const root = roots.find(({ menu }) => menu.key === settingsMenu) ?? null;
    const about: Record<number, string> = {};
    for (const { menu, actionId } of walkMenus(root ? [root] : [])) {
      const help = actionId === null ? null : screens.actions.get(actionId)?.help;
      if (help) about[menu.id] = plainText(help);
    }
    const shown = { sections: sideMenus(root), about, isAdmin };
    return isAdmin ? { ...shown, facts: await settingsFacts(kernel, env) } : shown;
  });
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
