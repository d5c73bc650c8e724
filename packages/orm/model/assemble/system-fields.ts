import type { FieldSpec } from '../../fields/spec.ts';
import type { Field } from '../model.ts';
import { buildField } from './build-field.ts';

const userModel = 'core.user';

/** The fields that every model has. */
export function systemFields(model: string, module: string, hasUsers: boolean): Field[] {
  const user: FieldSpec = hasUsers
    ? { type: 'many2one', relation: userModel, readonly: true, copy: false, ondelete: 'set null' }
    : { type: 'integer', readonly: true, copy: false };
  const specs: Record<string, FieldSpec> = {
    id: { type: 'integer', label: 'ID', readonly: true, required: true, copy: false },
    create_date: { type: 'datetime', label: 'Created on', readonly: true, copy: false },
    create_uid: { ...user, label: 'Created by' },
    write_date: { type: 'datetime', label: 'Changed on', readonly: true, copy: false },
    write_uid: { ...user, label: 'Changed by' },
  };
  const fields = Object.entries(specs).map(([name, spec]) =>
    buildField({ name, model, module, spec: Object.freeze(spec), compute: null, related: null, through: null }),
  );
  return [...fields, displayNameField(model, module)];
}

function displayNameField(model: string, module: string): Field {
  const spec: FieldSpec = Object.freeze({ type: 'char', label: 'Name', readonly: true, copy: false });
  const field = buildField({ name: 'display_name', model, module, spec, compute: null, related: null, through: null });
  return Object.freeze({ ...field, isStored: false, column: null });
}
