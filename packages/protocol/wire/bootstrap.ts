import type { WeekRule } from '../calendar.ts';
import type { WrittenForms } from '../written-numbers.ts';
import type { WorkspacePayload } from './workspace.ts';

/** Menus do not count further than this. */
export const maxMenuCount = 10_000;

export interface MenuItem {
  readonly id: number;
  readonly name: string;
  readonly href: string;
  readonly icon?: string;
  /** The number of records it leads to; at most `maxMenuCount`, which means that many or more. */
  readonly count?: number;
}
/** The destination of a menu, of any app. */
export interface MenuPlace extends MenuItem {
  readonly app: string;
  /** The model that users search there, and the label of one of its records. */
  readonly model?: string;
  readonly label?: string;
  /** Whether its records have a discussion and activities. */
  readonly hasChatter?: boolean;
  /** The label for creating a record there, for users who may. */
  readonly newLabel?: string;
  /** Users may create records there, although it has no label for it: that of the model says what. */
  readonly mayCreate?: boolean;
}
export interface TopMenu extends MenuItem {
  readonly module: string;
  readonly icon: string;
}
export interface SidebarMenu {
  readonly id: number;
  readonly name: string;
  readonly items: readonly MenuItem[];
}
export interface AppEntry {
  readonly module: string;
  readonly name: string;
  readonly href: string;
  readonly icon: string;
  readonly description: string;
  readonly pinned: boolean;
}
export interface ToastMessage {
  readonly kind: 'success' | 'error' | 'info' | 'secret';
  readonly title: string;
  readonly body: string;
}
export interface CompanyEntry {
  readonly id: number;
  readonly name: string;
}

/** The browser code of a module, loaded when a screen needs it. */
export interface ClientAddon {
  readonly module: string;
  readonly label: string;
  readonly script: string;
  readonly styles: readonly string[];
  /** Names of its field widgets. */
  readonly widgets: readonly string[];
  readonly views: readonly { readonly type: string; readonly label: string; readonly icon: string }[];
}

/** `window.__WC_BOOTSTRAP__`: what the shell needs before its first request. */
export interface Bootstrap {
  readonly rpcUrl: '/api/rpc';
  readonly wcApiBase: '/web/wc';
  readonly csrfToken: string;
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly login: string;
    readonly initials: string;
    readonly image?: string;
    readonly isAdmin: boolean;
    readonly tz: string;
  };
  readonly company: CompanyEntry;
  readonly companies: readonly CompanyEntry[];
  readonly activeCompanyId: number;
  /** Companies whose records are shown at once, the active one first; absent: the active one alone. */
  readonly shownCompanyIds?: readonly number[];
  readonly topMenus: readonly TopMenu[];
  readonly sidebarMenus: readonly SidebarMenu[];
  readonly apps: readonly AppEntry[];
  readonly pinnedApps: readonly string[];
  readonly workspace: {
    readonly actionId: number;
    readonly menuId: string;
    readonly viewType: string;
    readonly recordId: number;
    readonly formEdit: boolean;
    readonly listSearch: string;
  };
  /** The first workspace itself, so that the first screen needs no request. */
  readonly firstWorkspace?: WorkspacePayload;
  /** Data of a screen other than a workspace (home, apps, settings, logs, profile, error). */
  readonly screen?: { readonly name: string; readonly data: unknown };
  readonly busEnabled: boolean;
  readonly toasts: readonly ToastMessage[];
  readonly lang: string;
  /** How the active company counts weeks. */
  readonly weeks: WeekRule;
  /** The clock of the company's country; absent: that of the language. */
  readonly hourCycle?: 'h12' | 'h23' | undefined;
  readonly theme: 'system' | 'light' | 'dark';
  readonly features: Readonly<Record<string, boolean>>;
  readonly clientAddons: readonly ClientAddon[];
  /** Translations of the client, by English text. */
  readonly messages: Readonly<Record<string, string>>;
  /** The number and date formats of the user's language, so that the first screen need not wait for `Intl`. */
  readonly forms?: WrittenForms;
}
