import type { WorkspacePayload } from '@kontor/protocol';
import { type ReactNode, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { CustomiseProps } from './dialog.tsx';

const { Component: CustomiseDialog } = lazyComponent<CustomiseProps>(
  async () => (await import('./dialog.tsx')).CustomiseDialog,
);

/** The menu item that changes a form for everybody, for those who may, and its dialog. */
export function useCustomise(workspace: WorkspacePayload): {
  readonly entries: readonly MenuEntry[];
  readonly dialog: ReactNode;
} {
  const [isOpen, setOpen] = useState(false);
  const run = () => setOpen(true);
  return {
    entries: hasFeature('customise')
      ? [{ key: 'customise', label: t('Customise …'), icon: 'sliders-horizontal', run }]
      : [],
    dialog: isOpen && <CustomiseDialog workspace={workspace} onClose={() => setOpen(false)} />,
  };
}
