/** Member states of the European Union, in which a business that has a tax id pays the tax itself. */
const union = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '));

export const taxTreatments = {
  normal: 'With tax',
  reverse: 'Reverse charge',
  export: 'Export, not taxable',
  exempt: 'Exempt from tax',
} as const;

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
