import type { ViewType } from '@kontor/protocol';
import { type Opened, type OpenSpec, open as openLoose } from '../model/open.ts';
import type { DomainIn } from './domain.ts';
import type { ModelName, RefName } from './models.ts';
import type { FieldNamed, NamesOfKind, Near } from './path.ts';
import type { Input, Settable } from './values.ts';

/** Defaults of a new record. */
type ContextOf<M extends ModelName> = {
  readonly [Name in Settable<M> as `default_${Name}`]?: Input<FieldNamed<M, Name>>;
};

interface OpenSpecOf<M extends ModelName, D, Action> extends Pick<OpenSpec, 'id' | 'activeIds' | 'edit' | 'target'> {
  readonly view?: ViewType;
  readonly domain?: DomainIn<M, D>;
  readonly context?: ContextOf<M>;
  /** A window action, by external id or id; its own views, filters and context apply. */
  readonly action?: Action extends string ? Near<RefName, Action> : Action;
}

/**
 * Opens a screen; return the result from an action.
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

interface RelatedSpec<Action> {
  readonly view?: ViewType;
  /** Includes records that refer to children of the selected ones. */
  readonly below?: boolean;
  /** The action is for one record; this is the message if none or several are selected. */
  readonly single?: string;
  readonly action?: Action extends string ? Near<RefName, Action> : Action;
}

/**
 * An action that opens the records of another model that refer to the selected ones. A new record created there refers to it as
 * well.
 * ```ts
 * export const staff = inheritModel('core.company', {
 *   actions: { open_staff: openRelated('core.user', 'company_id', { view: 'list' }) },
 * });
 * ```
 */
export function openRelated<const M extends ModelName, const Action extends string | number>(
  model: M,
  field: NamesOfKind<M, 'many2one'>,
  { below = false, single, ...to }: RelatedSpec<Action> = {},
) {
  const run = async ({ records: { ids } }: { readonly records: { readonly ids: readonly number[] } }) => {
    const operator = below ? 'child_of' : 'in';
    const pointing = single === undefined ? ([field, operator, ids] as const) : ([field, '=', ids[0]] as const);
    // A record that is created there belongs to the one it was opened from.
    const context = ids.length === 1 ? { context: { [`default_${field}`]: ids[0] } } : {};
    return openLoose(model, { ...(to as OpenSpec), domain: [pointing], ...context });
  };
  return { needs: 'read', run, ...(single !== undefined && { single }) } as const;
}
