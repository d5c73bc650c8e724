import { createStore } from '../state/store.ts';

/** The record of the pressed button; id 0 if there is none, as in a list. */
interface CommandTarget {
  readonly model: string;
  readonly id: number;
  readonly name: string;
}

export interface CommandProps {
  readonly target: CommandTarget;
  readonly onClose: () => void;
}

interface OpenCommand {
  /** As in `<button type="client" name="…">`. */
  readonly name: string;
  readonly target: CommandTarget;
}

/** The command whose dialog is open. */
export const openCommand = createStore<OpenCommand | null>(null);

/** Runs a client command by name. */
export function runCommand(name: string, target: CommandTarget): void {
  openCommand.set({ name, target });
}
