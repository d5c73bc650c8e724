import type { Field, Model, Registry } from '@kontor/orm';
import { accessDenied, type FormNode, type Projection, type Translate } from '@kontor/protocol';
import { fullIds } from '../external-id.ts';
import { placeOf, type ViewKind, type ViewNode } from '../view-node.ts';
import type { Viewer } from './viewer.ts';

/** One model of a view while its arch is built: collects what it uses. */
export interface ArchScope {
  readonly registry: Registry;
  readonly viewer: Viewer;
  readonly translate: Translate;
  readonly model: Model;
  /** The fields of the model that the arch describes. */
  readonly fields: Set<Field>;
  readonly paths: Paths;
  /** Whether files are loaded with the records; a row of a list can do without them. */
  readonly loadsFiles: boolean;
  /** How many x2many fields this is inside of. */
  readonly depth: number;
  readonly viewFor: (model: string, type: ViewKind) => ViewNode | null;
  /** The body of a form: a button may contain the form of a dialog, and a form contains buttons. */
  readonly bodyOf: (scope: ArchScope, nodes: readonly ViewNode[]) => readonly FormNode[];
  readonly mayOpen: (action: string) => boolean;
  readonly targetOf: (action: string) => 'current' | 'dialog';
}

/** The scope of the lines of an x2many. */
export function lineScope(scope: ArchScope, field: Field): ArchScope {
  return {
    ...scope,
    model: scope.registry.model(field.spec.relation as string),
    fields: new Set(),
    paths: linesOf(scope.paths, field.name),
    loadsFiles: false,
    depth: scope.depth + 1,
  };
}

/** The same model once more, for parts that need other values than the records. */
export function withoutPaths(scope: ArchScope): ArchScope {
  return { ...scope, paths: noPaths() };
}

export function isForViewer(scope: ArchScope, node: ViewNode): boolean {
  const { groups } = node.attributes;
  if (groups === undefined || scope.viewer.seesAll) return true;
  return fullIds(groups, placeOf(node, 'groups').addon).some((group) => scope.viewer.groups.has(group));
}

/** The field, if it exists and the viewer may read it; for an x2many, also the records behind it. */
export function readableField(scope: ArchScope, name: string, model = scope.model): Field | null {
  const field = model.fields.get(name);
  if (!field || !scope.viewer.mayReadField(field)) return null;
  return field.kind.isList && !mayReadRelated(scope, field) ? null : field;
}

/** The field at the end of a path, if the viewer may read every step of it. */
export function readablePath(scope: ArchScope, path: readonly string[], model = scope.model): Field | null {
  let at = model;
  for (const [index, name] of path.entries()) {
    const field = readableField(scope, name, at);
    if (!field || index === path.length - 1) return field;
    if (!field.spec.relation || !mayReadRelated(scope, field)) return null;
    at = scope.registry.model(field.spec.relation);
  }
  return null;
}

function mayReadRelated(scope: ArchScope, field: Field): boolean {
  const related = scope.registry.models.get(field.spec.relation ?? '');
  return related !== undefined && scope.viewer.mayAccess(related, 'read');
}

/** Adds a field to those that the arch describes. */
export function addField(scope: ArchScope, field: Field): void {
  scope.fields.add(field);
}

/** Makes records load a value; the path may go through many2ones. */
export function needValue(scope: ArchScope, path: readonly string[]): void {
  const field = readableField(scope, path[0] as string);
  if (!field) return;
  addField(scope, field);
  scope.paths.plain.add(path.join('.'));
}

/** Adds what a shown field needs to the read: its value, the name of a related record, the currency. */
export function needShown(scope: ArchScope, field: Field): void {
  addField(scope, field);
  const { kind } = field;
  if (field.kind.isList) {
    needNames(scope, field);
    return;
  }
  if (kind.isFile && !kind.isImage && !scope.loadsFiles) return;
  scope.paths.plain.add(field.name);
  if (kind.isToOne) scope.paths.plain.add(`${field.name}.display_name`);
  const currency = kind.isMoney ? readableField(scope, field.spec.currency ?? 'currency_id') : null;
  if (currency) needShown(scope, currency);
}

/** Lines that are shown only by name, in their colour if they have one. */
function needNames(scope: ArchScope, field: Field): void {
  const isComputed = field.compute !== null && !field.isStored;
  if (isComputed) scope.paths.plain.add(field.name);
  else {
    const lines = lineScope(scope, field);
    lines.paths.plain.add('display_name');
    if (readableField(lines, 'color')) lines.paths.plain.add('color');
  }
}

/** A field or path that the view requires; throws ACCESS_DENIED, layer `field`, if the viewer may not read it. */
export function neededField(scope: ArchScope, name: unknown): string {
  const path = String(name);
  if (!readablePath(scope, path.split('.'))) {
    const message = `This view needs ${scope.model.name}.${path}, which you may not read.`;
    throw accessDenied(scope.model.name, 'read', 'field', { message, field: path });
  }
  needValue(scope, path.split('.'));
  return path;
}

/** The paths that the records of a view need, collected while it is built. */
interface Paths {
  readonly plain: Set<string>;
  /** By x2many field: what its lines need. */
  readonly lines: Map<string, Paths>;
}

export function noPaths(): Paths {
  return { plain: new Set(), lines: new Map() };
}

function linesOf(paths: Paths, field: string): Paths {
  const known = paths.lines.get(field);
  if (known) return known;
  const lines = noPaths();
  paths.lines.set(field, lines);
  return lines;
}

export function toProjection(paths: Paths): Projection {
  const plain = [...paths.plain].filter((path) => path !== 'id' && !paths.lines.has(path));
  if (paths.lines.size === 0) return plain;
  return [...plain, Object.fromEntries([...paths.lines].map(([field, lines]) => [field, toProjection(lines)]))];
}
