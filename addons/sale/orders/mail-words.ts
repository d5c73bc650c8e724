interface Told {
  readonly number: string;
  readonly customer: string;
  readonly amount: string;
  /** As the customer writes a date; empty when it stays valid. */
  readonly until: string;
  readonly sender: string;
}

interface MailWords {
  subject(told: Told): string;
  body(told: Told): string;
}

const english: MailWords = {
  subject: ({ number, sender }) => `Quotation ${number} from ${sender}`,
  body: ({ number, customer, amount, until }) =>
    [
      `Dear ${customer},`,
      `please find attached our quotation ${number} over ${amount}.${until && ` It is valid until ${until}.`}`,
      'If you have any questions, just reply to this mail.',
    ].join('\n\n'),
};

const german: MailWords = {
  subject: ({ number, sender }) => `Angebot ${number} von ${sender}`,
  body: ({ number, customer, amount, until }) =>
    [
      `Guten Tag ${customer},`,
      `im Anhang finden Sie unser Angebot ${number} über ${amount}.${until && ` Es ist gültig bis ${until}.`}`,
      'Wenn Sie Fragen haben, antworten Sie einfach auf diese E-Mail.',
    ].join('\n\n'),
};

const french: MailWords = {
  subject: ({ number, sender }) => `Devis ${number} de ${sender}`,
  body: ({ number, customer, amount, until }) =>
    [
      `Bonjour ${customer},`,
      `veuillez trouver ci-joint notre devis ${number} d’un montant de ${amount}.${until && ` Il est valable jusqu’au ${until}.`}`,
      'Pour toute question, répondez simplement à ce message.',
    ].join('\n\n'),
};

/** What goes with a quotation, in the customer's language; English where there are no words. */
export function mailWordsFor(lang: string | null): MailWords {
  if (lang?.startsWith('de')) return german;
  return lang?.startsWith('fr') ? french : english;
}
