import type { Projection, Registry } from '@kontor/orm';
import type { Arch } from '@kontor/protocol';
import type { ViewKind } from '../view-kind.ts';
import type { ViewNode } from '../view-node.ts';
import type { Viewer } from './viewer.ts';

export interface ArchInput {
  /** A composed or generated view of one of the nine types. */
  readonly view: ViewNode;
  /** The composed or generated search view of the same model. */
  readonly search: ViewNode | null;
  readonly registry: Registry;
  readonly viewer: Viewer;
  /** Views for the lines of x2many fields that have none inline; generated ones when it gives none. */
  readonly viewFor?: (model: string, type: ViewKind) => ViewNode | null;
}

export interface ArchOutput {
  /** Without data: kanban columns, rows of graph, pivot and cohort, saved searches and the range of calendar and gantt are empty. */
  readonly arch: Arch;
  /** What the records need, in one read. */
  readonly projection: Projection;
  /** What the view itself says of the query; the action and the caller go first. */
  readonly query: {
    readonly order: string | null;
    readonly limit: number | null;
    /** Groups of a list that the view opens with, with granularity. */
    readonly groupBy: readonly string[];
  };
}

/** What the client draws a view from, for one person: whatever they may not see is left out. */
export function toArch(_input: ArchInput): ArchOutput {
  throw new Error('Under construction.');
}
