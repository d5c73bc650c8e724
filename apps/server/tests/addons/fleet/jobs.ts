import { addDays, dateIn, type Env } from '@kontor/addon';

/** Marks inspections that are due within two weeks. */
export async function remindOfInspections({ env }: { readonly env: Env }): Promise<void> {
  const soon = addDays(dateIn('UTC', env.now), 14);
  const ids = await env.model('fleet.inspection').search([
    ['state', '=', 'planned'],
    ['date_due', '<=', soon],
  ]);
  if (ids.length > 0) await env.model('fleet.inspection').write(ids, { is_near: true });
}
