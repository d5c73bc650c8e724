import {
  defineModel as defineLoose,
  type InheritSpec,
  inheritModel as inheritLoose,
  type ModelSpec,
} from '../model/define-model.ts';
import type { ModelDefinition } from '../model/definition.ts';
import { fields as looseFields } from './builders.ts';
import type { Definition, FieldsIn, Shape } from './define-model.ts';
import type { FieldMap } from './field.ts';
import type { FieldBuilders } from './field-builders.ts';
import type { ModelName } from './models.ts';
import type { NamesOfKind } from './path.ts';
import type { MoreMovesOf, MoreStatesOf, MovesOf, StatesOf } from './states.ts';

/**
 * Declares fields, as a separate constant: inside `defineModel` their types would be circular.
 * ```ts
 * const noteFields = {
 *   title: fields.char({ required: true, size: 200 }),
 *   state: fields.selection({ open: 'Open', done: 'Done', dropped: 'Dropped' }, { sets: { closed: ['done', 'dropped'] } }),
 *   partner_id: fields.many2one('core.partner', { ondelete: 'cascade' }),
 * };
 * ```
 */
export const fields: FieldBuilders<ModelName> = looseFields;

/**
 * Declares a model. The paths in `depends` are loaded for a compute and make it stale, so it sees only these paths.
 * ```ts
 * const bookFields = {
 *   title: fields.char({ required: true }),
 *   author_id: fields.many2one('core.partner'),
 *   shelf_mark: fields.char({ computed: true, stored: true }),
 * };
 * export interface Book extends FieldsOf<typeof bookFields> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.book': Book;
 *   }
 * }
 *
 * export const book = defineModel('library.book', {
 *   label: 'Book',
 *   order: 'title',
 *   fields: bookFields,
 *   computes: {
 *     shelf_mark: {
 *       depends: ['title', 'author_id.country_id.code'],
 *       value: (record) => `${record.author_id?.country_id?.code ?? ''}-${record.title}`,
 *     },
 *   },
 *   constraints: {
 *     has_title: { on: ['title'], holds: (record) => record.title.trim() !== '', message: 'Give the book a title.' },
 *   },
 * });
 * ```
 * States and moves are declared once. The kernel derives the checks on every way in, the buttons, the locks and the status
 * bar.
 * ```ts
 * const loanFields = {
 *   state: fields.selection({ asked: 'Asked for', lent: 'Lent', back: 'Back' }, { required: true, default: 'asked' }),
 *   reader_id: fields.many2one('core.partner'),
 *   lent_at: fields.datetime(),
 * };
 * export interface Loan extends FieldsOf<typeof loanFields> {}
 * export interface LoanCalls extends CallsOf<typeof loan> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.loan': Loan;
 *   }
 *   interface Calls {
 *     'library.loan': LoanCalls;
 *   }
 * }
 *
 * export const loan = defineModel('library.loan', {
 *   fields: loanFields,
 *   states: {
 *     field: 'state',
 *     removable: ['asked', 'back'],
 *     locks: { lent: ['reader_id'], back: 'all' },
 *     conditions: {
 *       has_reader: { reads: ['reader_id'], holds: (record) => record.reader_id !== null, message: 'Who reads it?' },
 *     },
 *   },
 *   moves: {
 *     lend: {
 *       from: 'asked',
 *       to: 'lent',
 *       label: 'Lend',
 *       needs: ['has_reader'],
 *       sets: { lent_at: now },
 *       groups: ['library.group_desk'],
 *       refusal: 'Ask at the desk.',
 *     },
 *     give_back: { from: 'lent', to: 'back', label: 'Give back' },
 *   },
 * });
 * ```
 */
export function defineModel<
  const M extends ModelName,
  const Map extends FieldMap,
  const O extends string,
  const Paths,
  const Reads,
  Results,
  const Watched,
  const Wheres,
  Actions,
  Moves,
  const Held,
  const S extends NamesOfKind<M, 'selection'> = never,
  const Stage extends NamesOfKind<M, 'many2one'> = never,
  const Named extends string = never,
>(
  name: M,
  spec: {
    readonly fields: FieldsIn<M, Map>;
    readonly states?: StatesOf<M, S, Stage, Held>;
    readonly moves?: { readonly [Name in keyof Moves]: MovesOf<M, S, NoInfer<keyof Held>, Moves[Name]> };
  } & Shape<M, O, Paths, Reads, Results, Watched, Wheres, Named, Actions>,
): Definition<Moves, Named, Actions>;
export function defineModel(name: string, spec: object): ModelDefinition {
  return defineLoose(name, spec as ModelSpec);
}

/**
 * Extends a model of another addon: fields are added or changed, the rest is appended, and an action gets the previous one as
 * `base`.
 * ```ts
 * const loyaltyFields = { loyalty_points: fields.integer({ required: true, default: 0, min: 0 }) };
 *
 * export const partnerLoyalty = inheritModel('core.partner', {
 *   fields: loyaltyFields,
 *   actions: {
 *     async greet(call, base) {
 *       await call.env.model('core.partner').write(call.records.ids, { comment: '<p>Welcome back.</p>' });
 *       return base(call);
 *     },
 *   },
 * });
 * ```
 * If the owner exports the interface of its record, `declare module '@addons/…' { interface … extends FieldsOf<typeof
 * loyaltyFields> {} }` adds the new fields to its type.
 */
export function inheritModel<
  const M extends ModelName,
  const Map extends FieldMap,
  const O extends string,
  const Paths,
  const Reads,
  Results,
  const Watched,
  const Wheres,
  Actions,
  Moves,
  const Held,
  const S extends NamesOfKind<M, 'selection'> = NamesOfKind<M, 'selection'>,
  const Stage extends NamesOfKind<M, 'many2one'> = never,
  const Named extends string = never,
>(
  name: M,
  spec: {
    readonly fields?: FieldsIn<M, Map>;
    readonly states?: MoreStatesOf<M, S, Stage, Held>;
    readonly moves?: { readonly [Name in keyof Moves]: MoreMovesOf<M, S, Moves[Name]> };
  } & Shape<M, O, Paths, Reads, Results, Watched, Wheres, Named, Actions>,
): Definition<Moves, Named, Actions>;
export function inheritModel(name: string, spec: object): ModelDefinition {
  return inheritLoose(name, spec as InheritSpec);
}
