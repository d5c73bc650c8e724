/** Where an order can be; stages share these values. */
export const orderStates = {
  draft: 'Quotation',
  sent: 'Quotation sent',
  sale: 'Sales order',
  cancel: 'Cancelled',
} as const;
