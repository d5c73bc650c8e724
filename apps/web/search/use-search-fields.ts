import type { ArchField, DomainNode, WorkspacePayload } from '@kontor/protocol';
import { useMemo } from 'react';
import { mergeFields, useModelFields } from '../data/model-fields.ts';

/** The fields that conditions speak of: those of the view, and others of the model once a condition or the editor needs them. */
export function useSearchFields(
  { arch, model }: WorkspacePayload,
  nodes: readonly DomainNode[],
  isEditing: boolean,
): readonly ArchField[] {
  const isStrange = nodes.some((node) => namesOf(node).some((name) => !arch.fields.some((one) => one.name === name)));
  const more = useModelFields(model, isEditing || isStrange);
  return useMemo(() => mergeFields(arch.fields, more), [arch.fields, more]);
}

function namesOf(node: DomainNode): readonly string[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(namesOf);
    case 'not':
      return namesOf(node.node);
    case 'condition':
      return node.path.slice(0, 1);
    default:
      return [];
  }
}
