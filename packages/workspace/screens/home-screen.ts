import { hasMail, type Kernel } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { FirstStepsDone, HomeScreenData } from '@kontor/protocol';
import { homeBoards } from '../boards/home-boards.ts';
import { ownProfile } from '../bootstrap/own-profile.ts';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { dayOf } from '../day/day.ts';
import { interfaceIn } from '../interface/load-interface.ts';
import { appEntries } from '../menus/app-entries.ts';
import { menuPlaces, topMenus } from '../menus/side-menus.ts';
import { visibleMenus } from '../menus/visible-menus.ts';
import { userSettings } from '../settings/load-user-settings.ts';

/** The setting with which an administrator hides the first steps. */
const stepsSetting = 'home.steps';

/** The user's apps and their day. */
export async function homeScreen(kernel: Kernel, { actor }: WorkspaceCaller): Promise<HomeScreenData> {
  const [screens, settings] = await Promise.all([interfaceIn(kernel, actor.lang), userSettings(kernel, actor.uid)]);
  return kernel.read(actor, async (env) => {
    const roots = visibleMenus({ screens, env, states: kernel.loaded.states });
    const [{ pinnedApps }, boards, day] = await Promise.all([
      ownProfile(env),
      homeBoards(env, settings),
      dayOf(kernel, env, settings),
    ]);
    const apps = appEntries(kernel, roots, pinnedApps, screens.translate);
    const shown = {
      apps,
      topMenus: topMenus(roots),
      menus: menuPlaces(roots, screens, env),
      boards,
      pinnedApps: apps.filter((app) => app.pinned).map((app) => app.module),
      day,
    };
    const isWanted = actor.groups.has('base.group_system') && settings.values.get(stepsSetting) !== 'hidden';
    const steps = isWanted ? await firstSteps(kernel, env, apps.length > 0) : null;
    return steps && Object.values(steps).includes(false) ? { ...shown, steps } : shown;
  });
}

/** Only facts count: demonstration users are not colleagues, and a company without an address is incomplete. */
async function firstSteps(kernel: Kernel, env: Env, hasApps: boolean): Promise<FirstStepsDone> {
  const server = env.sudo();
  const [people, shipped, counts, [company]] = await Promise.all([
    server.model('core.user').searchRead([['active', '=', true]], ['id'], { limit: 100 }),
    server.model('sys.model.data').searchRead([['model', '=', 'core.user']], ['res_id'], { limit: 100 }),
    kernel.count(['mail.servers']),
    server.model('core.company').read(env.actor.companyId === null ? [] : [env.actor.companyId], ['street', 'city']),
  ]);
  const demonstrators = new Set(shipped.map((row) => row.res_id));
  return {
    apps: hasApps,
    company: Boolean(company?.street && company.city),
    people: people.some(({ id }) => !demonstrators.has(id) && id !== env.uid),
    mail: hasMail(kernel.config) || counts['mail.servers'] > 0,
  };
}
