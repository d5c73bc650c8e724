import type { Env } from '@kontor/addon';

/** Leads to a list of the records behind a button. */
export async function openRecords(
  env: Env,
  action: string,
  domain: readonly unknown[],
): Promise<{ readonly redirect: string }> {
  const id = await env.sudo().ref(action);
  const query = new URLSearchParams({ action: String(id), view_type: 'list', domain: JSON.stringify(domain) });
  return { redirect: `/web?${query}` };
}
