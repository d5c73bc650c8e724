import { type taxTreatments, union } from '@addons/sale';

interface Sale {
  readonly isExempt: boolean;
  readonly hasTaxId: boolean;
  /** Country codes. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Why a customer who is exempt from tax pays none; the document has to say it. */
export function taxTreatment({ isExempt, hasTaxId, from, to }: Sale): keyof typeof taxTreatments {
  if (!isExempt) return 'normal';
  if (from === null || to === null || from === to) return 'exempt';
  if (!union.has(from) || !union.has(to)) return 'export';
  return hasTaxId ? 'reverse' : 'exempt';
}
