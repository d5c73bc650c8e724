import { decimalKindOf } from './decimal.ts';
import type { FieldKind } from './kind.ts';

/** No currency of ISO 4217 has more than four decimals. */
const defaultPrecision = [20, 4] as const;

/** An amount of money in the currency that the field's `currency` names. */
export const monetaryKind: FieldKind = decimalKindOf((field) => field.spec.precision ?? defaultPrecision);
