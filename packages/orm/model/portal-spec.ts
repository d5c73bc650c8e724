import type { Domain } from '@kontor/protocol';

/**
 * What customers see of a model's records on their page, and what they may do there. Nothing else of the model is shown: no other
 * field, no field with `groups`, and no record of another customer.
 * ```ts
 * export const loans: PortalSpec<Env> = { label: 'Loans', customer: 'reader_id', date: 'lent_at', shows: ['state'] };
 * ```
 */
export interface PortalSpec<E = never> {
  /** The heading of their list: `Invoices`. */
  readonly label: string;
  /** The path to the contact whose records they are. The contacts of a company also see those of the company. */
  readonly customer: string;
  /** A domain for the records that are shown; default: all. */
  readonly where?: Domain;
  /** The field with the title; default: the name of the record. */
  readonly title?: string;
  /** The stored date or datetime by which a list is ordered, newest first. */
  readonly date: string;
  /** A field with choices that says what a record is: `Invoice` or `Credit note`; default: the label of the model. */
  readonly kind?: string;
  /** A field with choices that is shown as a badge, unless it is the same as `kind`. */
  readonly status?: string;
  /** The date until which it is valid. */
  readonly until?: string;
  /** The many2one to the user who answers questions. */
  readonly contact?: string;
  /** Further fields, shown with their labels: texts, choices, dates, numbers. */
  readonly shows?: readonly string[];
  /** Amounts above the total. */
  readonly sums?: readonly string[];
  /** The amount below the lines. */
  readonly total?: string;
  /** Its lines, such as those of an order. */
  readonly lines?: PortalLines;
  /** `comment` writes to the chatter, `attach` adds files to a comment. */
  readonly allows?: readonly ('comment' | 'attach')[];
  /** Signing runs this move of records that match `where`. */
  readonly accept?: PortalMove;
  /** Declining runs this move; the reason is in the chatter. */
  readonly decline?: PortalMove;
  /** The PDF to download. As the server, for a customer who may see the record. */
  readonly document?: (env: E, id: number) => Promise<PortalDocument>;
  /** What is due and where to pay it; null if nothing is. As the server, for a customer who may see the record. */
  readonly payment?: (env: E, id: number) => Promise<PortalPayment | null>;
}

/** Fields of the lines that are shown. */
export interface PortalLines {
  /** The one2many. Its model is part of the record, or has a `portal` of its own. */
  readonly field: string;
  /** The text: its first line is the title. */
  readonly title: string;
  /** How many. */
  readonly quantity?: string;
  /** The path to the name of the unit. */
  readonly unit?: string;
  /** Of one unit. */
  readonly price?: string;
  /** Of the whole line. */
  readonly amount?: string;
  /** A field with choices that is shown as a badge. */
  readonly status?: string;
  /** A choice with the values `section` and `note` for lines that are only words, and `option` for lines that customers may tick. */
  readonly kind?: string;
  /** What ticking a line makes its `kind`, and the fields with what it would add, without and with taxes. */
  readonly option?: { readonly chosen: string; readonly amount: string; readonly total: string };
}

export interface PortalMove {
  /** The name of the move. */
  readonly move: string;
  /** The records for which it is offered. */
  readonly where: Domain;
}

/**
 * A PDF for a customer.
 * ```ts
 * export const card: PortalDocument = { name: 'card.pdf', pdf: Buffer.from('%PDF-1.7') };
 * ```
 */
export interface PortalDocument {
  /** Of the file. */
  readonly name: string;
  /** Its bytes. */
  readonly pdf: Buffer;
}

/**
 * What a customer has to pay.
 * ```ts
 * export const fee: PortalPayment = { amount: '€12.00', due: null, details: [['IBAN', 'DE02 1203 0000 0000 2020 51']], code: null };
 * ```
 */
export interface PortalPayment {
  /** Formatted in the language of the customer. */
  readonly amount: string;
  /** The date until which it is due, formatted likewise. */
  readonly due: string | null;
  /** Bank details, by label. */
  readonly details: readonly (readonly [label: string, value: string])[];
  /** The text of a payment QR code. */
  readonly code: string | null;
}

/** All paths that are declared. */
export function declaredPaths(spec: PortalSpec): readonly string[] {
  const { title, date, kind, until, contact, shows = [], sums = [], total, lines } = spec;
  const status = spec.status === kind ? undefined : spec.status;
  const own = [
    title ?? 'display_name',
    date,
    kind,
    status,
    until,
    contact && `${contact}.name`,
    ...shows,
    ...sums,
    total,
  ];
  return [...own, ...(lines ? linePaths(lines).map((path) => `${lines.field}.${path}`) : [])].filter(
    (path) => path !== undefined,
  );
}

function linePaths({ title, quantity, unit, price, amount, status, kind, option }: PortalLines): readonly string[] {
  const ticked = option ? [option.amount, option.total] : [];
  return [title, quantity, unit, price, amount, status, kind, ...ticked].filter((path) => path !== undefined);
}
