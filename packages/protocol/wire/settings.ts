import type { SidebarMenu } from './bootstrap.ts';

/** Data of the screen `GET /web/settings`. */
export interface SettingsScreen {
  readonly sections: readonly SidebarMenu[];
  /** What each place is for, by the id of its menu, from the help of its action. */
  readonly about: Readonly<Record<number, string>>;
  readonly isAdmin: boolean;
  readonly facts?: SettingsFacts;
}

/** How things stand, so that an administrator sees where to look without opening each place. */
export interface SettingsFacts {
  readonly company: { readonly id: number; readonly name: string };
  readonly companies: number;
  readonly people: number;
  readonly keys: number;
  readonly languages: number;
  readonly apps: number;
  readonly automations: number;
  readonly mail: { readonly isSetUp: boolean; readonly waiting: number; readonly dead: number };
  readonly jobs: { readonly active: number; readonly failing: number };
  /** Errors of the last day. */
  readonly errors: number;
}
