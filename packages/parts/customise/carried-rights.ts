import { type CarriedNames, type CustomDocument, customModule, type Kernel, namesInAddon } from '@kontor/kernel';
import type { Actor, Env, Model } from '@kontor/orm';
import { mayAccessModel } from '@kontor/orm';
import { ownRecords, recordText } from './carried-records.ts';

/**
 * Access rights and record rules that administrators made leave with the customisation as data of its addon. Whoever installs the folder gives them;
 * an import in the browser leaves them out, since nobody should give rights by taking a file.
 */
export interface CarriedRights {
  readonly text: (document: CustomDocument, addon: string) => string | null;
  readonly modules: readonly string[];
  /** Names of rights that cannot leave. */
  readonly left: readonly string[];
}

export const rightsFile = 'data/30-rights.xml';

const operations = ['perm_read', 'perm_write', 'perm_create', 'perm_unlink'] as const;

interface Right {
  readonly model: 'sys.access' | 'sys.rule';
  readonly values: Readonly<Record<string, unknown>>;
  readonly of: string;
  readonly groups: readonly string[];
  readonly domain?: unknown;
}

/** Those that the person may read: administrators alone read any. */
export function carriedRights(kernel: Kernel, actor: Actor): Promise<CarriedRights> {
  return kernel.read(actor, async (env) => {
    const left: string[] = [];
    const rights = [...(await rightsOf(env, 'sys.access', left)), ...(await rightsOf(env, 'sys.rule', left))];
    const modules = new Set(rights.flatMap((right) => modulesOf(env, right)));
    return {
      text: (document, addon) => (rights.length === 0 ? null : rightsText(rights, namesInAddon(document, addon))),
      modules: [...modules].filter((module) => module !== customModule && kernel.loaded.definitions.has(module)),
      left,
    };
  });
}

async function rightsOf(env: Env, model: Right['model'], left: string[]): Promise<Right[]> {
  if (!mayAccessModel(env, env.registry.model(model), 'read')) return [];
  const isRule = model === 'sys.rule';
  const own = (await ownRecords(env, model)).map(({ id }) => id);
  const names = ['name', 'model', ...operations, ...(isRule ? ['domain', 'group_ids', 'active'] : ['group_id'])];
  const rows = await env.model(model).read(own, names);
  const keys = await groupKeys(env);
  return rows.flatMap((row): Right[] => {
    const ids = (isRule ? row.group_ids : row.group_id === null ? [] : [row.group_id]) as readonly number[];
    const groups = ids.flatMap((id) => keys.get(id) ?? []);
    const of = String(row.model);
    const known = env.registry.models.get(of);
    if (groups.length < ids.length || !known || namesRecords(env, known, row.domain)) {
      left.push(String(row.name));
      return [];
    }
    const values = Object.fromEntries(operations.map((operation) => [operation, row[operation] === true]));
    const more = isRule && { active: row.active === true };
    return [{ model, of, groups, domain: row.domain, values: { name: row.name, ...values, ...more } }];
  });
}

/** The external ids of groups that came with an addon. */
async function groupKeys(env: Env): Promise<ReadonlyMap<number, string>> {
  const rows = await env
    .sudo()
    .model('sys.model.data')
    .searchRead(
      [
        ['model', '=', 'core.group'],
        ['module', '!=', customModule],
      ],
      ['module', 'name', 'res_id'],
    );
  return new Map(rows.map(({ module, name, res_id }) => [res_id as number, `${module}.${name}`]));
}

/** Whether a domain compares with records that exist in this database alone. */
function namesRecords(env: Env, model: Model, domain: unknown): boolean {
  if (!Array.isArray(domain)) return false;
  const [path, , value] = domain as readonly unknown[];
  if (domain.length !== 3 || typeof path !== 'string' || Array.isArray(domain[1]))
    return domain.some((part) => namesRecords(env, model, part));
  const isLocal = (given: unknown): boolean =>
    typeof given === 'number' || (Array.isArray(given) && given.some(isLocal));
  return isLocal(value) && isLink(env, model, path.split('.'));
}

function isLink(env: Env, model: Model, [name = '', ...rest]: readonly string[]): boolean {
  const relation = model.fields.get(name)?.spec.relation;
  if (rest.length === 0) return name === 'id' || relation !== undefined;
  const next = env.registry.models.get(relation ?? '');
  return next !== undefined && isLink(env, next, rest);
}

/** The modules that own the model, the fields and the groups of a right. */
function modulesOf(env: Env, { of, groups, domain }: Right): readonly string[] {
  const model = env.registry.model(of);
  const named = JSON.stringify(domain ?? null).matchAll(/"([a-z][a-z0-9_]*)[."]/g);
  const fields = [...named].flatMap(([, name]) => model.fields.get(name ?? '')?.module ?? []);
  return [model.module, ...fields, ...groups.map((group) => group.split('.')[0] as string)];
}

function rightsText(rights: readonly Right[], names: CarriedNames): string {
  const parts = rights.map(({ model, of, groups, domain, values }, at) =>
    recordText(
      `right_${at + 1}`,
      model,
      { ...values, model: names.model(of), ...(domain !== undefined && { domain: names.domain(domain) }) },
      groups.length > 0 ? { [model === 'sys.rule' ? 'group_ids' : 'group_id']: groups } : {},
    ),
  );
  return `<data noupdate="1">\n${parts.join('')}</data>\n`;
}
