import type { ArchField, FieldNode } from '@kontor/protocol';

export interface GridProps {
  readonly id: string;
  readonly node: FieldNode;
  readonly field: ArchField;
  readonly label: string;
  readonly isReadonly: boolean;
  readonly isInvalid: boolean;
}
