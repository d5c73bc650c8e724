import type { Domain } from '@kontor/protocol';
import { searchRead } from '../rpc.ts';

let models: Promise<ReadonlySet<string>> | null = null;

/** What a search for something to point at asks: archived records are left out, unless the domain speaks of them. */
export async function withoutArchived(model: string, domain: Domain): Promise<Domain> {
  if (domain.some((part) => Array.isArray(part) && part[0] === 'active')) return domain;
  models ??= archivableModels();
  return (await models).has(model) ? [['active', '=', true], ...domain] : domain;
}

/** Models that know archived records, asked for once. */
async function archivableModels(): Promise<ReadonlySet<string>> {
  try {
    const found = await searchRead('sys.field', [['name', '=', 'active']], ['model_id.name'], { limit: 500 });
    return new Set(found.map((one) => String(one['model_id.name'])));
  } catch {
    models = null;
    return new Set();
  }
}
