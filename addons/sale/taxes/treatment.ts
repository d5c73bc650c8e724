/** Member states of the European Union, in which a business that has a tax id pays the tax itself. */
export const union: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

export const taxTreatments = {
  normal: 'With tax',
  reverse: 'Reverse charge',
  export: 'Export, not taxable',
  exempt: 'Exempt from tax',
} as const;
