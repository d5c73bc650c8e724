import { useEffect } from 'react';
import { type Panel, panels } from '../../data/form/record-panels.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { useStore } from '../../state/store.ts';

interface PanelProps {
  readonly panel: Panel;
}
const { Component: PanelForm } = lazyComponent<PanelProps>(async () => (await import('./panel.tsx')).PanelForm);

/** Records and lines that are open beside the form, one over the other. */
export function PanelHost() {
  const open = useStore(panels);
  useEffect(() => () => panels.set([]), []);
  return open.map((panel) => <PanelForm key={panel.key} panel={panel} />);
}
