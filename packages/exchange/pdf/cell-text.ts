import type { TableColumn, TableSpec } from './table-spec.ts';

type Row = Readonly<Record<string, unknown>>;
type Format = (value: unknown, row: Row) => string;

/** How the cells of a column are formatted, in the user's language and time zone. */
export function cellText(column: TableColumn, spec: Pick<TableSpec, 'lang' | 'tz' | 'words'>): (row: Row) => string {
  const format = formatOf(column, spec);
  const { key, inLines } = column;
  const shown = (value: unknown, row: Row): string => (value === null || value === undefined ? '' : format(value, row));
  if (inLines === null) return (row) => shown(row[key], row);
  return (row) => ((row[key] ?? []) as readonly Row[]).map((line) => shown(line[inLines], line)).join(', ');
}

function formatOf(column: TableColumn, { lang, tz, words }: Pick<TableSpec, 'lang' | 'tz' | 'words'>): Format {
  const locale = localeOf(lang);
  switch (column.kind) {
    case 'number':
      return numberFormat(locale, column.scale);
    case 'money':
      return moneyFormat(locale, column);
    case 'boolean':
      return (value) => (value ? words.yes : words.no);
    case 'date':
      return dateFormat(new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' }));
    case 'datetime':
      return dateFormat(new Intl.DateTimeFormat(locale, { ...day, ...time, timeZone: tz || 'UTC' }));
    case 'choice':
      return (value) => column.choices[String(value)] ?? String(value);
    case 'html':
      return (value) => plainText(String(value));
    case 'json':
      return (value) => JSON.stringify(value);
    case 'text':
      return String;
  }
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit' } as const;

function dateFormat(format: Intl.DateTimeFormat): Format {
  return (value) => {
    const date = new Date(String(value));
    return Number.isNaN(date.getTime()) ? String(value) : format.format(date);
  };
}

function numberFormat(locale: string, scale: number | null): Format {
  const digits =
    scale === null ? { maximumFractionDigits: 6 } : { minimumFractionDigits: scale, maximumFractionDigits: scale };
  const format = new Intl.NumberFormat(locale, digits);
  // A decimal string is formatted exactly; the library types do not know this yet.
  return (value) => format.format(value as number);
}

function moneyFormat(locale: string, { currency }: TableColumn): Format {
  const plain = numberFormat(locale, 2);
  const formats = new Map<string, Intl.NumberFormat>();
  return (value, row) => {
    const code = currency === null ? null : row[currency];
    if (typeof code !== 'string' || !/^[A-Z]{3}$/.test(code)) return plain(value, row);
    const known = formats.get(code);
    if (known) return known.format(value as number);
    const options = { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' } as const;
    const made = new Intl.NumberFormat(locale, options);
    formats.set(code, made);
    return made.format(value as number);
  };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** The text of rich text, one line per block. */
function plainText(html: string): string {
  return html
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
}

export function localeOf(lang: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(lang.replace('_', '-'))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}
