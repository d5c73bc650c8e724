const english = {
  quotation: 'Quotation',
  order: 'Order',
  cancelled: 'Cancelled',
  date: 'Date',
  valid: 'Valid until',
  contact: 'Your contact',
  reference: 'Your reference',
  payment: 'Payment',
  days: (days: number) => `within ${days} days`,
  description: 'Description',
  quantity: 'Quantity',
  price: 'Unit price',
  discount: 'Disc.',
  amount: 'Amount',
  untaxed: 'Untaxed',
  total: 'Total',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  vat: 'Tax id',
};
export type Words = typeof english;

const german: Words = {
  quotation: 'Angebot',
  order: 'Auftrag',
  cancelled: 'Storniert',
  date: 'Datum',
  valid: 'Gültig bis',
  contact: 'Ihre Ansprechperson',
  reference: 'Ihr Zeichen',
  payment: 'Zahlung',
  days: (days) => `innerhalb von ${days} Tagen`,
  description: 'Beschreibung',
  quantity: 'Menge',
  price: 'Einzelpreis',
  discount: 'Rabatt',
  amount: 'Betrag',
  untaxed: 'Netto',
  total: 'Gesamt',
  page: (page, pages) => `Seite ${page} von ${pages}`,
  vat: 'USt-IdNr.',
};

const french: Words = {
  quotation: 'Devis',
  order: 'Commande',
  cancelled: 'Annulé',
  date: 'Date',
  valid: 'Valable jusqu’au',
  contact: 'Votre contact',
  reference: 'Votre référence',
  payment: 'Paiement',
  days: (days) => `à ${days} jours`,
  description: 'Désignation',
  quantity: 'Quantité',
  price: 'Prix unitaire',
  discount: 'Remise',
  amount: 'Montant',
  untaxed: 'Total HT',
  total: 'Total',
  page: (page, pages) => `Page ${page} sur ${pages}`,
  vat: 'N° TVA',
};

/** The words of a printed quotation in the customer's language; English where there are none. */
export function wordsFor(lang: string | null): Words {
  if (lang?.startsWith('de')) return german;
  return lang?.startsWith('fr') ? french : english;
}
