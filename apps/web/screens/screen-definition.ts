import type { ComponentType } from 'react';

export interface ScreenProps<T = unknown> {
  /** `bootstrap.screen.data` of this screen. */
  readonly data: T;
  /** Loads the data again. */
  readonly reload: () => void;
}

/** A screen that is not a workspace: home, apps, settings, … */
export interface ScreenDefinition {
  /** It ends with `bootstrap.screen.name`. */
  readonly path: string;
  readonly title: string;
  /** The parent screen, for the breadcrumbs. */
  readonly parent?: { readonly title: string; readonly path: string };
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds screens of every data type.
  readonly load: () => Promise<ComponentType<ScreenProps<any>>>;
  /** Never shown from memory, because its data is outdated at once. */
  readonly isAlwaysAsked?: boolean;
}
