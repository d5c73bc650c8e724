const states = ['draft', 'sent', 'sale', 'sale', 'cancel'];
const day = (n, first) => new Date(first + (n % 730) * 86_400_000).toISOString().slice(0, 10);

/** Orders to bring in, short enough that a hundred thousand fit into one upload. */
export function orderRows(count, prefix) {
  return Array.from({ length: count }, (_, n) => ({
    name: `${prefix}${n}`,
    reference: `R${n % 97}`,
    partner: (n * 7) % 4_000,
    state: states[n % states.length],
    date_order: day(n, Date.UTC(2024, 0, 1)),
    validity_date: day(n, Date.UTC(2024, 1, 1)),
    confirmed_at: n % 3 === 0 ? `${day(n, Date.UTC(2024, 0, 1))}T08:00Z` : '',
    amount_untaxed: ((n % 50_000) / 7).toFixed(2),
    amount_total: ((n % 50_000) / 6).toFixed(2),
    is_urgent: n % 17 === 0 ? '1' : '0',
    note: `G${n % 40}`,
  }));
}
