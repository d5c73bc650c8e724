import type { FieldSpec } from '../../fields/spec.ts';
import type { ComputeSpec, LoadedRecord } from '../behaviour.ts';
import type { Field } from '../model.ts';
import { buildField } from './build-field.ts';
import type { Drafts } from './draft.ts';
import { walkPath } from './path.ts';
import type { Problems } from './problems.ts';

type Table = Map<string, Map<string, Field>>;

/** What a related field takes from its target where it says nothing itself. Groups too: it must not open a closed field. */
const inherited = ['relation', 'size', 'precision', 'models', 'groups', 'secret', 'help'] as const;

export function resolveRelated(drafts: Drafts, table: Table, problems: Problems): void {
  const done = new Set<string>();
  const resolve = (model: string, name: string, chain: readonly string[]): void => {
    const key = `${model}.${name}`;
    const said = drafts.get(model)?.fields.get(name);
    if (done.has(key) || said?.value.related === undefined) return;
    const at = { module: said.module, model, field: name };
    if (chain.includes(key)) {
      done.add(key);
      problems.add(at, `related fields go round in a circle: ${[...chain, key].join(' → ')}.`);
      return;
    }
    let current: string | undefined = model;
    for (const step of said.value.related.split('.')) {
      if (current === undefined) break;
      resolve(current, step, [...chain, key]);
      current = table.get(current)?.get(step)?.spec.relation;
    }
    done.add(key);
    const built = buildRelated(table, model, name, said.value);
    if (typeof built === 'string') problems.add(at, `related ${built}`);
    else table.get(model)?.set(name, buildField({ ...built, name, model, module: said.module, through: null }));
  };
  for (const draft of drafts.values()) {
    for (const name of draft.fields.keys()) resolve(draft.name, name, []);
  }
}

function buildRelated(
  table: Table,
  model: string,
  name: string,
  spec: FieldSpec,
): { spec: FieldSpec; related: readonly string[]; compute: ComputeSpec | null } | string {
  const declared = (spec.related as string).split('.');
  const walked = walkPath(table, model, declared);
  if (typeof walked === 'string') return walked;
  const target = walked.at(-1) as Field;
  if (declared.length < 2) return `"${spec.related}" must go through a many2one, as in "partner_id.name".`;
  const many = walked.find((field) => field.kind.isList);
  if (many !== undefined) return `"${spec.related}": "${many.name}" has many values; only many2ones can be followed.`;
  if (target.spec.type !== spec.type) {
    return `"${spec.related}" is of type ${target.spec.type}, not ${spec.type}.`;
  }
  if (spec.relation !== undefined && spec.relation !== target.spec.relation) {
    return `"${spec.related}" points at ${target.spec.relation}, not at ${spec.relation}.`;
  }
  const valueless = walked.find(
    (field) => !field.isStored && field.related === null && field.name !== 'display_name' && !isAggregate(field),
  );
  if (valueless !== undefined) return `"${spec.related}": "${valueless.name}" is computed and not stored.`;
  if (spec.default !== undefined || spec.computed) return `"${name}" cannot have a default or a compute of its own.`;
  const path = walked.flatMap((field) => (field.isStored || field.related === null ? [field.name] : field.related));
  const taken = Object.fromEntries(
    inherited
      .filter((key) => spec[key] === undefined && target.spec[key] !== undefined)
      .map((key) => [key, target.spec[key]]),
  );
  const compute = spec.stored ? { depends: Object.freeze([path.join('.')]), value: follow(path) } : null;
  const selection = target.spec.selection === undefined ? {} : { selection: target.spec.selection };
  return {
    spec: Object.freeze({ ...spec, ...taken, ...selection }),
    related: path,
    compute: compute && Object.freeze(compute),
  };
}

function isAggregate(field: Field): boolean {
  return field.compute !== null && !('value' in field.compute);
}

/** The value at the end of the path; a many2one gives its id. */
function follow(path: readonly string[]): (record: LoadedRecord) => unknown {
  return (record) => {
    let value: unknown = record;
    for (const name of path) {
      if (value === null || value === undefined) return null;
      value = (value as LoadedRecord)[name];
    }
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
  };
}
