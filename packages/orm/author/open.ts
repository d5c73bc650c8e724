import type { ViewType } from '@kontor/protocol';
import { type Opened, type OpenSpec, open as openLoose } from '../model/open.ts';
import type { DomainIn } from './domain.ts';
import type { ModelName, Models, RefName } from './models.ts';
import type { Near } from './path.ts';
import type { Input, Settable } from './values.ts';

/** What a new record begins with. */
type ContextOf<M extends ModelName> = {
  readonly [Name in Settable<M> as `default_${Name}`]?: Input<Models[M][Name]>;
};

interface OpenSpecOf<M extends ModelName, D, Action> extends Pick<OpenSpec, 'id' | 'activeIds' | 'edit' | 'target'> {
  readonly view?: ViewType;
  readonly domain?: DomainIn<M, D>;
  readonly context?: ContextOf<M>;
  /** A window action, by external id or id; its own views, filters and context apply. */
  readonly action?: Action extends string ? Near<RefName, Action> : Action;
}

/**
 * Leads an action to a screen: it returns what this gives.
 * ```ts
 * export const germans = () => open('core.partner', { view: 'list', domain: [['country_id.code', '=', 'DE']] });
 * export const one = (id: number) => open('core.partner', { id });
 * ```
 */
export function open<
  const M extends ModelName,
  const D extends readonly unknown[],
  const Action extends string | number,
>(model: M, to?: OpenSpecOf<M, D, Action>): Opened;
export function open(model: string, to?: object): Opened {
  return openLoose(model, to);
}
