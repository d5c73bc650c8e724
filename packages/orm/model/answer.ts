/**
 * In `sets` of a move: the answer to the question with the same name. A plain write of the state has no questions, so it sets
 * nothing.
 * ```ts
 * const lose = {
 *   from: 'open',
 *   to: 'lost',
 *   label: 'Lost',
 *   asks: { lost_reason_id: fields.many2one('core.partner', { required: true }) },
 *   sets: { lost_reason_id: answer },
 * };
 * ```
 */
export const answer = Object.freeze({ source: 'answer' } as const);
