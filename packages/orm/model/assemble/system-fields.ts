import type { Translate } from '@kontor/protocol';
import type { FieldSpec } from '../../fields/spec.ts';
import type { Field } from '../model.ts';
import { buildField } from './build-field.ts';
import type { Draft } from './draft.ts';

const userModel = 'core.user';
/** Whose words these are. */
const ground = 'base';

/** The fields that every model has. */
export function systemFields(
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
