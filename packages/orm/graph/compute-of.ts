import { dateIn, KontorError, ValidationError } from '@kontor/protocol';
import { Decimal, parseDecimal } from '../fields/decimal.ts';
import { BadValue } from '../fields/kind.ts';
import type { ComputeByAggregate, ComputeByValue, ComputeContext, LoadedRecord } from '../model/behaviour.ts';
import { aggregateOf, isAggregate } from '../model/depends.ts';
import type { DisplayNamePart, Env, Field, Model } from '../model/model.ts';

/** A compute in its general form: what it reads, and a pure function of that. */
export type Compute = Pick<ComputeByValue, 'depends' | 'value' | 'changes'>;

const computes = new WeakMap<Field, Compute | null>();

/** Declared computes, aggregates, related fields and display names, all as functions of a loaded record. */
export function computeOf(model: Model, field: Field): Compute | null {
  let compute = computes.get(field);
  if (compute === undefined) {
    compute = makeCompute(model, field);
    computes.set(field, compute);
  }
  return compute;
}

function makeCompute(model: Model, field: Field): Compute | null {
  if (field.related) return { depends: [field.related.join('.')], value: followOne(field.related) };
  if (field.compute) return isAggregate(field.compute) ? aggregateInMemory(field.compute) : field.compute;
  return field.name === 'display_name' ? displayNameInMemory(model) : null;
}

/** Whether a compute runs in server code; declared aggregates run in the database. */
export function isByValue(field: Field): boolean {
  return field.compute === null || !isAggregate(field.compute);
}

function aggregateInMemory(compute: ComputeByAggregate): Compute {
  const { measure, path } = aggregateOf(compute);
  return {
    depends: [path],
    value(record) {
      const found = followAll(record, path.split('.')).filter((value) => value !== null && value !== undefined);
      switch (measure) {
        case 'count':
          return found.length;
        case 'sum':
          return sum(found);
        default:
          return extreme(found, measure === 'min' ? -1 : 1);
      }
    },
  };
}

/** Floats are added as floats; everything else exactly. */
function sum(values: readonly unknown[]): unknown {
  if (values.every((value) => typeof value === 'number')) return values.reduce((total, value) => total + value, 0);
  return values.reduce<Decimal>((total, value) => total.plus(parseDecimal(value)), new Decimal(0));
}

function extreme(values: readonly unknown[], sign: number): unknown {
  return values.reduce<unknown>(
    (best, value) => (best === null || compare(value, best) * sign > 0 ? value : best),
    null,
  );
}

function compare(a: unknown, b: unknown): number {
  if (a instanceof Decimal && b instanceof Decimal) return a.cmp(b);
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return Number(a) - Number(b);
}

function displayNameInMemory(model: Model): Compute {
  const paths = model.displayName.filter(isPath).map((part) => part.path);
  return {
    depends: paths.map((path) => path.join('.')),
    value: (record) => model.displayName.map((part) => partText(record, part)).join(''),
  };
}

function isPath(part: DisplayNamePart): part is { readonly path: readonly string[] } {
  return 'path' in part;
}

function partText(record: LoadedRecord, part: DisplayNamePart): string {
  if (!isPath(part)) return part.text;
  const value = followOne(part.path)(record);
  return value === null || value === undefined ? '' : String(value);
}

function followOne(path: readonly string[]): (record: LoadedRecord) => unknown {
  return (record) => {
    let value: unknown = record;
    for (const name of path) {
      if (value === null || value === undefined) return null;
      value = (value as LoadedRecord)[name];
    }
    return value;
  };
}

/** Every value at the end of a path, through lines of lines. */
function followAll(record: LoadedRecord, path: readonly string[]): readonly unknown[] {
  let values: readonly unknown[] = [record];
  for (const name of path) {
    values = values.flatMap((value) => (value === null || value === undefined ? [] : (value as LoadedRecord)[name]));
  }
  return values;
}

const contexts = new WeakMap<Env, ComputeContext>();

/** The context of computes, the same for all that run in an env. */
export function computeContext(env: Env): ComputeContext {
  let context = contexts.get(env);
  if (!context) {
    context = makeContext(env);
    contexts.set(env, context);
  }
  return context;
}

function makeContext({ uid, actor, now, registry }: Env): ComputeContext {
  return {
    user: uid > 0 ? { id: uid } : null,
    company: actor.companyId === null ? null : { id: actor.companyId },
    now: now.toISOString(),
    today: dateIn(actor.tz, now),
    tz: actor.tz,
    changed: () => true,
    isNew: false,
    registry,
  };
}

/** Runs a compute. An unexpected failure names the compute. */
export function runCompute(field: Field, { value }: Compute, record: LoadedRecord, context: ComputeContext): unknown {
  try {
    return value(record, context);
  } catch (error) {
    if (error instanceof KontorError) throw error;
    const told = error instanceof Error ? error.message : String(error);
    const name = `The compute of ${field.model}.${field.name}`;
    // An undeclared read is already reported under its name.
    if (told.startsWith(name)) throw error;
    throw new Error(`${name} failed: ${told}`, { cause: error });
  }
}

/** The result of a compute or a handler as a value of the field: records become ids, amounts are rounded to the column. */
export function castResult(field: Field, result: unknown): unknown {
  try {
    const given = result === undefined || result === null ? null : field.kind.fromResult(result);
    return field.kind.cast(given, field);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ValidationError({ [field.name]: [error.message] });
  }
}

/** The day in the time zone of each company; records without one have the day of the first. */
export async function companyDays(env: Env): Promise<(companyId: unknown) => string> {
  const isKnown = env.registry.models.get('core.company')?.fields.has('tz') === true;
  const rows = isKnown ? await env.sudo().model('core.company').searchRead([], ['tz'], { order: 'id' }) : [];
  const zones = new Map(rows.map(({ id, tz }) => [id as unknown, String(tz)]));
  const [first] = rows;
  return (companyId) => dateIn(zones.get(companyId) ?? String(first?.tz ?? 'UTC'), env.now);
}

/** The context of a stored value. It depends on today only if its compute declares when it changes. */
export function storedContext(
  context: ComputeContext,
  field: Field,
  { changes }: Compute,
  today: string,
): ComputeContext {
  return changes === 'daily' ? { ...context, today } : new StoredContext(context, field);
}

/** A class, because an object with its own getter is slow to create, and this is created for every stored compute that runs. */
class StoredContext implements ComputeContext {
  readonly user: ComputeContext['user'];
  readonly company: ComputeContext['company'];
  readonly now: string;
  readonly tz: string;
  readonly changed: ComputeContext['changed'];
  readonly isNew: boolean;
  readonly registry: ComputeContext['registry'];
  readonly #field: Field;

  constructor({ user, company, now, tz, changed, isNew, registry }: ComputeContext, field: Field) {
    this.user = user;
    this.company = company;
    this.now = now;
    this.tz = tz;
    this.changed = changed;
    this.isNew = isNew;
    this.registry = registry;
    this.#field = field;
  }

  get today(): string {
    throw new Error(
      `The compute of ${this.#field.model}.${this.#field.name} asks for today, but the value is stored: say changes: 'daily', or do not store it.`,
    );
  }
}
