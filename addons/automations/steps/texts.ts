import {
  anyModel,
  Decimal,
  dateIn,
  type Env,
  fieldAtPath,
  formatAmount,
  formatDate,
  formatNumber,
} from '@kontor/addon';

const placeholder = /\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,3})\}/g;

/** The paths in braces in a text. */
export function pathsIn(given: string): readonly string[] {
  return [...new Set([...given.matchAll(placeholder)].map(([, path = '']) => path))];
}

interface TextPlace {
  readonly model: string;
  readonly id: number;
  readonly lang: string;
  readonly tz: string;
}

/** The texts with the values of a record, in a language; a value is never read as a text with placeholders. */
export async function fillTexts(
  env: Env,
  { model, id, lang, tz }: TextPlace,
  texts: readonly string[],
): Promise<readonly string[]> {
  const paths = [...new Set(texts.flatMap(pathsIn))];
  if (paths.length === 0) return texts;
  const shown = new Map(paths.map((path) => [path, namedPath(env, model, path)]));
  const currency = currencyPaths(env, model, paths);
  const [record = {}] = await anyModel(env, model).read([id], [...new Set([...shown.values(), ...currency.values()])]);
  const values = record as Readonly<Record<string, unknown>>;
  const symbols = await currenciesOf(
    env,
    [...currency.values()].map((path) => values[path]),
  );
  const said = (path: string): string => {
    const value = values[shown.get(path) as string];
    if (value === null || value === undefined || value === '') return '';
    return format(env, {
      model,
      path,
      value,
      lang,
      tz,
      currency: symbols.get(values[currency.get(path) ?? ''] as number),
    });
  };
  return texts.map((text) => text.replaceAll(placeholder, (_, path: string) => said(path)));
}

/** A link is shown by its name. */
function namedPath(env: Env, model: string, path: string): string {
  return fieldAtPath(env.registry, model, path)?.spec.relation === undefined ? path : `${path}.display_name`;
}

function currencyPaths(env: Env, model: string, paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap((path) => {
      const field = fieldAtPath(env.registry, model, path);
      const currency = field?.kind.isMoney ? (field.spec.currency ?? 'currency_id') : null;
      return currency ? [[path, [...path.split('.').slice(0, -1), currency].join('.')] as const] : [];
    }),
  );
}

interface Currency {
  readonly symbol: string;
  readonly decimal_places: number;
}

async function currenciesOf(env: Env, ids: readonly unknown[]): Promise<ReadonlyMap<number, Currency>> {
  const known = [...new Set(ids.filter((id) => typeof id === 'number'))];
  if (known.length === 0) return new Map();
  const rows = await env.model('core.currency').read(known, ['symbol', 'decimal_places']);
  return new Map(rows.map(({ id, symbol, decimal_places }) => [id, { symbol, decimal_places }]));
}

interface Shown {
  readonly model: string;
  readonly path: string;
  readonly value: unknown;
  readonly lang: string;
  readonly tz: string;
  readonly currency: Currency | undefined;
}

function format(env: Env, { model, path, value, lang, tz, currency }: Shown): string {
  const field = fieldAtPath(env.registry, model, path);
  if (currency) return formatAmount(new Decimal(String(value)), currency, lang);
  if (field?.kind.isDate) return formatDate(field.kind.isInstant ? dateIn(tz, String(value)) : String(value), lang);
  if (field?.kind.isChoice) return field.spec.selection?.[String(value)] ?? String(value);
  if (field?.kind.isNumber) return formatNumber(new Decimal(String(value)), lang);
  return String(value).slice(0, 2_000);
}
