import type { Kernel } from '@kontor/kernel';
import { type Env, type Model, mayAccessModel } from '@kontor/orm';
import {
  condition,
  conjoin,
  type DomainNode,
  disjoin,
  type FoundRecord,
  type FoundRecords,
  type WireRecord,
} from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { recentRecords } from '../day/recent.ts';
import { viewSources } from '../interface/find-view.ts';
import { interfaceIn } from '../interface/load-interface.ts';
import { viewArch } from '../payload/view-arch.ts';
import { hideArchived } from '../query/action-domain.ts';

/** The number of models that are searched at once, and of results per model. */
const maxModels = 16;
const maxPerModel = 5;
const maxText = 100;
/** Numbers match with any spacing, so more is read than is shown. */
const maxLoose = 40;
const maxRecent = 200;

/** Records of some models by name, number, e-mail, phone, city or customer; without a text, the recently opened ones. */
export async function findRecords(
  kernel: Kernel,
  { actor }: WorkspaceCaller,
  asked: { readonly text: string; readonly models: readonly string[] },
): Promise<FoundRecords> {
  const wanted = asked.text.trim().slice(0, maxText);
  const screens = await interfaceIn(kernel, actor.lang);
  return kernel.read(
    actor,
    async (env) => {
      if (wanted === '') return { found: {}, recent: await recentRecords(env) };
      const sources = viewSources(kernel, env, screens);
      const models = worthSearching(env, asked.models);
      const recent = await recentIds(env, models);
      const found = models.map(async (model) => {
        const known = knownBy(env, model, viewArch(env, sources, model.name, 'list').arch.search.fields);
        return [model.name, await findIn({ env, model, known, wanted, recent: recent.get(model.name) ?? [] })] as const;
      });
      return { found: Object.fromEntries(await Promise.all(found)), recent: [] };
    },
    { isOutside: true },
  );
}

/** The first one is on screen. Then come records that people discuss, and at last tags, stages and other settings. */
function worthSearching(env: Env, names: readonly string[]): readonly Model[] {
  const all = [...new Set(names)]
    .flatMap((name) => env.registry.models.get(name) ?? [])
    .filter((model) => mayAccessModel(env, model, 'read'));
  const [first, ...others] = all;
  const discussed = others.filter(({ chatter }) => chatter !== null);
  const settings = others.filter(({ chatter }) => chatter === null);
  return [...(first ? [first] : []), ...discussed, ...settings].slice(0, maxModels);
}

/**
 * The searched fields of a model: the texts in its search view, and the names of what its records are about, such as the customer
 * of an order. Those are records that people discuss: a stage or a colleague would find everything at once.
 */
function knownBy(env: Env, model: Model, searched: readonly { readonly name: string }[]): readonly string[] {
  return searched.flatMap(({ name }) => {
    const field = model.fields.get(name);
    if (!field || name === 'display_name') return [];
    if (field.kind.isText) return [name];
    const related = field.kind.isToOne ? env.registry.models.get(field.spec.relation ?? '') : undefined;
    return related?.chatter && mayAccessModel(env, related, 'read') ? [`${name}.display_name`] : [];
  });
}

interface Search {
  readonly env: Env;
  readonly model: Model;
  readonly known: readonly string[];
  readonly wanted: string;
  /** Records that the user opened recently. */
  readonly recent: readonly number[];
}

async function findIn({ env, model, known, wanted, recent }: Search): Promise<readonly FoundRecord[]> {
  const digits = phoneDigits(wanted);
  const matches = hideArchived(model, matchNode(known, wanted, digits));
  const limit = digits ? maxLoose : maxPerModel;
  const read = (node: DomainNode) =>
    env.model(model.name).searchRead(node, ['display_name', ...known], { limit }) as Promise<readonly WireRecord[]>;
  const opened = recent.length > 0 ? await read(conjoin(matches, condition('id', 'in', recent))) : [];
  const byRecency = [...opened].sort((a, b) => recent.indexOf(a.id) - recent.indexOf(b.id));
  const seen = new Set(byRecency.map(({ id }) => id));
  const others = byRecency.length < maxPerModel ? await read(matches) : [];
  return [...byRecency, ...others.filter(({ id }) => !seen.has(id))]
    .flatMap((record) => toFound(record, known, wanted, digits))
    .slice(0, maxPerModel);
}

function matchNode(known: readonly string[], wanted: string, digits: string | null): DomainNode {
  const names = ['display_name', ...known];
  const texts = known.filter((name) => !name.includes('.'));
  const spaced = digits ? texts.map((name) => condition(name, '=ilike', `%${[...digits].join('%')}%`)) : [];
  return disjoin(...names.map((name) => condition(name, 'ilike', wanted)), ...spaced);
}

/** A phone number is typed and stored with any spaces, brackets and prefix: its last digits identify it. */
function phoneDigits(wanted: string): string | null {
  if (!/^\+?[\d\s()/.-]+$/.test(wanted)) return null;
  const digits = wanted.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= 4 ? digits : null;
}

function toFound(
  record: WireRecord,
  known: readonly string[],
  wanted: string,
  digits: string | null,
): readonly FoundRecord[] {
  const name = String(record.display_name ?? '');
  const has = (value: string) =>
    value.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()) ||
    (digits !== null && value.replaceAll(/\D/g, '').includes(digits));
  const by = has(name) ? undefined : known.map((field) => String(record[field] ?? '')).find(has);
  if (digits !== null && by === undefined && !has(name)) return [];
  return [{ id: record.id, name, ...(by === undefined ? {} : { by }) }];
}

/** Which records of these models the user opened, the last first. */
async function recentIds(env: Env, models: readonly Model[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await env
    .sudo()
    .model('sys.recent')
    .searchRead(
      [
        ['user_id', '=', env.uid],
        ['model', 'in', models.map(({ name }) => name)],
      ],
      ['model', 'res_id'],
      { order: '-seen_at', limit: maxRecent },
    );
  const byModel = new Map<string, number[]>();
  for (const { model, res_id: id } of rows) {
    const known = byModel.get(String(model));
    if (known) known.push(Number(id));
    else byModel.set(String(model), [Number(id)]);
  }
  return byModel;
}
