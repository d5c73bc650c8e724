import { fields as looseFields } from '../fields/builders.ts';
import { defineModel as defineLoose, inheritModel as inheritLoose } from '../model/define-model.ts';
import type { AuthorDefineModel, AuthorInheritModel } from './define-model.ts';
import type { FieldBuilders } from './field-builders.ts';
import type { ModelName } from './models.ts';

/**
 * Declares fields, as a constant of their own: written inside `defineModel` their types would be circular.
 * ```ts
 * const noteFields = {
 *   title: fields.char({ required: true, size: 200 }),
 *   state: fields.selection({ open: 'Open', done: 'Done' }, { default: 'open' }),
 *   partner_id: fields.many2one('core.partner', { ondelete: 'cascade' }),
 * };
 * ```
 */
export const fields: FieldBuilders<ModelName> = looseFields;

/**
 * Declares a model. `depends` is fetch plan and invalidation graph in one, so a compute sees those paths and no others.
 * ```ts
 * const bookFields = {
 *   title: fields.char({ required: true }),
 *   author_id: fields.many2one('core.partner'),
 *   shelf_mark: fields.char({ computed: true, stored: true }),
 * };
 * export interface Book extends RecordOf<typeof bookFields> {}
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
 * A selection that moves gets a state machine: said once, enforced on every way of writing. `requires` names conditions
 * that must hold when the operation ends; a move without demands may stand in a list.
 * ```ts
 * const loanFields = {
 *   state: fields.selection({ asked: 'Asked for', lent: 'Lent', back: 'Back' }, { required: true, default: 'asked' }),
 *   reader_id: fields.many2one('core.partner'),
 * };
 * export interface Loan extends RecordOf<typeof loanFields> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.loan': Loan;
 *   }
 * }
 *
 * export const loan = defineModel('library.loan', {
 *   fields: loanFields,
 *   stateMachine: {
 *     field: 'state',
 *     moves: {
 *       asked: { lent: { requires: ['has_reader'], groups: ['library.group_desk'], refusal: 'Ask at the desk.' } },
 *       lent: ['back'],
 *     },
 *     conditions: {
 *       has_reader: { reads: ['reader_id'], holds: (record) => record.reader_id !== null, message: 'Who reads it?' },
 *     },
 *     removable: ['asked', 'back'],
 *   },
 * });
 * ```
 */
export const defineModel = defineLoose as unknown as AuthorDefineModel;

/**
 * Extends a model of another addon: fields are added or get other attributes, the rest is appended, and an action gets the
 * one before it as `base`.
 * ```ts
 * const loyaltyFields = { loyalty_points: fields.integer({ required: true, default: 0, min: 0 }) };
 *
 * export const partnerLoyalty = inheritModel('core.partner', {
 *   fields: loyaltyFields,
 *   actions: {
 *     async greet({ env, records }, base) {
 *       await env.model('core.partner').write(records.ids, { comment: '<p>Welcome back.</p>' });
 *       return base({ env, records, params: {} });
 *     },
 *   },
 * });
 * ```
 * Where the owner exports its record's interface, `declare module '@addons/…' { interface … extends RecordOf<typeof loyaltyFields> {} }`
 * adds the new fields to its type.
 */
export const inheritModel = inheritLoose as unknown as AuthorInheritModel;
