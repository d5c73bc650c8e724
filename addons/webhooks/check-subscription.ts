import { anyModel, changesAfter, type Env, inNameOf, KontorError, text, ValidationError } from '@kontor/addon';

/** A webhook that cannot work would fail unnoticed, so it is rejected when it is written, as its owner. */
export async function checkSubscriptions(env: Env, ids: readonly number[]): Promise<void> {
  // With the rights of the writer: users who may not manage the owner's webhooks do not learn what the owner may read.
  const rows = await env
    .model('webhook.subscription')
    .read(ids, ['model', 'domain', 'watch', 'payload', 'url', 'user_id', 'company_id']);
  for (const row of rows) {
    checkAddress(row.url);
    const owner = await inNameOf(env, row.user_id, row.company_id);
    if (!owner) throw new ValidationError({ user_id: ['This person cannot sign in, or not in this company.'] });
    await checkMeaning(owner, row);
  }
}

export function checkAddress(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isGood = parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  if (!isGood)
    throw new ValidationError({ url: ['The address must begin with https:// or http:// and contain no login.'] });
}

interface Meaning {
  readonly model: string;
  readonly domain: unknown;
  readonly watch: unknown;
  readonly payload: unknown;
}

async function checkMeaning(owner: Env, { model, domain, watch, payload }: Meaning): Promise<void> {
  const known = owner.registry.models.get(model);
  if (!known) throw new ValidationError({ model: [text('There is no model {model}.', { model })] });
  await refuseAt('model', () => changesAfter(owner, model, 'now'));
  await refuseAt('domain', () => anyModel(owner, model).search(domainOf(domain), { limit: 1 }));
  const sent = namesOf('payload', payload);
  await refuseAt('payload', () => anyModel(owner, model).searchRead([['id', '=', 0]], sent, { limit: 1 }));
  const other = namesOf('watch', watch).find((name) => !known.fields.has(name));
  if (other !== undefined)
    throw new ValidationError({ watch: [text('{model} has no field {field}.', { model, field: other })] });
}

/** A domain as JSON; the model's own check has passed, so `never` is safe for every model. */
export function domainOf(value: unknown): readonly never[] {
  return Array.isArray(value) ? (value as never[]) : [];
}

/** Names of fields as a JSON list. */
export function namesOf(field: 'watch' | 'payload', value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value) && value.length <= 200 && value.every((name) => typeof name === 'string')) return value;
  throw new ValidationError({ [field]: ['Names of fields are a list such as ["name", "email"].'] });
}

/** A mistake is reported at its field. */
async function refuseAt(field: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof KontorError) throw new ValidationError({ [field]: [error.message] });
    throw error;
  }
}
