import type { Decimal } from '@kontor/addon';

const pairs = (first: string, second: string, count: number) =>
  Array.from({ length: count }, (_, at) => [`${first} ${at + 1}`, `${second} ${at + 1}`]).flat();

/** The columns of a Buchungsstapel, version 13 of the format. */
const columns = [
  ...'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz'.split(';'),
  ...'Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto'.split(';'),
  ...'Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre'.split(';'),
  ...['Beleglink', ...pairs('Beleginfo - Art', 'Beleginfo - Inhalt', 8)],
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung)'.split(';'),
  ...'EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L'.split(';'),
  ...'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(';'),
  ...pairs('Zusatzinformation - Art', 'Zusatzinformation- Inhalt', 20),
  ...'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp'.split(';'),
  ...'Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen)'.split(';'),
  ...'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen)'.split(';'),
  ...'Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername'.split(';'),
  ...'Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis'.split(';'),
  ...'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum'.split(';'),
  ...'Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land'.split(';'),
  ...'Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung)'.split(';'),
  'Abw. Skontokonto',
];

export interface DatevHead {
  readonly consultant: number;
  readonly client: number;
  /** `YYYY-MM-DD`; all in one year. */
  readonly from: string;
  readonly to: string;
  readonly now: Date;
  readonly currency: string;
  /** Digits of an account. */
  readonly digits: number;
  /** All periods are closed. */
  readonly isFinal: boolean;
}

export interface DatevRow {
  readonly date: string;
  readonly debit: string;
  readonly credit: string;
  readonly key: string | null;
  readonly amount: Decimal;
  /** If it is another currency. */
  readonly document: { readonly amount: Decimal; readonly currency: string } | null;
  readonly number: string;
  readonly text: string;
  /** Of a customer who pays the tax. */
  readonly vat: string | null;
}

/** The bytes of a file for DATEV: Windows-1252, semicolons, decimal commas, dates as DDMM. */
export function datevFile(head: DatevHead, rows: readonly DatevRow[]): Buffer {
  const lines = [headLine(head), columns, ...rows.map((row) => rowLine(row, head))];
  return inWindows1252(lines.map((cells) => `${cells.join(';')}\r\n`).join(''));
}

const day = (date: string) => date.replaceAll('-', '');

function headLine({ consultant, client, from, to, now, currency, digits, isFinal }: DatevHead): string[] {
  const stamp = now.toISOString().replaceAll(/\D/g, '').slice(0, 17);
  const name = quoted(`Kontor ${from.slice(0, 7)} - ${to.slice(0, 7)}`, 30);
  return [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', stamp, '', '"KO"', '""', '""', `${consultant}`, `${client}`],
    ...[`${from.slice(0, 4)}0101`, `${digits}`, day(from), day(to), name, '""', '1', '0', isFinal ? '1' : '0'],
    ...[`"${currency}"`, '', '""', '', '', '""', '', '', '""', '""'],
  ];
}

function rowLine({ date, debit, credit, key, amount, document, number, text, vat }: DatevRow, head: DatevHead) {
  const cells = new Array<string>(columns.length).fill('');
  const set = (column: string, value: string) => {
    cells[columns.indexOf(column)] = value;
  };
  const comma = (value: Decimal, places: number) => value.toFixed(places).replace('.', ',');
  set('Umsatz (ohne Soll/Haben-Kz)', comma(document?.amount ?? amount, 2));
  set('Soll/Haben-Kennzeichen', '"S"');
  set('WKZ Umsatz', `"${document?.currency ?? head.currency}"`);
  if (document) {
    set('Kurs', comma(document.amount.div(amount), 6));
    set('Basis-Umsatz', comma(amount, 2));
    set('WKZ Basis-Umsatz', `"${head.currency}"`);
  }
  set('Konto', debit);
  set('Gegenkonto (ohne BU-Schlüssel)', credit);
  set('BU-Schlüssel', key ? `"${key}"` : '');
  set('Belegdatum', `${date.slice(8, 10)}${date.slice(5, 7)}`);
  set('Belegfeld 1', quoted(number.replaceAll(/[^\w$&%*+\-/]/g, ''), 36));
  set('Buchungstext', quoted(text, 60));
  if (vat) set('EU-Land u. UStID (Bestimmung)', quoted(vat.replaceAll(/\s/g, ''), 15));
  set('Festschreibung', head.isFinal ? '1' : '0');
  return cells;
}

/** Without control characters, and without a beginning that a spreadsheet would calculate. */
function quoted(value: string, most: number): string {
  const plain = value.replaceAll(/\p{Cc}+/gu, ' ').replace(/^[=+\-@\s]+/, '');
  return `"${plain.slice(0, most).replaceAll('"', '""')}"`;
}

/** The characters of 0x80 to 0x9F; the five bytes that mean nothing are spaces. */
const special = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Letters that the code page lacks lose their accents, others become a question mark. */
function inWindows1252(value: string): Buffer {
  const byteOf = (letter: string): number | null => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
    const at = special.indexOf(letter);
    return at > 0 || letter === '€' ? 0x80 + at : null;
  };
  const bytes = Array.from(value.normalize('NFC'), (letter) => {
    const [base = '?'] = letter.normalize('NFD');
    return byteOf(letter) ?? byteOf(base) ?? 0x3f;
  });
  return Buffer.from(bytes);
}
