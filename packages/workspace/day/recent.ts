import { type Env, mayAccessModel, open } from '@kontor/orm';
import type { RecentRecord } from '@kontor/protocol';

const shown = 5;
/** Some of them may be deleted or hidden by now. */
const looked = 20;

/** Recently opened records that the user may still read: one statement, and one for each model. */
export async function recentRecords(env: Env): Promise<readonly RecentRecord[]> {
  // As the server: these rows are not readable as records, and users only get their own.
  const rows = await env
    .sudo()
    .model('sys.recent')
    .searchRead([['user_id', '=', env.uid]], ['model', 'res_id', 'seen_at'], { order: '-seen_at', limit: looked });
  const models = [...new Set(rows.map((row) => String(row.model)))];
  const names = new Map((await Promise.all(models.map((model) => namesIn(env, model, rows)))).flat());
  return rows
    .flatMap(({ model: name, res_id: id, seen_at: at }) => {
      const known = names.get(`${name},${id}`);
      if (known === undefined) return [];
      const { label, module } = env.registry.model(String(name));
      const href = open(String(name), { id: Number(id) }).redirect;
      return [{ model: String(name), id: Number(id), name: known, kind: label, module, at: String(at), href }];
    })
    .slice(0, shown);
}

type Opened = Readonly<Record<string, unknown>>;

async function namesIn(env: Env, name: string, rows: readonly Opened[]): Promise<[string, string][]> {
  const model = env.registry.models.get(name);
  if (!model || !mayAccessModel(env, model, 'read')) return [];
  const ids = rows.filter((row) => row.model === name).map((row) => Number(row.res_id));
  const found = await env.model(name).searchRead([['id', 'in', ids]], ['display_name']);
  return found.map((record) => [`${name},${record.id}`, String(record.display_name ?? '')]);
}
