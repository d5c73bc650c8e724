import type { Models as KernelModels } from './kernel-models.ts';

/**
 * Every model known to the program. Addons add the shape of their records by declaration merging.
 * ```ts
 * const tagFields = { name: fields.char({ required: true }) };
 * export interface Tag extends RecordOf<typeof tagFields> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.tag': Tag;
 *   }
 * }
 * ```
 */
export interface Models extends KernelModels {}

/**
 * The name of a model that the compiler knows.
 * ```ts
 * const name: ModelName = 'core.partner';
 * ```
 */
export type ModelName = keyof Models & string;
