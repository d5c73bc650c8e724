import {
  type Domain,
  type DomainNode,
  fieldTypes,
  KontorError,
  modelHint,
  parseAuthoredDomain,
  type Translate,
} from '@kontor/protocol';
import { fieldKinds } from '../fields/kinds.ts';
import type { FieldSpec } from '../fields/spec.ts';
import type { ComputeSpec } from '../model/behaviour.ts';
import { expandSets } from '../model/expand-sets.ts';
import { frozenMap } from '../model/frozen-map.ts';
import { labelFromName } from '../model/label.ts';
import type { Field } from '../model/model.ts';
import type { Declared, Draft, Drafts } from './draft.ts';
import { type FieldTable, walkPath } from './path.ts';
import type { Problems } from './problems.ts';
import { valueAtEnd } from './sourced-fields.ts';
import { throughOf } from './through.ts';

/** Every field of every model. Related fields are built last: they copy attributes of their targets. */
export function buildFields(drafts: Drafts, problems: Problems, translate: Translate): FieldTable {
  const table = new Map<string, Map<string, Field>>();
  const hasUsers = drafts.has('core.user');
  for (const draft of drafts.values()) {
    const fields = new Map(systemFields(draft, hasUsers, translate).map((field) => [field.name, field]));
    for (const [name, declared] of draft.fields) {
      const field = declared.value.related === undefined ? buildPlain(drafts, draft, name, declared, problems) : null;
      // Related fields keep their place in the order of declaration; resolveRelated fills it.
      fields.set(name, field ?? placeholder(draft.name, name, declared));
    }
    table.set(draft.name, fields);
  }
  resolveRelated(drafts, table, problems);
  expandDomains(table);
  return table;
}

function buildPlain(
  drafts: Drafts,
  draft: Draft,
  name: string,
  { module, value: spec }: Declared<FieldSpec>,
  problems: Problems,
): Field {
  const at = { module, model: draft.name, field: name };
  const compute = draft.computes.get(name)?.value ?? null;
  let through: Field['through'] = null;
  if (spec.relation !== undefined && !drafts.has(spec.relation)) {
    problems.add(at, `there is no model ${spec.relation}.${modelHint(spec.relation, drafts.keys())}`);
  } else if (fieldTypes[spec.type].isLinks && (spec.computed !== true || spec.editable === true)) {
    const found = throughOf(drafts, draft.name, name, spec);
    if (typeof found === 'string') problems.add(at, found);
    else through = found;
  }
  return buildField({ name, model: draft.name, module, spec, compute, related: null, through });
}

function placeholder(model: string, name: string, { module, value: spec }: Declared<FieldSpec>): Field {
  return buildField({ name, model, module, spec, compute: null, related: [], through: null });
}

const userModel = 'core.user';
/** The module whose translations apply to the labels of these fields. */
const baseModule = 'base';

/** The fields of every model. A served model has no rows to write, so it has no fields for user and time of changes. */
function systemFields(
  { name: model, module, served }: Pick<Draft, 'name' | 'module' | 'served'>,
  hasUsers: boolean,
  translate: Translate,
): Field[] {
  const user: FieldSpec = hasUsers
    ? { type: 'many2one', relation: userModel, readonly: true, copy: false, ondelete: 'set null', key: false }
    : { type: 'integer', readonly: true, copy: false };
  const label = translate('ID', baseModule);
  const id: FieldSpec = { type: 'integer', label, readonly: true, required: true, copy: false };
  const stamps: Record<string, FieldSpec> = {
    create_date: { type: 'datetime', label: translate('Created on', baseModule), readonly: true, copy: false },
    create_uid: { ...user, label: translate('Created by', baseModule) },
    write_date: { type: 'datetime', label: translate('Changed on', baseModule), readonly: true, copy: false },
    write_uid: { ...user, label: translate('Changed by', baseModule) },
  };
  const specs = served ? { id } : { id, ...stamps };
  const fields = Object.entries(specs).map(([name, spec]) =>
    buildField({ name, model, module, spec: Object.freeze(spec), compute: null, related: null, through: null }),
  );
  return [...fields, displayNameField(model, module, translate)];
}

function displayNameField(model: string, module: string, translate: Translate): Field {
  const spec: FieldSpec = Object.freeze({
    type: 'char',
    label: translate('Name', baseModule),
    readonly: true,
    copy: false,
  });
  const field = buildField({ name: 'display_name', model, module, spec, compute: null, related: null, through: null });
  return Object.freeze({ ...field, isStored: false, column: null });
}

interface FieldParts {
  readonly name: string;
  readonly model: string;
  readonly module: string;
  readonly spec: FieldSpec;
  readonly compute: ComputeSpec | null;
  readonly related: readonly string[] | null;
  readonly through: Field['through'];
}

export function buildField({ name, model, module, spec: declared, compute, related, through }: FieldParts): Field {
  const isComputed = declared.computed === true || related !== null;
  const isEditable = isComputed && declared.editable === true && related === null;
  const isDerived = isComputed && !isEditable;
  const spec = withDefaults(declared, isComputed, isDerived);
  const kind = fieldKinds[spec.type];
  const isStored = !kind.isList && (!isDerived || spec.stored === true);
  return Object.freeze({
    name,
    model,
    module,
    spec,
    kind,
    label: spec.label ?? labelFromName(name),
    // A derived value is computed after the insert, so its column cannot be NOT NULL.
    required: spec.required === true && !isDerived,
    isReadonly: spec.readonly === true || isDerived,
    isStored,
    column: isStored ? name : null,
    compute: isEditable ? null : compute,
    isEditable,
    editableCompute: isEditable && compute !== null && 'value' in compute ? compute : null,
    related: related === null ? null : Object.freeze([...related]),
    selection: spec.selection === undefined ? null : frozenMap(Object.entries(spec.selection)),
    sets: frozenMap(Object.entries(spec.sets ?? {})),
    domain: treeOf(spec.domain),
    through: through === null ? null : Object.freeze(through),
  });
}

/** Null for an invalid domain: `checkField` reports it. */
function treeOf(domain: Domain | undefined): DomainNode | null {
  try {
    return domain === undefined ? null : parseAuthoredDomain(domain);
  } catch {
    return null;
  }
}

function withDefaults(spec: FieldSpec, isComputed: boolean, isDerived: boolean): FieldSpec {
  if (fieldTypes[spec.type].isBoolean && !isComputed && spec.default === undefined)
    return Object.freeze({ ...spec, default: false });
  if (fieldTypes[spec.type].isToOne && spec.ondelete === undefined) {
    return Object.freeze({ ...spec, ondelete: spec.required === true && !isDerived ? 'restrict' : 'set null' });
  }
  return spec;
}

type Table = Map<string, Map<string, Field>>;

/** Replaces names of sets in the domains of relations; `checkField` reports a wrong one. */
function expandDomains(table: Table): void {
  for (const fields of table.values()) {
    for (const [name, field] of fields) {
      const { domain, spec } = field;
      if (domain === null || spec.relation === undefined) continue;
      try {
        const expanded = expandSets(domain, (path) => fieldAt(table, spec.relation as string, path));
        if (expanded !== domain) fields.set(name, Object.freeze({ ...field, domain: expanded }));
      } catch (error) {
        if (!(error instanceof KontorError)) throw error;
      }
    }
  }
}

/** The field at the end of a path, if any. */
export function fieldAt(table: FieldTable, model: string, path: readonly string[]): Field | undefined {
  const walked = walkPath(table, model, path);
  return typeof walked === 'string' ? undefined : walked.at(-1);
}

/** Attributes that a related field copies from its target unless it declares them. Groups too: it must not show a field that is hidden from the reader. */
const inherited = ['relation', 'size', 'precision', 'models', 'groups', 'secret', 'help', 'key'] as const;

function resolveRelated(drafts: Drafts, table: Table, problems: Problems): void {
  const done = new Set<string>();
  const resolve = (model: string, name: string, chain: readonly string[]): void => {
    const key = `${model}.${name}`;
    const declared = drafts.get(model)?.fields.get(name);
    if (done.has(key) || declared?.value.related === undefined) return;
    const at = { module: declared.module, model, field: name };
    if (chain.includes(key)) {
      done.add(key);
      problems.add(at, `related fields go round in a circle: ${[...chain, key].join(' → ')}.`);
      return;
    }
    let current: string | undefined = model;
    const path = declared.value.related.split('.');
    for (const step of path.length < 2 ? [] : path) {
      if (current === undefined) break;
      resolve(current, step, [...chain, key]);
      current = table.get(current)?.get(step)?.spec.relation;
    }
    done.add(key);
    const built = buildRelated(table, model, name, declared.value);
    if (typeof built === 'string') problems.add(at, `related ${built}`);
    else table.get(model)?.set(name, buildField({ ...built, name, model, module: declared.module, through: null }));
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
  if (declared.length < 2) return `"${spec.related}" must go through a many2one, as in "partner_id.name".`;
  const walked = walkPath(table, model, declared);
  if (typeof walked === 'string') return walked;
  const target = walked.at(-1) as Field;
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
  const compute = spec.stored ? { depends: Object.freeze([path.join('.')]), value: valueAtEnd(path) } : null;
  const { selection, sets } = target.spec;
  return {
    spec: Object.freeze({ ...spec, ...taken, ...(selection ? { selection } : {}), ...(sets ? { sets } : {}) }),
    related: path,
    compute: compute && Object.freeze(compute),
  };
}

function isAggregate(field: Field): boolean {
  return field.compute !== null && !('value' in field.compute);
}
