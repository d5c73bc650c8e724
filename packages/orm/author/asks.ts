import type { Opened } from '../model/open.ts';
import type { ExactKind, Field, FieldMap, ManyKind, Null } from './field.ts';
import type { DecimalInput } from './values.ts';

type NoFields = Readonly<Record<never, never>>;

/** The answers after they were cast; relations are ids. */
export type AnswersOf<Asked> = Asked extends FieldMap
  ? { readonly [Name in keyof Asked]: AnswerTo<Asked[Name]> }
  : NoFields;
type AnswerTo<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly number[]
      : Kind extends 'many2one'
        ? number | Null<Traits>
        : Value | Null<Traits>
    : never;

/**
 * The result of an action: nothing, or the result of `open`. A handler that returns the result of another action needs this type.
 * ```ts
 * async function archiveFirst({ env, records }: ActionCall<'core.partner'>): Promise<ActionAnswer> {
 *   return env.model('core.partner').call(records.ids, 'archive');
 * }
 * ```
 */
// biome-ignore lint/suspicious/noConfusingVoidType: an action that returns nothing is the common case
export type ActionAnswer = Opened | undefined | void;

/** What server code may pass as an answer. */
export type Given<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Kind extends ManyKind
      ? readonly number[]
      : (Kind extends 'many2one' ? number : Kind extends ExactKind ? DecimalInput : Value) | Null<Traits>
    : never;
type Needed<Asked> = {
  [Name in keyof Asked]: Asked[Name] extends Field<infer _Kind, infer _Value, infer Traits>
    ? 'required' extends Traits
      ? 'default' extends Traits
        ? never
        : Name
      : never
    : never;
}[keyof Asked];
type ValsOf<Asked> = Asked extends FieldMap
  ? { readonly [Name in Needed<Asked>]: Given<Asked[Name]> } & {
      readonly [Name in Exclude<keyof Asked, Needed<Asked>>]?: Given<Asked[Name]>;
    }
  : Readonly<Record<string, never>>;

/** A move or an action as others see it: its questions. */
export interface Callable<out Asked> {
  readonly asks?: Asked;
}
/** `vals` is optional if no answer is required. */
export type ValsFor<Call> =
  Call extends Callable<infer Asked>
    ? NoFields extends ValsOf<Asked>
      ? [vals?: ValsOf<Asked>]
      : [vals: ValsOf<Asked>]
    : [];
