import { useEffect } from 'react';
import { panels } from '../data/form/record-panels.ts';
import { useStore } from '../state/store.ts';
import { viewOf } from './view-lookup.ts';

/** Records and lines that are open beside a view, stacked. */
export function PanelHost() {
  const open = useStore(panels);
  useEffect(() => () => panels.set([]), []);
  if (open.length === 0) return null;
  const { Panel } = viewOf('form');
  return open.map((panel) => <Panel key={panel.key} panel={panel} />);
}
