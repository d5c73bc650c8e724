import { lazyComponent } from '../../state/lazy.tsx';
import { useStore } from '../../state/store.ts';
import { exportTarget } from './open-export.ts';

const { Component: ExportDialog } = lazyComponent(async () => (await import('./dialog.tsx')).ExportDialog);

/** The dialog of an export, over whatever is on screen. */
export function ExportHost() {
  const target = useStore(exportTarget);
  return target && <ExportDialog target={target} onClose={() => exportTarget.set(null)} />;
}
