import { anyModel, type Env, isMailAddress } from '@kontor/addon';

export interface AudienceSpec {
  readonly model: string;
  readonly domain: unknown;
  readonly address_path: string;
}

export interface Audience {
  /** Records with an address. */
  readonly count: number;
  /** Some of their names. */
  readonly sample: string;
}

const sampleSize = 5;

/** Who a mailing would go to, with the rights of the env. */
export async function readAudience(env: Env, spec: AudienceSpec): Promise<Audience> {
  const records = anyModel(env, spec.model);
  const domain = domainOf(spec);
  const some = await records.searchRead(domain, ['display_name'], { order: 'id', limit: sampleSize });
  return { count: await records.count(domain), sample: some.map((row) => String(row.display_name)).join(', ') };
}

/** Records without an address are not in it. Its own check has passed, so `never` is safe for every model. */
export function domainOf({ domain, address_path: path }: AudienceSpec): readonly never[] {
  return [...(Array.isArray(domain) ? domain : []), [path, '!=', null]] as unknown as never[];
}

/** As it is compared: nobody gets a mailing twice for a capital letter. Null: no address. */
export function addressIn(value: unknown): string | null {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return isMailAddress(email) && email.length <= 320 ? email : null;
}
