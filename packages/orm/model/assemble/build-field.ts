import { type Domain, type DomainNode, fieldTypes, parseDomain } from '@kontor/protocol';
import { fieldKinds } from '../../fields/kinds.ts';
import type { FieldSpec } from '../../fields/spec.ts';
import type { ComputeSpec } from '../behaviour.ts';
import { frozenMap } from '../frozen-map.ts';
import { labelFromName } from '../label.ts';
import type { Field } from '../model.ts';

export interface FieldParts {
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
    // A derived value is worked out after the insert, so its column cannot demand one.
    required: spec.required === true && !isDerived,
    isReadonly: spec.readonly === true || isDerived,
    isStored,
    column: isStored ? name : null,
    compute: isEditable ? null : compute,
    isEditable,
    editableCompute: isEditable && compute !== null && 'value' in compute ? compute : null,
    related: related === null ? null : Object.freeze([...related]),
    selection: spec.selection === undefined ? null : frozenMap(Object.entries(spec.selection)),
    domain: treeOf(spec.domain),
    through: through === null ? null : Object.freeze(through),
  });
}

/** What is no domain is refused when the field is checked. */
function treeOf(domain: Domain | undefined): DomainNode | null {
  try {
    return domain === undefined ? null : parseDomain(domain);
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
