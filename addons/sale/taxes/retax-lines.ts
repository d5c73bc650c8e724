import { anyModel, type Decimal, dateIn, type Env, type ObserverSpec } from '@kontor/addon';
import { type TaxDocument, taxesOn, usualTaxes } from '../lines/line-from-product.ts';
import { type IncludedTax, includesTax, priceBetween, priceWith } from './price-between.ts';

interface Documents {
  readonly model: 'sale.order' | 'invoice.invoice';
  readonly lines: 'sale.order.line' | 'invoice.line';
  /** The fields that hold the day of its taxes; the first one that is filled counts. */
  readonly days: readonly string[];
  /** Fields of a line that stay as they are when its price is converted. */
  readonly keeps?: readonly string[];
}

type Line = Parameters<typeof usualTaxes>[0] & {
  readonly id: number;
  readonly line_type: string;
  readonly price_unit: Decimal;
  readonly tax_ids: readonly IncludedTax[];
  readonly [name: string]: unknown;
};
type Taxed = TaxDocument & {
  /** Of an invoice. */
  readonly tax_treatment?: string | null;
};
type Document = Taxed & {
  readonly id: number;
  readonly state: string;
  readonly company_id: Parameters<typeof usualTaxes>[1];
  readonly line_ids: readonly Line[];
  readonly [name: string]: unknown;
};
type Call = Parameters<ObserverSpec['run']>[0];
type FieldSpec = Parameters<NonNullable<ObserverSpec['concerns']>>[0]['fields'][number];

/** What a change of the document may change on its lines. */
const causes = ['partner_id', 'tax_position_id', 'tax_treatment'];

/**
 * The lines of a draft follow when it gets another customer, tax position or tax treatment: with the taxes that apply then, and with
 * prices that include tax only where it is charged. Taxes and prices that the same call gives to a line stay.
 */
export function retaxLines(documents: Documents): ObserverSpec {
  const { model, lines } = documents;
  return {
    concerns: ({ model: changed, operation, fields }) =>
      changed === model && operation === 'write' && fields.some(mayConcern),
    async run({ env, changes }) {
      const moved = new Map<number, Map<string, unknown>>();
      for (const { model: changed, operation, id, values } of changes) {
        if (changed !== model || operation !== 'write') continue;
        const before = moved.get(id) ?? new Map<string, unknown>();
        for (const name of causes) if (values[name] && !before.has(name)) before.set(name, values[name].old);
        if (before.size > 0) moved.set(id, before);
      }
      if (moved.size === 0) return;
      const given = new Set(
        changes.flatMap((change) => (change.model === lines && isGiven(change) ? [change.id] : [])),
      );
      // As the server: lines follow their document, whoever changes it.
      const server = env.sudo();
      for (const document of await loadDocuments(server, documents, [...moved.keys()])) {
        const before = await documentBefore(server, document, moved.get(document.id) ?? new Map());
        await retax(server, documents, { before, document, given });
      }
    },
  };
}

/** Other changes are saved faster. */
function mayConcern({ relation, selection, editable }: FieldSpec): boolean {
  return relation === 'core.partner' || relation === 'sale.tax.position' || Boolean(editable && selection);
}

function isGiven({ operation, values }: Call['changes'][number]): boolean {
  return operation === 'create' || 'tax_ids' in values;
}

const taxed = ['percent', 'price_included'];
const dated = [...taxed, 'date_end', ...taxed.map((name) => `next_id.${name}`)];
const mapping = ['treatment', 'line_ids.tax_id', 'line_ids.replacement_id'];

async function loadDocuments(server: Env, { model, days, keeps = [] }: Documents, ids: readonly number[]) {
  const hasTreatment = server.registry.model(model).fields.has('tax_treatment');
  const paths = [
    ...['state', 'partner_id.tax_exempt', 'line_ids.line_type', 'line_ids.price_unit', ...days],
    ...(hasTreatment ? ['tax_treatment'] : []),
    ...mapping.map((name) => `tax_position_id.${name}`),
    ...dated.map((name) => `company_id.sale_tax_id.${name}`),
    ...['company_id', ...dated].map((name) => `line_ids.product_id.sale_tax_ids.${name}`),
    ...taxed.map((name) => `line_ids.tax_ids.${name}`),
    ...keeps.map((name) => `line_ids.${name}`),
  ];
  const loaded = (await anyModel(server, model).load(ids, paths)) as unknown as readonly Document[];
  return loaded.filter(({ state }) => state === 'draft' || state === 'sent');
}

/** The document as its lines were taxed. */
async function documentBefore(server: Env, document: Document, before: ReadonlyMap<string, unknown>) {
  const load = async (model: 'core.partner' | 'sale.tax.position', id: unknown, paths: readonly string[]) =>
    typeof id === 'number' ? ((await anyModel(server, model).load([id], paths, { missing: 'skip' }))[0] ?? null) : null;
  const partner = before.has('partner_id') && (await load('core.partner', before.get('partner_id'), ['tax_exempt']));
  const position =
    before.has('tax_position_id') && (await load('sale.tax.position', before.get('tax_position_id'), mapping));
  return {
    partner_id: partner === false ? document.partner_id : partner,
    tax_position_id: position === false ? document.tax_position_id : position,
    tax_treatment: before.has('tax_treatment') ? before.get('tax_treatment') : document.tax_treatment,
  } as Taxed;
}

interface Retaxed {
  readonly before: Taxed;
  readonly document: Document;
  readonly given: ReadonlySet<number>;
}

async function retax(server: Env, { lines: model, days, keeps = [] }: Documents, { before, document, given }: Retaxed) {
  const instant = String(days.map((name) => document[name]).find(Boolean) ?? server.now.toISOString());
  const day = instant.length > 10 ? dateIn(server.actor.tz, instant) : instant;
  const changed = document.line_ids.flatMap((line) => {
    if (given.has(line.id) || line.line_type === 'section' || line.line_type === 'note') return [];
    const taxes = usualTaxes(line, document.company_id, day);
    const usual = taxes.map(({ id }) => id);
    const own = line.tax_ids.map(({ id }) => id);
    // Taxes that somebody chose are replaced as well, and left out where none is charged.
    const isUsual = isSame(own, taxesOn(before, usual, before.tax_treatment));
    const now = taxesOn(document, isUsual ? usual : own, document.tax_treatment);
    return isSame(own, now) ? [] : [{ line, now, convert: includesTax(taxes) ? bothWays : priceBetween }];
  });
  const ids = [...new Set(changed.flatMap(({ now }) => now))];
  const taxes = (await anyModel(server, 'sale.tax').load(ids, taxed)) as unknown as readonly IncludedTax[];
  for (const { line, now, convert } of changed) {
    const applied = taxes.filter(({ id }) => now.includes(id));
    await anyModel(server, model).write([line.id], {
      tax_ids: [['set', now]],
      price_unit: convert(line.price_unit, line.tax_ids, applied),
      ...Object.fromEntries(keeps.map((name) => [name, line[name]])),
    });
  }
}

/** A product that is sold at prices with tax gets it back. */
const bothWays: typeof priceBetween = (price, before, now) => priceWith(priceBetween(price, before, now), before, now);

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
