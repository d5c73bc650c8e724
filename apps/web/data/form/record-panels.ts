import type { ButtonNode, Domain, FieldNode, WorkspacePayload } from '@kontor/protocol';
import { createStore } from '../../state/store.ts';
import type { RpcReceipt, Values } from '../rpc.ts';

/** A record of another model beside the form, created or opened without leaving it. */
interface RecordPanel {
  readonly kind: 'record';
  /** The query of its workspace. */
  readonly query: string;
  readonly title: string;
  readonly defaults: Values;
  /** The domain that the new record must match. */
  readonly domain?: Domain;
  /** A dialog in the middle of the screen, answered with its own buttons. */
  readonly isDialog?: boolean;
  /** In place of the list it was opened from, which Back returns to. */
  readonly isInPlace?: boolean;
  onSaved(record: { readonly id: number; readonly name: string }): void;
}

/** Related records, as a list beside the form. */
interface ListPanel {
  readonly kind: 'list';
  readonly title: string;
  /** The URL of the list as a full screen. */
  readonly href: string;
  /** Called when it closes, because records may have changed. */
  onClosed(): void;
}

/** One line of the form, with all of its fields. */
interface LinePanel {
  readonly kind: 'line';
  readonly title: string;
  readonly node: FieldNode;
  readonly workspace: WorkspacePayload;
  readonly isReadonly: boolean;
  /** The unsaved values of its parent record, for its onchange. */
  parentValues(): Values;
  onDone(values: Values): void;
}

/** The result of an object action: nothing, or a redirect. */
export type ActionResult = true | { readonly redirect: string };

/** What the dialog of a button or a move needs. */
export type AskingButton = Pick<ButtonNode, 'name' | 'label' | 'icon' | 'danger' | 'confirm' | 'mails' | 'asks'>;

/** The dialog of an object action: it asks for values, or warns. */
interface AskPanel {
  readonly kind: 'ask';
  readonly model: string;
  readonly ids: readonly number[];
  readonly button: AskingButton;
  /** Runs the action with the answers, as strings. A rejection is shown in the dialog. */
  call(answers: Readonly<Record<string, string>>): Promise<RpcReceipt<ActionResult>>;
  /** Called once; null: the user cancelled. */
  onClosed(receipt: RpcReceipt<ActionResult> | null): void;
}

/** Several moves lead to the same state: the user chooses one. */
interface ChoicePanel {
  readonly kind: 'choice';
  readonly title: string;
  readonly buttons: readonly AskingButton[];
  /** Called once; null: the user cancelled. */
  onChosen(button: AskingButton | null): void;
}

type AnyPanel = RecordPanel | ListPanel | LinePanel | AskPanel | ChoicePanel;
/** A record, list, line or dialog that is open beside or over a view. */
export type Panel = AnyPanel & { readonly key: number };

/** The open panels, from the bottom to the top one. The form on screen renders them. */
export const panels = createStore<readonly Panel[]>([]);

let lastKey = 0;

/** Opens a panel. */
export function openPanel(panel: AnyPanel): void {
  panels.set((now) => [...now, { ...panel, key: ++lastKey }]);
}

/** Closes a panel, and those above it. */
export function closePanel(key: number): void {
  panels.set((now) => now.filter((panel) => panel.key !== key));
}
