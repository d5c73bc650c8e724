import { charKind } from './char.ts';
import type { FieldKind } from './kind.ts';

/** A long text of any number of lines. */
export const textKind: FieldKind = { ...charKind };
