import { type Draft, type DraftNode, valueAt } from './draft.ts';

/**
 * Authors may rely on required fields, and their types say so, but a form is filled in step by step. What fails for want
 * of a required value has no result yet; every other failure is a mistake and stays one.
 */
export function orNothing<T>(draft: Draft, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isAboutNothing(error) && isIncomplete(draft)) return null;
    throw error;
  }
}

function isAboutNothing(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message.startsWith('[big.js]'));
}

function isIncomplete(draft: Draft): boolean {
  return draftNodes(draft.root).some((node) =>
    [...node.model.fields.values()].some((field) => {
      if (!field.required || (node.id !== 0 && !node.given.has(field.name))) return false;
      const value = valueAt(draft, node, field) ?? null;
      return value === null || value === '';
    }),
  );
}

function draftNodes(root: DraftNode): readonly DraftNode[] {
  const lines = [...root.edits.values()].flatMap((edits) => edits.flatMap((edit) => edit.line ?? []));
  return [root, ...lines.flatMap(draftNodes)];
}
