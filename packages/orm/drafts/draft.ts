import { computeOf } from '../graph/compute-of.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { X2manyCommand } from '../model/records.ts';

/** A record before it is written, in a form or in a call: stored values overlaid with the given ones. */
export interface DraftNode {
  readonly model: Model;
  /** 0 until the record is created. */
  readonly id: number;
  /** The edited record, or one of its lines: its computes are computed from the draft. */
  isDraft: boolean;
  /** By field, cast. A many2one is a node or null, an x2many an array of nodes; also in `loaded` and `computed`. */
  readonly given: Map<string, unknown>;
  readonly loaded: Map<string, unknown>;
  readonly computed: Map<string, unknown>;
  /**
   * For stored records, values of fields that depend on their reader, as the caller may read them; `loaded` contains
   * the server's.
   */
  readonly seen: Map<string, unknown>;
  /** The commands of the given x2manys, with the lines they refer to. */
  readonly edits: Map<string, Edit[]>;
  /** Fields that the call or the form changes; null: all of them, as for a new record. */
  changed: Set<string> | null;
  /** Fields that the call sets: editable computes do not change them. */
  pinned: Set<string>;
  /** Editable computes that have run, and those of them that returned another value. */
  readonly decided: Set<string>;
  readonly followed: Set<string>;
  /** Editable computes whose inputs are being loaded. */
  readonly preparing: Set<string>;
  /** A relation refers to it, but the record does not exist. */
  isMissing: boolean;
}

export interface Edit {
  readonly command: X2manyCommand;
  readonly line: DraftNode | null;
}

/** Records that are edited together and loaded together. */
export interface Draft {
  /** System rights: a compute reads what its author decided. What the caller sees of it is decided at the end. */
  readonly env: Env;
  /** The user who edits: editable computes read with their rights. */
  readonly caller: Env;
  readonly nodes: Map<string, DraftNode>;
  /** Records that the caller named but may not read: nothing of them is returned. */
  readonly hidden: Set<string>;
  /** Whether the caller may read a record, by its key, if that was checked. */
  readonly readable: Map<string, boolean>;
  /** Computes, as `model.field`, that the draft may have changed. */
  affected: ReadonlySet<string>;
}

export function openDraft(caller: Env): Draft {
  return {
    env: caller.sudo(),
    caller,
    nodes: new Map(),
    hidden: new Set(),
    readable: new Map(),
    affected: new Set(),
  };
}

/** A record that the draft contains. */
export function addRoot(draft: Draft, model: Model, id: number): DraftNode {
  const node = newNode(model, id, true);
  if (id !== 0) draft.nodes.set(keyOf(model, id), node);
  return node;
}

export function newNode(model: Model, id: number, isDraft: boolean): DraftNode {
  return {
    model,
    id,
    isDraft,
    given: new Map(),
    loaded: new Map(),
    computed: new Map(),
    seen: new Map(),
    edits: new Map(),
    changed: id === 0 ? null : new Set(),
    pinned: new Set(),
    decided: new Set(),
    preparing: new Set(),
    followed: new Set(),
    isMissing: false,
  };
}

/** The only node of a stored record: the parent of a line is the same node that contains the line. */
export function nodeOf(draft: Draft, model: Model, id: number): DraftNode | null {
  const key = keyOf(model, id);
  if (draft.hidden.has(key)) return null;
  let node = draft.nodes.get(key);
  if (!node) {
    node = newNode(model, id, false);
    draft.nodes.set(key, node);
  }
  return node;
}

export function keyOf(model: Model, id: number): string {
  return `${model.name}/${id}`;
}

/** Drops the computed values of a node, because their inputs changed. */
export function forgetComputed(node: DraftNode): void {
  for (const known of [node.computed, node.decided, node.followed]) known.clear();
}

/** Whether a field's value on a node is computed here rather than read from the database. */
export function isComputedHere(draft: Draft, node: DraftNode, field: Field): boolean {
  if (field.isEditable) return node.computed.has(field.name);
  // The records below are not part of the form.
  if (node.id !== 0 && field.compute && 'below' in field.compute && field.compute.below) return false;
  if (node.id !== 0 && !(node.isDraft && draft.affected.has(`${field.model}.${field.name}`))) return false;
  return computeOf(node.model, field) !== null;
}

/** Whose rights limit what a compute or a handler sees: nobody's, or the caller's. */
export type ReadAs = 'server' | 'caller';

/**
 * Whether the caller reads another value than the server: a compute that is not stored uses what its reader may read.
 */
export function dependsOnReader({ caller }: Draft, model: Model, field: Field, readAs: ReadAs): boolean {
  if (readAs === 'server' || caller.isSudo || field.isStored || field.compute?.asServer !== undefined) return false;
  return computeOf(model, field) !== null;
}

/** The current value; call `fill` first, with the same rights. */
export function valueAt(draft: Draft, node: DraftNode, field: Field, readAs: ReadAs = 'server'): unknown {
  if (isComputedHere(draft, node, field)) return node.computed.get(field.name);
  if (node.id !== 0 && !node.given.has(field.name) && dependsOnReader(draft, node.model, field, readAs)) {
    return node.seen.get(field.name);
  }
  return valueBefore(node, field);
}

/** The value before computes. */
export function valueBefore(node: DraftNode, field: Field): unknown {
  if (node.given.has(field.name)) return node.given.get(field.name);
  return node.id === 0 ? emptyValue(field) : node.loaded.get(field.name);
}

export function emptyValue(field: Field): unknown {
  if (isMany(field)) return [];
  return field.kind.absent;
}

export function isMany(field: Field): boolean {
  return field.kind.isList;
}

/** The records behind a relation's value. */
export function nodesIn(value: unknown): readonly DraftNode[] {
  if (Array.isArray(value)) return value as DraftNode[];
  return value === null || value === undefined ? [] : [value as DraftNode];
}

/** A node's value for callers: ids instead of records. */
export function wireValue(value: unknown): unknown {
  if (isNode(value)) return value.id;
  return Array.isArray(value) && value.every(isNode) ? value.map((node) => node.id) : (value ?? null);
}

function isNode(value: unknown): value is DraftNode {
  return typeof value === 'object' && value !== null && 'edits' in value && 'model' in value;
}
