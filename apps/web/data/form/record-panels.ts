import type { FieldNode, WorkspacePayload } from '@kontor/protocol';
import { createStore } from '../../state/store.ts';
import type { Values } from '../rpc.ts';

/** A record of another model beside the form: made, or opened, without leaving it. */
interface RecordPanel {
  readonly kind: 'record';
  /** Query of its workspace. */
  readonly query: string;
  readonly title: string;
  readonly defaults: Values;
  /** Asks for something in the middle of the screen; its own buttons answer. */
  readonly isDialog?: boolean;
  onSaved(record: { readonly id: number; readonly name: string }): void;
}

/** One line of a list of the form, with all of its fields. */
interface LinePanel {
  readonly kind: 'line';
  readonly title: string;
  readonly node: FieldNode;
  readonly workspace: WorkspacePayload;
  readonly isReadonly: boolean;
  /** What is typed in the record that it belongs to, for its onchange. */
  parentValues(): Values;
  onDone(values: Values): void;
}

export type Panel = (RecordPanel | LinePanel) & { readonly key: number };

/** From the outermost to the one on top. The form on screen draws them. */
export const panels = createStore<readonly Panel[]>([]);

let lastKey = 0;

export function openPanel(panel: RecordPanel | LinePanel): void {
  panels.set((now) => [...now, { ...panel, key: ++lastKey }]);
}

export function closePanel(key: number): void {
  panels.set((now) => now.filter((panel) => panel.key !== key));
}
