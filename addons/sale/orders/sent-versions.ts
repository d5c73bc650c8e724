import { type Env, formatAmount, text, wordsIn } from '@kontor/addon';
import { isOption } from '../lines/line-amounts.ts';
import type { Quotation } from '../quotation/load-quotation.ts';

interface SentLine {
  readonly id: number;
  readonly name: string;
  readonly quantity: string;
  readonly price: string;
  readonly discount: string;
  readonly taxes: string;
}
/** What the page of a version said, as far as people compare it. */
interface SentContent {
  readonly heading: string;
  readonly lines: readonly SentLine[];
  readonly until: string | null;
  readonly payment: number | null;
  readonly note: string | null;
  readonly total: string;
}

export function contentOf(order: Quotation): SentContent {
  return {
    heading: order.state === 'sale' ? 'confirmation' : 'quotation',
    lines: order.line_ids.map((line) => ({
      id: line.id,
      name: isOption(line) ? `${line.name} (option)` : line.name,
      quantity: `${line.quantity.toFixed()} ${order.units.get(line.id) ?? ''}`.trim(),
      price: line.price_unit.toFixed(),
      discount: line.discount.toFixed(),
      taxes: line.tax_ids.map((tax) => tax.name).join(', '),
    })),
    until: order.state === 'sale' ? null : order.validity_date,
    payment: order.payment_days,
    note: order.note,
    total: order.amount_total.toFixed(),
  };
}

export interface Version {
  readonly number: number;
  /** In the language of the sender; empty for a first version, and for one that is sent again. */
  readonly changes: string;
}

/** The version that a page is: the last one where it says the same, else the next. */
export async function versionOf(env: Env, order: Quotation): Promise<Version> {
  const [last] = await env
    .sudo()
    .model('sale.order.sent')
    .searchRead([['order_id', '=', order.id]], ['version', 'content'], { order: '-id', limit: 1 });
  if (!last) return { number: 1, changes: '' };
  const changes = changesBetween(env, order, last.content as SentContent, contentOf(order));
  return { number: changes.length === 0 ? last.version : last.version + 1, changes: changes.join('\n') };
}

function changesBetween(env: Env, order: Quotation, before: SentContent, now: SentContent): readonly string[] {
  const { say } = wordsIn(env, env.actor.lang, 'sale');
  const { lang } = env.actor;
  const money = (digits: string) => formatAmount(order.amount_total.times(0).plus(digits), order.currency_id, lang);
  const first = (name: string) => name.split('\n')[0] ?? '';
  const known = new Map(before.lines.map((line) => [line.id, line]));
  const kept = new Set(now.lines.map(({ id }) => id));
  const changed = (label: string, old: string, fresh: string) =>
    old === fresh ? [] : [say(text('{label}: {before} → {after}', { label, before: old || '–', after: fresh || '–' }))];
  const lines = now.lines.flatMap((line) => {
    const old = known.get(line.id);
    const name = first(line.name);
    if (!old) return [say(text('Added: {name}', { name }))];
    const of = (what: string) => `${name}, ${what}`;
    return [
      ...changed(say('Description'), old.name, line.name),
      ...changed(of(say('Quantity')), old.quantity, line.quantity),
      ...changed(of(say('Unit price')), money(old.price), money(line.price)),
      ...changed(of(say('Discount %')), old.discount, line.discount),
      ...changed(of(say('Taxes')), old.taxes, line.taxes),
    ];
  });
  const removed = before.lines.filter(({ id }) => !kept.has(id));
  return [
    ...(before.heading === now.heading ? [] : [say('The quotation became an order.')]),
    ...lines,
    ...removed.map((line) => say(text('Removed: {name}', { name: first(line.name) }))),
    ...changed(say('Valid until'), before.until ?? '', now.until ?? ''),
    ...changed(say('Days to pay'), String(before.payment ?? ''), String(now.payment ?? '')),
    ...(before.note === now.note ? [] : [say('Terms changed.')]),
    ...changed(say('Total'), money(before.total), money(now.total)),
  ];
}

/** `S00012.pdf`, and `S00012-2.pdf` for its second version. */
export function versionName(name: string, version: number): string {
  return version === 1 ? name : name.replace(/\.pdf$/, `-${version}.pdf`);
}
