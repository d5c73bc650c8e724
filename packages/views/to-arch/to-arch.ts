import { customisable, type Field, isCopyable, type Registry, timelineEntries } from '@kontor/orm';
import {
  type Arch,
  conjoin,
  type DomainNode,
  inEnglish,
  type Projection,
  type SearchArch,
  type SearchFilter,
  serializeDomain,
  type Translate,
  type ViewType,
} from '@kontor/protocol';
import { generateView } from '../generate/generate-view.ts';
import type { ViewKind, ViewNode } from '../view-node.ts';
import { cohortArch, graphArch, pivotArch } from './aggregate-arch.ts';
import { archFields } from './arch-fields.ts';
import {
  type ArchScope,
  addField,
  isForViewer,
  needValue,
  noPaths,
  readableField,
  readablePath,
  toProjection,
  withoutPaths,
} from './arch-scope.ts';
import { buttonNode } from './button-node.ts';
import { isReadable } from './conditions.ts';
import { fieldNodes } from './field-node.ts';
import { bodyNodes, formArch } from './form-arch.ts';
import { kanbanArch } from './kanban-arch.ts';
import { listArch } from './list-arch.ts';
import { moveButtons, otherMoves, statesArch } from './moves-arch.ts';
import { calendarArch, ganttArch, mapArch } from './planning-arch.ts';
import { valuesOf } from './values-of.ts';
import type { Viewer } from './viewer.ts';

export interface ArchInput {
  /** A composed or generated view of one of the nine kinds. */
  readonly view: ViewNode;
  /** The composed search view of the same model; a generated one when null. */
  readonly search: ViewNode | null;
  readonly registry: Registry;
  readonly viewer: Viewer;
  /** The viewer's language, for words that neither views nor models have; the labels of both are in it already. */
  readonly translate?: Translate;
  /** Views for the lines of x2many fields without an inline view; default: generated ones. */
  readonly viewFor?: (model: string, type: ViewKind) => ViewNode | null;
  /** Whether the viewer may open a window action, by external id; buttons to others are left out. Absent: any. */
  readonly mayOpen?: (action: string) => boolean;
  /** Where a window action opens, by external id. Absent: in the main area. */
  readonly targetOf?: (action: string) => 'current' | 'dialog';
}

export interface ArchOutput {
  /** How its data are loaded, whatever addon draws them. */
  readonly kind: ViewType;
  /** Without data: kanban columns, rows of graph, pivot and cohort, saved searches and the range of calendar and gantt are empty. */
  readonly arch: Arch;
  /** The fields that the records need, in one read. Empty for graph, pivot and cohort. */
  readonly projection: Projection;
  /** The view's own defaults of the query; the action and the caller take precedence. */
  readonly query: ViewQuery;
  /** The domains of `arch.search.filters`, parsed. */
  readonly filters: ReadonlyMap<string, DomainNode>;
}

const subtrees: Readonly<Record<ViewType, (scope: ArchScope, view: ViewNode) => unknown>> = {
  list: (scope, view) => listArch(scope, view, 'list'),
  form: (scope, view) => formArch(scope, view, 'form'),
  kanban: kanbanArch,
  graph: (scope, view) => graphArch(withoutPaths(scope), view),
  pivot: (scope, view) => pivotArch(withoutPaths(scope), view),
  cohort: (scope, view) => cohortArch(withoutPaths(scope), view),
  calendar: calendarArch,
  gantt: ganttArch,
  map: mapArch,
};

/**
 * The description from which the client draws a view, for one user: what they may not see is left out. Throws ACCESS_DENIED, layer
 * `field`, if the view requires a field that they may not read.
 */
export function toArch(input: ArchInput): ArchOutput {
  const { view, registry, viewer } = input;
  const kind = view.tag as ViewType;
  const model = registry.model(view.attributes.model as string);
  const scope: ArchScope = {
    registry,
    viewer,
    translate: input.translate ?? inEnglish,
    model,
    fields: new Set(),
    paths: noPaths(),
    loadsFiles: kind === 'form',
    depth: 0,
    viewFor: input.viewFor ?? (() => null),
    bodyOf: bodyNodes,
    mayOpen: input.mayOpen ?? (() => true),
    targetOf: input.targetOf ?? (() => 'current'),
  };
  const subtree = subtrees[kind](scope, view);
  const header = headerArch(scope, view);
  const states = statesArch(scope, kind);
  const query = viewQuery(scope, view);
  const filters = new Map<string, DomainNode>();
  const searchView = input.search ?? generateView(model, 'search', scope.translate);
  const search = searchArch(withoutPaths(scope), searchView, filters);
  const customised = customisable(model);
  const arch: Arch = {
    type: view.attributes.as ?? kind,
    model: model.name,
    label: model.label,
    title: model.label,
    fields: archFields(scope),
    header,
    ...(states && { states }),
    search,
    rights: {
      create: viewer.mayAccess(model, 'create'),
      copy: viewer.mayAccess(model, 'create') && isCopyable(model),
      write: viewer.mayAccess(model, 'write'),
      unlink: viewer.mayAccess(model, 'unlink'),
    },
    hasActive: model.hasActive,
    ...(model.isTransient ? { isTransient: true } : {}),
    ...(customised !== 'all' ? { customisable: customised } : {}),
    hasChatter: model.chatter !== null,
    ...(kind === 'form' && timelineEntries(scope.registry, model.name).length > 0 ? { hasTimeline: true } : {}),
    [kind]: subtree,
  };
  return { kind, arch, projection: toProjection(scope.paths), query, filters };
}

/** The bar over a view: its buttons, the moves of the record among them, and on a form its status bar. */
function headerArch(scope: ArchScope, view: ViewNode): Arch['header'] {
  const header = view.children.find((child) => child.tag === 'header' && isForViewer(scope, child));
  const nodes = header?.children ?? [];
  const [status] = fieldNodes(scope, nodes, 'form.status');
  const buttons = nodes.flatMap((node) => {
    if (node.tag === 'button') return buttonNode(scope, node) ?? [];
    if (node.tag === 'move') return moveButtons(scope, node);
    return node.tag === 'moves' && isForViewer(scope, node) ? otherMoves(scope, nodes) : [];
  });
  return { buttons, ...(status && { status }) };
}

/** A view's defaults of its query. */
interface ViewQuery {
  readonly order: string | null;
  readonly limit: number | null;
  /** Groups of a list that the view opens with, with granularity. */
  readonly groupBy: readonly string[];
}

function viewQuery(scope: ArchScope, view: ViewNode): ViewQuery {
  const { order, limit, groupBy } = valuesOf(scope, view, view.tag);
  const groups = view.tag === 'list' ? ((groupBy ?? []) as readonly string[]) : [];
  return {
    order: typeof order === 'string' && isReadableOrder(scope, order) ? order : null,
    limit: typeof limit === 'number' ? limit : null,
    groupBy: groups.filter((term) => needGroup(scope, term)),
  };
}

function isReadableOrder(scope: ArchScope, order: string): boolean {
  return order.split(', ').every((term) => readablePath(scope, term.replace('-', '').split('.')) !== null);
}

function needGroup(scope: ArchScope, term: string): boolean {
  const path = (term.split(':')[0] as string).split('.');
  if (!readablePath(scope, path)) return false;
  needValue(scope, path);
  return true;
}

/** Domains of filters by name, parsed. */
type FilterTrees = Map<string, DomainNode>;

/** Search fields and filters; filters on fields that the viewer may not read are left out. */
function searchArch(scope: ArchScope, search: ViewNode | null, trees: FilterTrees): SearchArch {
  const fields: SearchArch['fields'][number][] = [];
  const filters: SearchFilter[] = [];
  let section = 0;
  for (const node of search?.children ?? []) {
    if (!isForViewer(scope, node)) continue;
    if (node.tag === 'separator') section += 1;
    else if (node.tag === 'field') fields.push(...searchField(scope, node));
    else filters.push(...searchFilter(scope, node, section, trees));
  }
  return { filters, fields, saved: [] };
}

function searchField(scope: ArchScope, node: ViewNode): SearchArch['fields'] {
  const values = valuesOf(scope, node, 'search.field');
  const field = readableField(scope, String(values.name));
  if (!field) return [];
  addField(scope, field);
  const operator = String(values.operator ?? usualOperator(field));
  return [{ name: field.name, label: String(values.label ?? field.label), operator }];
}

function usualOperator(field: Field): string {
  return field.kind.isText || field.kind.isRelation ? 'ilike' : '=';
}

function searchFilter(scope: ArchScope, node: ViewNode, section: number, trees: FilterTrees): readonly SearchFilter[] {
  const values = valuesOf(scope, node, 'search.filter');
  const tree = (values.domain as DomainNode | undefined) ?? conjoin();
  const groupBy = (values.groupBy as string | undefined) ?? null;
  if (!isReadable(scope, tree)) return [];
  if (groupBy !== null && !mayGroup(scope, groupBy)) return [];
  const { name, label } = values as { readonly name: string; readonly label: string };
  if (tree.kind !== 'all') trees.set(name, tree);
  const isDefault = values.default === true;
  return [{ name, label, domain: serializeDomain(tree), groupBy, section, isDefault }];
}

function mayGroup(scope: ArchScope, term: string): boolean {
  const [path = ''] = term.split(':');
  const steps = path.split('.');
  if (!readablePath(scope, steps)) return false;
  const first = readableField(scope, steps[0] as string);
  if (first) addField(scope, first);
  return true;
}
