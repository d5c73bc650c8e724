import type { CallOf } from './behaviour.ts';
import type { ModelName, Models } from './models.ts';
import type { Loaded } from './path.ts';
import type { TypedEnv } from './typed-env.ts';
import type { CommandOf, ValuesOf } from './values.ts';

/**
 * What an action gets, for handlers that live in a function of their own.
 * ```ts
 * async function archive({ env, records }: ActionCall<'core.partner'>) {
 *   await env.model('core.partner').write(records.ids, { active: false });
 * }
 * ```
 */
export type ActionCall<Name extends ModelName> = CallOf<Models[Name], TypedEnv>;

/**
 * A record with the named paths loaded, for helpers that computes and constraints share.
 * ```ts
 * function address(partner: LoadedRecord<'core.partner', 'city' | 'country_id.code'>) {
 *   return [partner.city, partner.country_id?.code].join(' ');
 * }
 * ```
 */
export type LoadedRecord<Name extends ModelName, Path extends string> = Loaded<Models[Name], Path>;

/**
 * Values to create or write a record with.
 * ```ts
 * const values: Values<'core.partner'> = { name: 'Ada', child_ids: [['create', { name: 'Byron' }]] };
 * ```
 */
export type Values<Name extends ModelName> = ValuesOf<Models[Name]>;

/**
 * A command for a relation to many records.
 * ```ts
 * const link: Command<'core.partner'> = ['link', 7];
 * ```
 */
export type Command<Name extends ModelName> = CommandOf<Models[Name]>;
