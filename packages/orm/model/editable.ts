/**
 * Options of a computed field that users may override, to be spread into the others.
 * ```ts
 * const slipFields = { days: fields.integer({ label: 'Days to pay', min: 0, ...editable }) };
 * ```
 */
export const editable = Object.freeze({ computed: true, stored: true, editable: true } as const);
