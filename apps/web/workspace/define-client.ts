import type { ComponentType } from 'react';
import type { FieldWidget } from '../fields/define-field.ts';
import type { KeyHelp } from '../navigation/keys.ts';
import type { ViewProps } from './define-view.ts';

/** How an addon renders its own view type; the label and icon are in `defineAddon({ views })`. */
interface AddonView {
  readonly type: string;
  readonly View: ComponentType<ViewProps>;
  /** Shown in the keyboard help (`?`). */
  readonly keys?: readonly KeyHelp[];
}

/** The browser code of an addon. */
export interface ClientDefinition {
  readonly kind: 'client';
  readonly fields: readonly FieldWidget[];
  readonly views: readonly AddonView[];
}

/** Defines a view type of an addon, for `views` of `defineClient`. */
export function defineAddonView(view: AddonView): AddonView {
  return Object.freeze(view);
}

/**
 * The default export of an addon's `client/index.ts`.
 *
 * @example
 * export default defineClient({ fields: [hoursField], views: [timelineView] });
 */
export function defineClient({ fields = [], views = [] }: Partial<Omit<ClientDefinition, 'kind'>>): ClientDefinition {
  return Object.freeze({
    kind: 'client' as const,
    fields: Object.freeze([...fields]),
    views: Object.freeze([...views]),
  });
}
