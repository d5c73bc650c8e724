/**
 * In `sets` of a move: what was answered to the question of the same name. A plain write asks nothing and leaves it out.
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
