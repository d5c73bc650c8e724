/**
 * The options of a field that is computed and that people may overrule, to be spread among the others.
 * ```ts
 * const slipFields = { days: fields.integer({ label: 'Days to pay', min: 0, ...editable }) };
 * ```
 */
export const editable = Object.freeze({ computed: true, stored: true, editable: true } as const);
