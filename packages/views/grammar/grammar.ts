import { aggregateTags } from './aggregates.ts';
import { formTags } from './form.ts';
import { inheritTags } from './inherit.ts';
import { kanbanTags } from './kanban.ts';
import { listTags } from './list.ts';
import { navigationTags } from './navigation.ts';
import { planningTags } from './planning.ts';
import { searchTags } from './search.ts';
import type { TagSpec, TagSpecs } from './tag-spec.ts';

/** Every tag of views, actions, menus and inherits, by kind: the one description that checks, arch and docs follow. */
export const grammar: TagSpecs = {
  ...listTags,
  ...formTags,
  ...kanbanTags,
  ...aggregateTags,
  ...planningTags,
  ...searchTags,
  ...navigationTags,
  ...inheritTags,
};

export function tagSpec(kind: string): TagSpec {
  const spec = grammar[kind];
  if (!spec) throw new Error(`The grammar has no kind "${kind}".`);
  return spec;
}

/** The kind that a tag is inside another; null where it may not stand there. */
export function childKind(parent: TagSpec, tag: string): string | null {
  if (parent.children === 'any') return null;
  return Object.keys(parent.children).find((kind) => tagSpec(kind).tag === tag) ?? null;
}

/** The tags that may stand inside. */
export function childTags(parent: TagSpec): readonly string[] {
  return parent.children === 'any' ? [] : Object.keys(parent.children).map((kind) => tagSpec(kind).tag);
}
