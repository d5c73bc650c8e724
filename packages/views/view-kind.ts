import { type ViewType, viewTypes } from '@kontor/protocol';

/** What a stored view can be: a type of the client's, or the search that all of them share. */
export type ViewKind = ViewType | 'search';
export const viewKinds: readonly ViewKind[] = [...viewTypes, 'search'];

export function isViewKind(name: string): name is ViewKind {
  return (viewKinds as readonly string[]).includes(name);
}
