import type { Arch, ButtonNode, WorkspacePayload } from '@kontor/protocol';
import { useEffect, useRef } from 'react';
import { holds } from '../data/conditions.ts';
import { recall } from '../data/records.ts';
import type { RecordValues } from '../data/rpc.ts';
import { isTyping } from '../navigation/keys.ts';
import { Button } from '../ui/button.tsx';
import { NamedIcon } from '../ui/icon.tsx';
import { isCovered } from './planning/use-planning-keys.ts';
import { runOnSelection } from './run-action.ts';

interface SelectionButtonsProps {
  readonly workspace: WorkspacePayload;
  readonly ids: readonly number[];
  readonly buttons: readonly ButtonNode[];
}

/** Buttons of the view for the selected records. */
export function SelectionButtons({ workspace, ids, buttons }: SelectionButtonsProps) {
  const { arch, model } = workspace;
  const records = ids.flatMap((id) => recall(model, id) ?? []);
  const fitting = fittingButtons(arch, buttons, records);
  useButtonKeys(fitting, (button) => runOnSelection(workspace, ids, button));
  return fitting.map((button) => (
    <Button
      key={button.name}
      kind={button.danger ? 'danger' : button.primary ? 'primary' : 'default'}
      onClick={() => runOnSelection(workspace, ids, button)}
      {...(button.key && { 'aria-keyshortcuts': button.key, title: `${button.label} (${button.key.toUpperCase()})` })}
    >
      {button.icon && <NamedIcon name={button.icon} />}
      {button.label}
    </Button>
  ));
}

/** The letters of the buttons, while nobody types and no dialog is open. */
function useButtonKeys(buttons: readonly ButtonNode[], run: (button: ButtonNode) => void): void {
  const latest = useRef({ buttons, run });
  latest.current = { buttons, run };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (isTyping(event) || isCovered()) return;
      const button = latest.current.buttons.find(({ key }) => key === event.key.toLowerCase());
      if (!button) return;
      event.preventDefault();
      latest.current.run(button);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

/**
 * The buttons visible for at least one of the records. Variants of one action become one button, which warns if one of
 * them does.
 */
function fittingButtons(
  arch: Arch,
  buttons: readonly ButtonNode[],
  records: readonly RecordValues[],
): readonly ButtonNode[] {
  const isFitting = ({ invisible }: ButtonNode) =>
    records.length === 0 || records.some((record) => !holds(invisible, record, arch.fields));
  const byName = new Map<string, ButtonNode>();
  for (const button of buttons) {
    if (button.type === 'client' || !isFitting(button)) continue;
    byName.set(button.name, { ...button, ...byName.get(button.name) });
  }
  return [...byName.values()];
}
