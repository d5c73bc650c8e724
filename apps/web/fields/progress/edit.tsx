import type { FieldEditProps } from '../define-field.ts';
import { NumberEdit } from '../number/edit.tsx';

/** Typed in per cent, kept as a fraction. */
export function PercentageEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  return (
    <NumberEdit
      {...props}
      value={typeof value === 'number' ? exact(value * 100) : value}
      onChange={(next) => onChange(typeof next === 'number' ? exact(next / 100) : next)}
    />
  );
}

/** Without the crumbs of binary fractions. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
