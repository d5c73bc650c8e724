import { BooleanEdit } from '../boolean/edit.tsx';
import { CharEdit } from '../char/edit.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { Many2oneEdit } from '../many2one/edit.tsx';
import { IntegerEdit } from '../number/edit.tsx';
import { SelectionEdit } from '../selection/edit.tsx';

const editors = {
  selection: SelectionEdit,
  char: CharEdit,
  many2one: Many2oneEdit,
  boolean: BooleanEdit,
  integer: IntegerEdit,
} as const;

/** A badge is a way to look at a value; it is edited as its type is. */
export function BadgeEdit(props: FieldEditProps) {
  const Edit = editors[props.field.type as keyof typeof editors] ?? CharEdit;
  return <Edit {...props} />;
}
