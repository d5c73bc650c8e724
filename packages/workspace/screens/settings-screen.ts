import { hasMail, type Kernel } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { SettingsFacts, SettingsScreenData } from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { interfaceIn } from '../interface/load-interface.ts';
import { sideMenus } from '../menus/side-menus.ts';
import { visibleMenus, walkMenus } from '../menus/visible-menus.ts';

/** The menu that contains the settings of addons. */
export const settingsMenu = 'base.menu_settings';

/** All settings the user may change, by section; administrators see more. */
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
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const counted = [
  ...(['identity.companies', 'identity.people', 'identity.keys', 'automations.active'] as const),
  ...(['mail.servers', 'mail.waiting', 'mail.dead', 'jobs.active', 'jobs.failing', 'logs.errors'] as const),
];

/** The caller has checked that the user is an administrator. */
export async function settingsFacts(kernel: Kernel, env: Env): Promise<SettingsFacts> {
  const { config, catalogue, loaded } = kernel;
  const counts = await kernel.count(counted);
  const languages = await env
    .sudo()
    .model('core.lang')
    .count([['active', '=', true]]);
  const [company] = await env
    .sudo()
    .model('core.company')
    .read(env.actor.companyId === null ? [] : [env.actor.companyId], ['name']);
  const installed = [...catalogue.values()].filter(
    ({ name, manifest }) => manifest.application && loaded.states.get(name) === 'installed',
  );
  return {
    company: { id: company?.id ?? 0, name: String(company?.name ?? '') },
    companies: counts['identity.companies'],
    people: counts['identity.people'],
    keys: counts['identity.keys'],
    languages,
    automations: counts['automations.active'],
    errors: counts['logs.errors'],
    apps: installed.length,
    mail: {
      isSetUp: hasMail(config) || counts['mail.servers'] > 0,
      waiting: counts['mail.waiting'],
      dead: counts['mail.dead'],
    },
    jobs: { active: counts['jobs.active'], failing: counts['jobs.failing'] },
  };
}
