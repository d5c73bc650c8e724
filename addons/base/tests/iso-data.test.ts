import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Row = Readonly<Record<string, string>>;

/** Cells in quotes hold commas, never line ends. */
function load(name: string): Row[] {
  const text = readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8');
  const [header = [], ...rows] = text.trimEnd().split('\n').map(cells);
  return rows.map((row) => {
    expect(row).toHaveLength(header.length);
    return Object.fromEntries(header.map((column, index) => [column, row[index] as string]));
  });
}

function cells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain as string),
  );
}

const currencies = load('10-core.currency.csv');
const countries = load('20-core.country.csv');
const languages = load('30-core.lang.csv');
const values = (rows: readonly Row[], field: string) => rows.map((row) => row[field] as string);

describe('countries', () => {
  it('MOD-3 base has all 249 countries of ISO 3166-1, each code once', () => {
    expect(countries).toHaveLength(249);
    for (const field of ['id', 'name', 'code', 'code3', 'numeric'])
      expect(new Set(values(countries, field)).size).toBe(249);
    for (const row of countries) {
      expect(row).toMatchObject({
        id: `country_${row.code}`,
        code: expect.stringMatching(/^[A-Z]{2}$/),
        code3: expect.stringMatching(/^[A-Z]{3}$/),
        phone_code: expect.stringMatching(/^[1-9]\d{0,3}$/),
      });
    }
  });

  it('MOD-3 their numbers and letters belong together, as CLDR has them', () => {
    for (const { code, numeric } of countries)
      expect(Intl.getCanonicalLocales(`und-${numeric}`)).toEqual([`und-${code}`]);
  });

  it('MOD-3 every currency they refer to is there, and all but Antarctica have one', () => {
    const known = new Set(values(currencies, 'id'));
    const without = countries.filter((row) => !known.has(row['currency_id:ref'] as string));
    expect(without.map((row) => [row.code, row['currency_id:ref']])).toEqual([['AQ', '']]);
  });

  it('SET-6 each has a time zone that people can choose, but for islands without people', () => {
    const known = new Set([...Intl.supportedValuesOf('timeZone'), '']);
    expect(countries.filter((row) => !known.has(row.tz as string))).toEqual([]);
    expect(countries.filter((row) => row.tz === '').map((row) => row.code)).toEqual(['BV', 'HM']);
  });
});

describe('currencies', () => {
  it('MOD-3 base has the active currencies of ISO 4217 under their codes', () => {
    expect(new Set(values(currencies, 'name')).size).toBe(currencies.length);
    for (const row of currencies) {
      expect(row.id).toBe(row.name);
      expect(row.name).toMatch(/^[A-Z]{3}$/);
      expect([...(row.symbol as string)].length).toBeLessThanOrEqual(8);
      expect(row.symbol).not.toBe('');
    }
    expect(values(currencies, 'name')).toEqual(expect.arrayContaining(['EUR', 'USD', 'XCG', 'ZWG', 'SLE', 'VED']));
    for (const gone of ['HRK', 'BGN', 'ANG', 'ZWL', 'SLL', 'CUC'])
      expect(values(currencies, 'name')).not.toContain(gone);
  });

  it('MOD-3 decimals are those of ISO 4217, not the customs of cash', () => {
    const places = Object.fromEntries(currencies.map((row) => [row.name, Number(row.decimal_places)]));
    expect(places).toMatchObject({ EUR: 2, JPY: 0, KWD: 3, TND: 3, CLF: 4, UYW: 4, HUF: 2, ISK: 0, IQD: 3 });
    const used = currencies.filter((row) => countries.some((country) => country['currency_id:ref'] === row.id));
    for (const { name, decimal_places } of used) {
      const digits = new Intl.NumberFormat('en', { style: 'currency', currency: name as string }).resolvedOptions();
      expect([digits.maximumFractionDigits, 2, 3]).toContain(Number(decimal_places));
    }
  });

  it('MOD-3 the common ones are active', () => {
    const active = currencies.filter((row) => row.active === '1').map((row) => row.name);
    expect(active).toEqual(['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'INR', 'JPY', 'USD']);
  });
});

describe('languages', () => {
  it('MOD-3 every language has a code that the platform knows and the direction of its script', () => {
    for (const { id, code, iso_code, direction } of languages) {
      expect(id).toBe(`lang_${code}`);
      const tag = (code as string).replace('_', '-');
      expect(Intl.DateTimeFormat.supportedLocalesOf(tag)).toEqual([tag]);
      expect(new Intl.Locale(tag).language).toBe(iso_code);
      expect(direction).toBe(
        ['Arab', 'Hebr'].includes(new Intl.Locale(tag).maximize().script as string) ? 'rtl' : 'ltr',
      );
    }
    expect(languages.filter((row) => row.active === '1').map((row) => row.code)).toEqual([
      'ar_AE',
      'de_DE',
      'en_US',
      'fr_FR',
    ]);
  });

  it('MOD-3 numbers and dates are written as the language writes them', () => {
    const of = (code: string) => languages.find((row) => row.code === code);
    expect(of('de_DE')).toMatchObject({ date_format: 'dd.MM.yyyy', decimal_point: ',', thousands_sep: '.' });
    expect(of('en_US')).toMatchObject({ date_format: 'MM/dd/yyyy', decimal_point: '.', thousands_sep: ',' });
    expect(of('fr_FR')).toMatchObject({ date_format: 'dd/MM/yyyy', decimal_point: ',', thousands_sep: '\u202f' });
    for (const row of languages) expect(row.date_format).toMatch(/^(?=.*dd)(?=.*MM)(?=.*yyyy)[dMy./ -]+$/);
  });
});
