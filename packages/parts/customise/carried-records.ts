import {
  type CarriedRecords,
  type CarriedValues,
  type CustomDocument,
  canonicalJson,
  type Kernel,
  namesInAddon,
} from '@kontor/kernel';
import { type Actor, type Env, typedEnv } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';

/** A record that leaves the database with its customisation. */
export interface CarriedRecord {
  readonly model: string;
  readonly values: CarriedValues;
}

export interface Carried {
  readonly records: readonly CarriedRecord[];
  /** The modules that own what they name. */
  readonly modules: readonly string[];
  /** Names of records that cannot leave. */
  readonly left: readonly string[];
}

function specsOf({ loaded }: Pick<Kernel, 'loaded'>): readonly CarriedRecords[] {
  return [...loaded.definitions.values()].flatMap(({ carries }) => carries);
}

/** The records that somebody may read and that came with no addon, in the order in which they were made. */
export function carriedRecords(kernel: Kernel, actor: Actor): Promise<Carried> {
  return kernel.read(actor, async (env) => {
    const records: CarriedRecord[] = [];
    const modules = new Set<string>();
    const left: string[] = [];
    for (const { model, leave } of specsOf(kernel)) {
      for (const { id, display_name } of await ownRecords(env, model)) {
        const found = await leave({ env: typedEnv(env), id });
        if (!found) {
          left.push(String(display_name));
          continue;
        }
        records.push({ model, values: found.values });
        for (const module of [env.registry.model(model).module, ...found.modules]) modules.add(module);
      }
    }
    return { records, modules: [...modules], left };
  });
}

/** The records of a model that came with no addon. */
export async function ownRecords(env: Env, model: string) {
  const shipped = await env
    .sudo()
    .model('sys.model.data')
    .searchRead([['model', '=', model]], ['res_id']);
  const ids = shipped.map(({ res_id }) => res_id as number);
  return env.model(model).searchRead([['id', 'not in', ids]], ['display_name'], { order: 'id' });
}

export const recordsFile = 'data/20-records.xml';

/** The records as a data file of the addon. They can be changed there, so an upgrade of it leaves them as they are. */
export function recordsText(
  kernel: Pick<Kernel, 'loaded'>,
  document: CustomDocument,
  addon: string,
  records: readonly CarriedRecord[],
): string {
  const names = namesInAddon(document, addon);
  const rename = new Map(specsOf(kernel).map((spec) => [spec.model, spec.rename]));
  const parts = records.map(({ model, values }, at) => {
    const renamed = rename.get(model)?.(values, names) ?? values;
    return recordText(`${model.replaceAll('.', '_')}_${at + 1}`, model, renamed);
  });
  return `<data noupdate="1">\n${parts.join('')}</data>\n`;
}

/** A record of a data file: its values, and the external ids that its links name. */
export function recordText(
  id: string,
  model: string,
  values: CarriedValues,
  links: Readonly<Record<string, readonly string[]>> = {},
): string {
  const fields = [
    ...Object.entries(values).map(([name, value]) => `name="${name}" eval="${escaped(JSON.stringify(value))}"`),
    ...Object.entries(links).map(([name, ids]) => `name="${name}" refs="${ids.join(',')}"`),
  ];
  const lines = fields.map((field) => `    <field ${field}/>\n`);
  return `  <record id="${id}" model="${model}">\n${lines.join('')}  </record>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const mostRecords = 500;

/** The records in the source of an exported addon. */
export function readCarried(kernel: Pick<Kernel, 'loaded'>, given: unknown): readonly CarriedRecord[] | null {
  if (given === undefined) return [];
  if (!Array.isArray(given) || given.length > mostRecords) return null;
  const specs = new Map(specsOf(kernel).map((spec) => [spec.model, spec]));
  const isRecord = ({ model, values }: Partial<CarriedRecord>) => {
    const known = specs.get(model ?? '')?.fields;
    return (
      typeof values === 'object' &&
      values !== null &&
      Object.keys(values).every((name) => known?.includes(name) ?? false)
    );
  };
  return given.every((each) => typeof each === 'object' && each !== null && isRecord(each))
    ? (given as readonly CarriedRecord[])
    : null;
}

/**
 * Makes the records that are not there yet, in the name of the person who imports them; returns how many, and how many need models or fields that
 * are not published yet.
 */
export async function makeCarried(
  kernel: Kernel,
  actor: Actor,
  records: readonly CarriedRecord[],
): Promise<{ readonly made: number; readonly waiting: number }> {
  const { records: there } = await carriedRecords(kernel, actor);
  const known = new Set(there.map((each) => canonicalJson(each)));
  const missing = records.filter((each) => !known.has(canonicalJson(each)));
  let made = 0;
  for (const { model, values } of missing) {
    try {
      await kernel.transact(actor, (env) => env.model(model).create(values), { isOutside: true });
      made++;
    } catch (error) {
      if (!(error instanceof KontorError) || error.code !== 'VALIDATION_ERROR') throw error;
    }
  }
  return { made, waiting: missing.length - made };
}
