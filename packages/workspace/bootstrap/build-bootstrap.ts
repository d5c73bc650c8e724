import { type CacheSpec, hasMail, type Kernel, languageTag } from '@kontor/kernel';
import { type Env, mayAccessModel, weeksOf } from '@kontor/orm';
import type { Bootstrap, ClientAddon, ToastMessage, WorkspacePayload } from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { viewSources } from '../interface/find-view.ts';
import { interfaceIn } from '../interface/load-interface.ts';
import { appEntries, isAddedApp } from '../menus/app-entries.ts';
import { menuCounts, rootOfMenu, sideMenus, topMenus } from '../menus/side-menus.ts';
import { type AskedPlace, menuAsked, visibleMenus } from '../menus/visible-menus.ts';
import { type UserSettings, userSettings } from '../settings/load-user-settings.ts';
import { ownProfile } from './own-profile.ts';
import { writtenForms } from './written-forms.ts';

export interface BootstrapPage {
  readonly workspace?: WorkspacePayload;
  readonly screen?: Bootstrap['screen'];
  /** The menu of the page, if it is not a workspace. */
  readonly menuKey?: string;
  /** The request that failed: its menus are shown anyway. */
  readonly asked?: AskedPlace;
  readonly toasts: readonly ToastMessage[];
  /** The client's own texts in the user's language. */
  readonly clientWords?: Readonly<Record<string, string>>;
  /** The browser code of modules. */
  readonly clientAddons?: readonly ClientAddon[];
}

/** What the shell needs before its first request. */
export async function buildBootstrap(kernel: Kernel, caller: WorkspaceCaller, page: BootstrapPage): Promise<Bootstrap> {
  const { actor, csrf } = caller;
  const [screens, settings, canMail] = await Promise.all([
    interfaceIn(kernel, actor.lang),
    userSettings(kernel, actor.uid),
    hasMail(kernel.config) || kernel.cached(mailServerCache, undefined),
  ]);
  return kernel.read(actor, async (env) => {
    const { user, company, companies, pinnedApps, hourCycle } = await ownProfile(env);
    const { states } = kernel.loaded;
    const roots = visibleMenus({ screens, env, states });
    const menuId =
      page.workspace?.menuId ??
      (page.asked ? menuAsked(screens, roots, page.asked) : menuNamed(screens.menus, page.menuKey));
    const root = rootOfMenu(roots, menuId);
    const pinned = pinnedApps.filter((name) => states.get(name) === 'installed' || isAddedApp(kernel.registry, name));
    return {
      rpcUrl: '/api/rpc',
      wcApiBase: '/web/wc',
      csrfToken: csrf,
      user,
      company,
      companies,
      activeCompanyId: company.id,
      ...(actor.shownCompanyIds ? { shownCompanyIds: actor.shownCompanyIds } : {}),
      topMenus: topMenus(roots),
      sidebarMenus: sideMenus(root, await menuCounts(env, viewSources(kernel, env, screens), root)),
      apps: appEntries(kernel, roots, pinned, screens.translate),
      pinnedApps: pinned,
      workspace: hintsOf(page.workspace, menuId),
      ...(page.workspace ? { firstWorkspace: page.workspace } : {}),
      ...(page.screen ? { screen: page.screen } : {}),
      busEnabled: kernel.config.busEnabled,
      toasts: page.toasts,
      lang: actor.lang,
      weeks: weeksOf(env),
      ...(hourCycle ? { hourCycle } : {}),
      theme: themeOf(settings),
      features: { mail: canMail, ...featuresOf(kernel, env) },
      messages: { ...kernel.loaded.translations.clientWords(actor.lang), ...page.clientWords },
      forms: writtenForms(languageTag(actor.lang), page.workspace),
      clientAddons: page.clientAddons ?? [],
    };
  });
}

function menuNamed(menus: readonly { readonly id: number; readonly key: string }[], key: string | undefined): string {
  return String(menus.find((menu) => menu.key === key)?.id ?? '');
}

function hintsOf(workspace: WorkspacePayload | undefined, menuId: string): Bootstrap['workspace'] {
  if (!workspace) {
    return { actionId: 0, menuId, viewType: '', recordId: 0, formEdit: false, listSearch: '' };
  }
  const { actionId, viewType, recordId, formEdit, listSearch } = workspace;
  return { actionId, menuId, viewType, recordId, formEdit, listSearch };
}

export function themeOf({ values }: UserSettings): Bootstrap['theme'] {
  const theme = values.get('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Whether administrators can set up a mail server on its screen. */
export const mailServerCache: CacheSpec<undefined, boolean> = {
  droppedBy: ['mail'],
  load: async (env) => (await env.model('sys.mail.server').count([['active', '=', true]])) > 0,
};

/** Features of this server that change what the client shows. */
function featuresOf({ config }: Kernel, env: Env): Bootstrap['features'] {
  const reads = (name: string) => {
    const model = env.registry.models.get(name);
    return model !== undefined && mayAccessModel(env, model, 'read');
  };
  return {
    notifications: reads('sys.notification'),
    activities: reads('mail.activity'),
    audit: reads('sys.audit'),
    customise: reads('sys.custom.draft'),
    devMode: config.devMode,
  };
}
