import { didYouMean, fieldTypes, type Translate } from '@kontor/protocol';
import type { FieldSpec } from '../../fields/spec.ts';
import type { Field } from '../model.ts';
import { buildField } from './build-field.ts';
import type { Draft, Drafts, Said } from './draft.ts';
import type { FieldTable } from './path.ts';
import type { Problems } from './problems.ts';
import { resolveRelated } from './related.ts';
import { throughOf } from './through.ts';

/** Every field of every model; related ones last, since they take after their targets. */
export function buildFields(drafts: Drafts, problems: Problems, translate: Translate): FieldTable {
  const table = new Map<string, Map<string, Field>>();
  const hasUsers = drafts.has('core.user');
  for (const draft of drafts.values()) {
    const fields = new Map(systemFields(draft, hasUsers, translate).map((field) => [field.name, field]));
    for (const [name, said] of draft.fields) {
      const field = said.value.related === undefined ? buildPlain(drafts, draft, name, said, problems) : null;
      // Related fields keep their place in the order of declaration; resolveRelated fills it.
      fields.set(name, field ?? placeholder(draft.name, name, said));
    }
    table.set(draft.name, fields);
  }
  problems.throwIfAny();
  resolveRelated(drafts, table, problems);
  return table;
}

function buildPlain(
  drafts: Drafts,
  draft: Draft,
  name: string,
  { module, value: spec }: Said<FieldSpec>,
  problems: Problems,
): Field {
  const at = { module, model: draft.name, field: name };
  const compute = draft.computes.get(name)?.value ?? null;
  let through: Field['through'] = null;
  if (spec.relation !== undefined && !drafts.has(spec.relation)) {
    problems.add(at, `there is no model ${spec.relation}.${didYouMean(spec.relation, drafts.keys())}`);
  } else if (fieldTypes[spec.type].isLinks && (spec.computed !== true || spec.editable === true)) {
    const found = throughOf(drafts, draft.name, name, spec);
    if (typeof found === 'string') problems.add(at, found);
    else through = found;
  }
  return buildField({ name, model: draft.name, module, spec, compute, related: null, through });
}

function placeholder(model: string, name: string, { module, value: spec }: Said<FieldSpec>): Field {
  return buildField({ name, model, module, spec, compute: null, related: [], through: null });
}

const userModel = 'core.user';
/** Whose words these are. */
const ground = 'base';

/** The fields that every model has. */
function systemFields(
  { name: model, module }: Pick<Draft, 'name' | 'module'>,
  hasUsers: boolean,
  translate: Translate,
): Field[] {
  const user: FieldSpec = hasUsers
    ? { type: 'many2one', relation: userModel, readonly: true, copy: false, ondelete: 'set null' }
    : { type: 'integer', readonly: true, copy: false };
  const specs: Record<string, FieldSpec> = {
    id: { type: 'integer', label: translate('ID', ground), readonly: true, required: true, copy: false },
    create_date: { type: 'datetime', label: translate('Created on', ground), readonly: true, copy: false },
    create_uid: { ...user, label: translate('Created by', ground) },
    write_date: { type: 'datetime', label: translate('Changed on', ground), readonly: true, copy: false },
    write_uid: { ...user, label: translate('Changed by', ground) },
  };
  const fields = Object.entries(specs).map(([name, spec]) =>
    buildField({ name, model, module, spec: Object.freeze(spec), compute: null, related: null, through: null }),
  );
  return [...fields, displayNameField(model, module, translate)];
}

function displayNameField(model: string, module: string, translate: Translate): Field {
  const spec: FieldSpec = Object.freeze({
    type: 'char',
    label: translate('Name', ground),
    readonly: true,
    copy: false,
  });
  const field = buildField({ name: 'display_name', model, module, spec, compute: null, related: null, through: null });
  return Object.freeze({ ...field, isStored: false, column: null });
}
