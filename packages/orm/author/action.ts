import type { Domain as LooseDomain } from '@kontor/protocol';
import type { ActionAnswer, AnswersOf, Given } from './asks.ts';
import type { ModelName } from './models.ts';
import type { PathIn } from './path.ts';
import type { Loaded } from './record.ts';
import type { TypedEnv } from './typed-env.ts';

/** The records an action was called on. */
interface RecordsOf<M extends ModelName> {
  readonly ids: readonly number[];
  load<const Path extends string>(...paths: readonly PathIn<M, Path>[]): Promise<readonly Loaded<M, Path>[]>;
  /** The same for the only record of a `single` action. */
  only<const Path extends string = never>(...paths: readonly PathIn<M, Path>[]): Promise<Loaded<M, Path>>;
}

/**
 * The argument of an action, for handlers in separate functions; `Asked` are the fields of its dialog.
 * ```ts
 * const noteAsks = { note: fields.text({ required: true }) };
 * async function remark({ env, records, answers }: ActionCall<'core.partner', typeof noteAsks>) {
 *   await env.model('core.partner').write(records.ids, { comment: answers.note });
 * }
 * ```
 */
export interface ActionCall<M extends ModelName, Asked = unknown> {
  readonly env: TypedEnv;
  readonly records: RecordsOf<M>;
  readonly answers: AnswersOf<Asked>;
}

/** `base` is the handler of the addon that this one extends. */
export type HandlerOf<M extends ModelName, Asked = unknown> = (
  call: ActionCall<M, Asked>,
  base: (call: ActionCall<M, Asked>) => Promise<ActionAnswer>,
) => Promise<ActionAnswer>;

/**
 * Initial answers and choices of the dialog; it runs with the caller's rights, again when a record was chosen. `answers` are those that
 * the caller gave so far, which stay.
 */
export type ProposerOf<M extends ModelName, Asked> = (
  call: Pick<ActionCall<M>, 'env' | 'records'> & { readonly answers: Partial<AnswersOf<NoInfer<Asked>>> },
) => Promise<ProposalOf<NoInfer<Asked>>>;
/** An extension may propose answers to what another addon asks, so any name is allowed. */
type ProposalOf<Asked> = unknown extends Asked
  ? { readonly value?: Readonly<Record<string, unknown>>; readonly domain?: Readonly<Record<string, LooseDomain>> }
  : {
      readonly value?: { readonly [Name in keyof Asked]?: Given<Asked[Name]> | null };
      readonly domain?: { readonly [Name in keyof Asked]?: LooseDomain };
    };
