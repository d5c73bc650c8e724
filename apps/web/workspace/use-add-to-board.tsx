import type { WorkspacePayload } from '@kontor/protocol';
import { type ReactNode, useState } from 'react';
import { t } from '../i18n/messages.ts';
import { lazyComponent } from '../state/lazy.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import type { AddToBoardProps } from './add-to-board.tsx';

const { Component: AddToBoard } = lazyComponent<AddToBoardProps>(
  async () => (await import('./add-to-board.tsx')).AddToBoard,
);

interface AddingToBoard {
  readonly entry: MenuEntry;
  readonly dialog: ReactNode;
}

/** The "…" menu item that adds the screen to a board, and its dialog. */
export function useAddToBoard(workspace: WorkspacePayload): AddingToBoard {
  const [isOpen, setOpen] = useState(false);
  return {
    entry: { key: 'board', label: t('Add to a board …'), icon: 'layout-grid', run: () => setOpen(true) },
    dialog: isOpen && <AddToBoard workspace={workspace} onClose={() => setOpen(false)} />,
  };
}
