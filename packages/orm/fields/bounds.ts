import { text } from '@kontor/protocol';
import type { Field } from '../model/model.ts';
import { BadValue } from './kind.ts';

/** Least and greatest value of a number, as its author declared them. */
export function checkBounds(
  field: Field,
  isBelow: (bound: number) => boolean,
  isAbove: (bound: number) => boolean,
): void {
  const { min, max } = field.spec;
  if (min !== undefined && isBelow(min)) throw new BadValue(text('At least {min}.', { min }));
  if (max !== undefined && isAbove(max)) throw new BadValue(text('At most {max}.', { max }));
}
