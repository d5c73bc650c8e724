import { Decimal, type Env, type WriteValues } from '@kontor/addon';
import { type LineQuestion, lineFromProduct, orderPaths, productPaths } from './line-from-product.ts';

type Line = WriteValues<'sale.order.line'>;

/** Lines that name a product and little else get the rest from it: three reads, however many lines. */
export async function completeLines(env: Env, lines: readonly Line[]): Promise<readonly Line[]> {
  const system = env.sudo();
  const idsOf = (pick: (line: Line) => number | null | undefined) => [
    ...new Set(lines.flatMap((line) => pick(line) ?? [])),
  ];
  const productIds = idsOf((line) => line.product_id);
  if (productIds.length === 0) return lines;
  const products = byId(await system.model('product.product').load(productIds, [...productPaths]));
  const orders = byId(
    await system.model('sale.order').load(
      idsOf((line) => line.order_id),
      [...orderPaths],
    ),
  );
  const units = byId(
    await system.model('product.uom').load(
      idsOf((line) => line.uom_id),
      ['factor'],
    ),
  );
  return lines.map((line) => {
    const product = products.get(line.product_id ?? 0);
    if (product === undefined) return line;
    return fill(line, {
      product,
      order: orders.get(line.order_id ?? 0) ?? null,
      quantity: new Decimal(line.quantity ?? 1),
      unit: units.get(line.uom_id ?? 0) ?? null,
    });
  });
}

function fill(line: Line, question: LineQuestion): Line {
  const { tax_ids, ...usual } = lineFromProduct(question);
  const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined && value !== ''));
  return { ...usual, tax_ids: [['set', tax_ids]], ...given };
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
