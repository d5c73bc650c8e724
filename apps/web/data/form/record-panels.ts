import type { ButtonNode, Domain, FieldNode, WorkspacePayload } from '@kontor/protocol';
import { createStore } from '../../state/store.ts';
import type { RpcReceipt, Values } from '../rpc.ts';

/** A record of another model beside the form: made, or opened, without leaving it. */
interface RecordPanel {
  readonly kind: 'record';
  /** Query of its workspace. */
  readonly query: string;
  readonly title: string;
  readonly defaults: Values;
  /** What it is made for: it must fit. */
  readonly domain?: Domain;
  /** Asks for something in the middle of the screen; its own buttons answer. */
  readonly isDialog?: boolean;
  /** In the place of the list that it was opened from, which Back leads to. */
  readonly isInPlace?: boolean;
  onSaved(record: { readonly id: number; readonly name: string }): void;
}

/** The records that belong to the one on screen, as a list beside it. */
interface ListPanel {
  readonly kind: 'list';
  readonly title: string;
  /** The address of the list as a screen of its own. */
  readonly href: string;
  /** Something in it may have been changed. */
  onClosed(): void;
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

/** What an object action gives back: nothing, or where to go. */
export type ActionResult = true | { readonly redirect: string };

/** What the dialog of a button or a move needs to know of it. */
export type AskingButton = Pick<ButtonNode, 'name' | 'label' | 'icon' | 'danger' | 'confirm' | 'asks'>;

/** The dialog of an object action: it asks for values, or warns. */
interface AskPanel {
  readonly kind: 'ask';
  readonly model: string;
  readonly ids: readonly number[];
  readonly button: AskingButton;
  /** Runs the action with the answers, as texts. A refusal is shown in the dialog. */
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
/** A record or a line that is open beside a view. */
export type Panel = AnyPanel & { readonly key: number };

/** From the outermost to the one on top. The form on screen draws them. */
export const panels = createStore<readonly Panel[]>([]);

let lastKey = 0;

/** Opens a record or a line beside the view. */
export function openPanel(panel: AnyPanel): void {
  panels.set((now) => [...now, { ...panel, key: ++lastKey }]);
}

/** Closes a panel, and those over it. */
export function closePanel(key: number): void {
  panels.set((now) => now.filter((panel) => panel.key !== key));
}
