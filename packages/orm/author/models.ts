import type { Calls as KernelCalls, Models as KernelModels } from './kernel-models.ts';

/**
 * Every model known to the program, with its declared fields. Addons add theirs by declaration merging.
 * ```ts
 * const tagFields = { name: fields.char({ required: true }) };
 * export interface Tag extends FieldsOf<typeof tagFields> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.tag': Tag;
 *   }
 * }
 * ```
 */
export interface Models extends KernelModels {}

/**
 * The moves and actions of every model that has some. It is separate from `Models`, because fields must be known to check moves.
 * ```ts
 * const seatFields = { name: fields.char({ required: true }) };
 * export interface Seat extends FieldsOf<typeof seatFields> {}
 * export interface SeatCalls extends CallsOf<typeof seat> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.seat': Seat;
 *   }
 *   interface Calls {
 *     'library.seat': SeatCalls;
 *   }
 * }
 *
 * export const seat = defineModel('library.seat', {
 *   fields: seatFields,
 *   actions: { clean: { asks: { soap: fields.boolean() }, run: async ({ answers }) => void answers.soap } },
 * });
 * export const cleanAll = async (env: Env) =>
 *   env.model('library.seat').call(await env.model('library.seat').search(), 'clean', { soap: true });
 * ```
 */
export interface Calls extends KernelCalls {}

/**
 * The external ids in data files, with the model of each: `{ 'sale.group_manager': 'core.group' }`. While it is empty, any text is
 * accepted as an external id.
 * ```ts
 * export type Known = keyof Refs;
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Refs {}

/**
 * The name of a model that the compiler knows.
 * ```ts
 * const name: ModelName = 'core.partner';
 * ```
 */
export type ModelName = keyof Models & string;

/**
 * An external id from data files, for `env.ref`.
 * ```ts
 * export const everyone: RefName = 'base.group_user';
 * ```
 */
export type RefName = [keyof Refs] extends [never] ? string : keyof Refs & string;
/**
 * The external id of a group, for fields and actions.
 * ```ts
 * export const administrators: readonly GroupName[] = ['base.group_system'];
 * ```
 */
export type GroupName = [keyof Refs] extends [never]
  ? string
  : { [Name in keyof Refs]: Refs[Name] extends 'core.group' ? Name : never }[keyof Refs];
