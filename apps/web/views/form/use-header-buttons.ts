import type { ButtonNode } from '@kontor/protocol';
import { holds } from '../../data/form/conditions.ts';
import { shownRecord } from '../../data/form/form-state.ts';
import { useStorePart } from '../../state/store.ts';
import { usePhone } from '../list/use-phone.ts';
import { useOpenForm } from './form-context.ts';
import { useIsDirty } from './use-form.ts';

interface HeaderButtons {
  readonly inBar: readonly ButtonNode[];
  readonly inMenu: readonly ButtonNode[];
}

/** On a phone the bar has room for the button that matters most, and for none while there is something to save. */
export function useHeaderButtons(): HeaderButtons {
  const open = useOpenForm();
  const { buttons } = open.workspace.arch.header;
  const isPhone = usePhone();
  const isDirty = useIsDirty(open);
  const shown = useStorePart(open.form, (state) => {
    const record = shownRecord(state);
    return buttons.flatMap((button, index) => (holds(button.invisible, record) ? [] : [index])).join();
  });
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const visible = buttons.filter((_button, index) => shown.split(',').includes(String(index)));
  if (!isPhone) return { inBar: visible, inMenu: [] };
  const first = isDirty || isNew ? undefined : (visible.find(({ primary }) => primary) ?? visible[0]);
  return { inBar: first ? [first] : [], inMenu: visible.filter((button) => button !== first) };
}
